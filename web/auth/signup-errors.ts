import type { Problem } from "../../contract/problem.ts";
import type { FormState } from "../documents/form-state.ts";

export const SIGNUP_FAILED = "Failed to create account. Please try again.";

const FIELD_ERRORS_BY_CODE: Record<string, { field: string; message: string }> = {
  username_taken: {
    field: "username",
    message: "This username is already taken. Please choose a different username.",
  },
  email_taken: {
    field: "email",
    message: "This email is already registered. Please use a different email or try logging in.",
  },
};

/**
 * Returns what the sign-up form shows when the API refuses the request.
 * @param problem the API's problem; null if it gave none
 */
export function explainSignupProblem(problem: Problem | null): Pick<FormState, "errors" | "failure"> {
  const taken = problem && FIELD_ERRORS_BY_CODE[problem.code];
  if (taken) return { errors: { [taken.field]: taken.message }, failure: null };
  if (problem?.errors) return { errors: problem.errors, failure: null };
  // The same form may succeed later, and the server says when.
  if (problem?.code === "too_many_requests") return { errors: {}, failure: problem.detail };
  return { errors: {}, failure: SIGNUP_FAILED };
}
