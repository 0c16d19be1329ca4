import {
  type CustomerRequest,
  type DigitsAnswer,
  phoneChangeSchema,
  requestErasureSchema,
} from "../../contract/request-links.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { type ApiClient, ApiError, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { TextField } from "../ui/field.tsx";

/** Values of the forms' hidden field, which tells the page's action what to do. */
export const ACT_INTENTS = ["phone", "erase"] as const;
export type ActIntent = (typeof ACT_INTENTS)[number];

/** The result of a form: its outcome, or the errors by field to show it again. */
export type ActResult = { intent: ActIntent; outcome: DigitsAnswer["outcome"] | null; errors: FieldErrors };

function describeTries(triesLeft: number): string {
  return `Those aren’t the last four digits. You have ${triesLeft === 1 ? "one more try" : `${triesLeft} more tries`}.`;
}

/**
 * Changes the phone number or deletes the data, as the posted form asks.
 * @throws ApiError except for invalid fields
 */
export async function act(
  api: ApiClient["api"]["requests"],
  form: FormData,
  token: string,
): Promise<ActResult> {
  const intent = form.get("intent") as ActIntent;
  const typed = { token, lastDigits: form.get(digitsName(intent)) ?? "" };
  const result = (errors: FieldErrors, outcome: ActResult["outcome"] = null) => ({ intent, outcome, errors });
  try {
    let answer: DigitsAnswer;
    if (intent === "phone") {
      const checked = checkForm(phoneChangeSchema, { ...typed, customerPhone: form.get("customerPhone") });
      if (!checked.values) return result(checked.errors);
      answer = await unwrap(api.phone.$post({ json: checked.values }));
    } else {
      const checked = checkForm(requestErasureSchema, typed);
      if (!checked.values) return result(checked.errors);
      answer = await unwrap(api.erase.$post({ json: checked.values }));
    }
    if (answer.outcome === "wrong_digits") return result({ lastDigits: describeTries(answer.triesLeft) });
    return result({}, answer.outcome);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return result(error.problem?.errors ?? {});
    throw error;
  }
}

/** The length that the browser enforces, as the schema does. */
const DIGITS = 4;

/** Each form has its own name, because names are also ids on the page. */
const digitsName = (intent: ActIntent) => `${intent}Digits`;

function DigitsField({ intent, error }: { intent: ActIntent; error: string | undefined }) {
  return (
    <TextField
      name={digitsName(intent)}
      label="Last four digits of your current number"
      hint="So that only you can do this."
      error={error}
      inputMode="numeric"
      autoComplete="off"
      maxLength={DIGITS}
      required
    />
  );
}

/** Shows the forms to change the phone number and to delete the customer's data. They work without a script. */
export function CustomerActs({ request, result }: { request: CustomerRequest; result: ActResult | null }) {
  if (!request.canEnterDigits)
    return <p>To change your number or delete your data, please call us. We’ll check that it’s you.</p>;
  const errorsOf = (intent: ActIntent) => (result?.intent === intent ? result.errors : {});
  const isOpen = (intent: ActIntent) => Object.keys(errorsOf(intent)).length > 0;
  return (
    <>
      {!request.isExpired && !request.isCalledOff && (
        <details open={isOpen("phone")}>
          <summary className="button button--quiet">Change my phone number</summary>
          <form method="post" className="form" noValidate>
            <input type="hidden" name="intent" value="phone" />
            <DigitsField intent="phone" error={errorsOf("phone").lastDigits} />
            <TextField
              name="customerPhone"
              label="New phone number"
              type="tel"
              autoComplete="tel"
              maxLength={30}
              error={errorsOf("phone").customerPhone}
              required
            />
            <button className="button button--quiet" type="submit">
              Change My Number
            </button>
          </form>
        </details>
      )}
      <details open={isOpen("erase")}>
        <summary className="button button--quiet">Delete my data</summary>
        <form method="post" className="form" noValidate>
          <input type="hidden" name="intent" value="erase" />
          <p>
            We’ll delete your name, number, address and everything else you wrote.{" "}
            {request.provider
              ? "Your provider will see that you’ve deleted them, and won’t find them here any more."
              : "Providers won’t see the job any more."}{" "}
            You can’t undo this.
          </p>
          <DigitsField intent="erase" error={errorsOf("erase").lastDigits} />
          <button className="button button--quiet" type="submit">
            Delete My Data
          </button>
        </form>
      </details>
    </>
  );
}
