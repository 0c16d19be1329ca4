import type { FieldErrors } from "../../contract/problem.ts";
import { ApiError } from "../lib/api.ts";
import { byField } from "./quote-check.ts";

/** Anything else in the hidden field is not ours and gets replaced. */
const SUBMISSION_ID = /^[0-9a-zA-Z-]{16,64}$/;

/** The submission's id from a posted form; a new one when it has none. */
export function submissionIdOf(form: FormData): string {
  const given = form.get("submissionId");
  return typeof given === "string" && SUBMISSION_ID.test(given) ? given : crypto.randomUUID();
}

/** What a form posted without its island gets back: what was typed, and what is wrong with it. */
export type FormState = {
  values: Record<string, unknown>;
  errors: FieldErrors;
  submissionId: string | null;
  /** What a failed sending said. */
  failure: string | null;
};

export const BLANK_FORM: FormState = { values: {}, errors: {}, submissionId: null, failure: null };

/** A refused or failed call to the API, as a form shows it. */
export function refusal(error: unknown, failedText: string) {
  const status = error instanceof ApiError ? error.status : 500;
  const problem = error instanceof ApiError && status < 500 ? error.problem : null;
  const errors = byField(problem?.errors ?? {});
  const failure = Object.keys(errors).length > 0 ? null : (problem?.detail ?? failedText);
  return { status, errors, failure };
}
