import type { FieldErrors } from "../../contract/problem.ts";

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
 * Returns the sign-up form's message when the API refuses the request.
 * @param problem the API's problem; null without a readable response
 */
export function getSignupErrors(
  problem: { code: string; detail: string; errors?: FieldErrors | undefined } | null,
): { errors: FieldErrors; failure: string | null } {
  const taken = problem && FIELD_ERRORS_BY_CODE[problem.code];
  if (taken) return { errors: { [taken.field]: taken.message }, failure: null };
  if (problem?.errors) return { errors: problem.errors, failure: null };
  // The same form may succeed later, and the server says when.
  if (problem?.code === "too_many_requests") return { errors: {}, failure: problem.detail };
  return { errors: {}, failure: "Failed to create account. Please try again." };
}
