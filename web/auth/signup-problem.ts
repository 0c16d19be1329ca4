import type { FieldErrors } from "../../contract/problem.ts";

const TAKEN: Record<string, { field: string; message: string }> = {
  username_taken: {
    field: "username",
    message: "This username is already taken. Please choose a different username.",
  },
  email_taken: {
    field: "email",
    message: "This email is already registered. Please use a different email or try logging in.",
  },
};

/** The same form is taken a little later: its person is told so in the server's words. */
const WAIT = new Set(["too_many_requests", "too_busy"]);

/**
 * What the sign-up form says after the API refused.
 * @param problem the API's problem; null when there was no answer we understand
 */
export function signupProblem(
  problem: { code: string; detail: string; errors?: FieldErrors | undefined } | null,
): { errors: FieldErrors; failure: string | null } {
  const taken = problem && TAKEN[problem.code];
  if (taken) return { errors: { [taken.field]: taken.message }, failure: taken.message };
  if (problem?.errors) return { errors: problem.errors, failure: null };
  if (problem && WAIT.has(problem.code)) return { errors: {}, failure: problem.detail };
  return { errors: {}, failure: "Failed to create account. Please try again." };
}
