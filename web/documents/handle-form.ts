import { data } from "react-router";

import { formToObject } from "../../contract/forms.ts";
import type { Problem } from "../../contract/problem.ts";
import { ApiError } from "../lib/api.ts";
import type { Checked } from "../lib/check-form.ts";
import type { FormState } from "./form-state.ts";

type Refusal = Pick<FormState, "errors" | "failure">;

/** Returns the errors by field, or else the server's message, or else `failedText`. */
export function describeProblem(problem: Problem | null, failedText: string): Refusal {
  if (problem?.errors) return { errors: problem.errors, failure: null };
  return { errors: {}, failure: problem?.detail ?? failedText };
}

/** Never sends a secret back: a password, a recovery code or a passkey's answer. */
const isShown = ([name]: [string, unknown]) => !/password|^code$|^credential$/i.test(name);

/**
 * Handles a form in its page's action: checks it, sends it to the API, and redirects, or returns the input with its
 * errors. The form's island posts here too, and gets the same answer as JSON.
 * @param handlers.explain returns what to show for the API's problem, or a redirect; null if the API gave none
 * @param handlers.done redirects to the next page
 */
export async function handleForm<Values, Answer>(
  request: Request,
  handlers: {
    check: (values: Record<string, unknown>) => Checked<Values>;
    send: (values: Values) => Promise<Answer>;
    explain: (problem: Problem | null, values: FormState["values"]) => Refusal | Response;
    done: (answer: Answer) => Response | Promise<Response>;
  },
) {
  const given = formToObject(await request.formData());
  const values = Object.fromEntries(Object.entries(given).filter(isShown));
  const again = (refusal: Refusal, status: number) =>
    data({ values, ...refusal } satisfies FormState, { status });
  const checked = handlers.check(given);
  if (checked.errors) return again({ errors: checked.errors, failure: null }, 400);
  let answer: Answer;
  try {
    answer = await handlers.send(checked.values);
  } catch (error) {
    const { status, problem } = error instanceof ApiError ? error : { status: 500, problem: null };
    const refusal = handlers.explain(problem, values);
    return refusal instanceof Response ? refusal : again(refusal, status);
  }
  return handlers.done(answer);
}
