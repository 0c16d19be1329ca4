import type { ComponentProps, ReactNode } from "react";

import { suggestEmail } from "../../contract/email-typos.ts";
import {
  type CustomerRequest,
  type DigitsAnswer,
  contactChangeSchema,
  requestErasureSchema,
} from "../../contract/request-links.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { type ApiClient, ApiError, unwrap } from "../lib/api.ts";
import { checkForm } from "../lib/check-form.ts";
import { TextField } from "../ui/field.tsx";
import { DigitsField, digitsName, type TypedForm } from "./digits-field.tsx";
import { AskButton } from "./final-acts.tsx";
import { UnsavedAlert } from "./unsaved-alert.tsx";

/** Values of the forms' hidden field, which tells the page's action what to do. */
export const ACT_INTENTS = ["phone", "email", "erase"] as const;
export type ActIntent = (typeof ACT_INTENTS)[number];

const CONTACT_FIELDS = { phone: "customerPhone", email: "customerEmail" } as const;

/** The result of a form: its outcome, or the errors by field. */
export type ActResult = {
  intent: ActIntent;
  outcome: DigitsAnswer["outcome"] | null;
  errors: FieldErrors;
  /** A likely correction of the new email address. */
  suggestion: string | null;
};

function describeTries(triesLeft: number): string {
  return `Those aren’t the last four digits. You have ${triesLeft === 1 ? "one more try" : `${triesLeft} more tries`}.`;
}

/**
 * Changes the phone number or the email address, or deletes the data, as the posted form asks.
 * @throws ApiError except for invalid fields
 */
export async function act(
  api: ApiClient["api"]["requests"],
  form: FormData,
  token: string,
): Promise<ActResult> {
  const intent = form.get("intent") as ActIntent;
  const proof = { token, lastDigits: form.get(digitsName(intent)) ?? "" };
  const suggestion = intent === "email" ? suggestEmail(String(form.get(CONTACT_FIELDS.email))) : null;
  const result = (errors: FieldErrors, outcome: ActResult["outcome"] = null) => ({
    intent,
    outcome,
    errors,
    suggestion,
  });
  try {
    let answer: DigitsAnswer;
    if (intent === "erase") {
      const checked = checkForm(requestErasureSchema, proof);
      if (!checked.values) return result(checked.errors);
      answer = await unwrap(api.erase.$post({ json: checked.values }));
    } else {
      const field = CONTACT_FIELDS[intent];
      const checked = checkForm(contactChangeSchema, { ...proof, [field]: form.get(field) ?? "" });
      if (!checked.values) return result(checked.errors);
      answer = await unwrap(api.phone.$post({ json: checked.values }));
    }
    if (answer.outcome === "wrong_digits") return result({ lastDigits: describeTries(answer.triesLeft) });
    return result({}, answer.outcome);
  } catch (error) {
    const errors = error instanceof ApiError ? error.problem?.errors : undefined;
    if (errors) return result(errors);
    throw error;
  }
}

/** Says at the top of the page that a form was not saved. Renders nothing without an error. */
export function ActAlert({ result }: { result: ActResult | null }) {
  const [field] = Object.keys(result?.errors ?? {});
  if (!result || field === undefined) return null;
  return (
    <UnsavedAlert
      text={result.intent === "erase" ? "We haven’t deleted anything yet." : undefined}
      field={field === "lastDigits" ? digitsName(result.intent) : field}
    />
  );
}

type ResultProps = { result: ActResult | null; typed: TypedForm | null };

type ActFormProps = ResultProps & {
  intent: ActIntent;
  title: string;
  button: string;
  /** The field for the new detail. */
  field?: ComponentProps<typeof TextField>;
  children?: ReactNode;
};

/**
 * Shows a form that needs the last digits. It stays open, with what was typed, until it is saved. Without an `action`, it would keep the
 * fragment of the alert's link, and the next page would open at the field.
 */
function ActForm({ intent, result, typed, title, button, field, children }: ActFormProps) {
  const errors = result?.intent === intent ? result.errors : {};
  const own = typed?.intent === intent ? typed : null;
  return (
    <details open={own !== null}>
      <summary className="button button--quiet">{title}</summary>
      <form method="post" action="?" className="form" noValidate>
        <input type="hidden" name="intent" value={intent} />
        {children}
        {field && (
          <TextField
            {...field}
            autoComplete={field.type}
            defaultValue={own?.[field.name]}
            error={errors[field.name]}
            required
          />
        )}
        <DigitsField intent={intent} typed={own?.[digitsName(intent)]} error={errors.lastDigits} />
        <button className="button button--quiet" type="submit">
          {button}
        </button>
      </form>
    </details>
  );
}

/** Shows the forms to change the contact details, and the button to delete the customer's data. They work without a script. */
export function CustomerActs({ request, ...results }: ResultProps & { request: CustomerRequest }) {
  if (!request.canEnterDigits)
    return <p>To change your number or email, or to delete your data, call us. We’ll check that it’s you.</p>;
  const { hasEmail } = request.contact;
  return (
    <>
      {!request.isExpired && !request.isCalledOff && (
        <>
          <ActForm
            {...results}
            intent="phone"
            title="Change my phone number"
            button="Change My Number"
            field={{ name: "customerPhone", label: "New phone number", type: "tel", maxLength: 30 }}
          />
          <ActForm
            {...results}
            intent="email"
            button="Save My Email Address"
            title={hasEmail ? "Change my email address" : "Add my email address"}
            field={{ name: "customerEmail", label: "New email address", type: "email", maxLength: 254 }}
          >
            {hasEmail && (
              <p>
                We’ll send a notice to your old address, and a link to the new one. Links we’ve sent before
                still open this page.
              </p>
            )}
          </ActForm>
        </>
      )}
      <AskButton intent="erase">Delete my data</AskButton>
    </>
  );
}
