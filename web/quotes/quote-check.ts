import { formToObject } from "../../contract/forms.ts";
import { type LeadRequest, leadRequestSchema, QUOTE_STEPS } from "../../contract/leads.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";

/** Version of the words above the submit button; change it whenever those words change. */
export const CONSENT_WORDING = "quote-2026-11-23";

/** What a failed sending says, whatever the reason. */
export const SEND_FAILED = "Failed to submit service request. Please try again.";

export const LAST_STEP = QUOTE_STEPS.length - 1;

/** The form's values as the schema takes them and as the page shows them again. */
export type QuoteValues = Record<string, unknown>;

/** The form as the contract's schema takes it, but for the submission's id. */
export function readQuote(form: FormData): QuoteValues {
  const { submissionId: _, ...values } = formToObject(form, {
    lists: ["serviceType", "additionalServices"],
    flags: ["hasSlopes", "hasPets"],
  });
  return values;
}

/** Checks the whole form with the contract's schema. */
export function checkQuote(values: QuoteValues): Checked<LeadRequest> {
  return checkForm(leadRequestSchema, values);
}

/** The errors among one step's own fields; a step is left only when there are none. */
export function stepErrors(errors: FieldErrors | null, step: number): FieldErrors {
  const own: readonly string[] = QUOTE_STEPS[step]?.fields ?? [];
  return Object.fromEntries(Object.entries(errors ?? {}).filter(([field]) => own.includes(rootOf(field))));
}

/** The first step with a wrong field; the last one when no step owns the error. */
export function firstWrongStep(errors: FieldErrors): number {
  const step = QUOTE_STEPS.findIndex((_, index) => Object.keys(stepErrors(errors, index)).length > 0);
  return step < 0 ? LAST_STEP : step;
}

/** Members of a list are reported as "serviceType.0"; the list's own field shows them. */
function rootOf(field: string): string {
  return field.split(".")[0]!;
}

/** Errors by the name of the field that shows them. */
export function byField(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, message]) => [rootOf(field), message]));
}

/** A step number from a form; the first when it is none of ours. */
export function stepFrom(value: unknown): number {
  const step = Number(value);
  return Number.isInteger(step) && step >= 0 && step <= LAST_STEP ? step : 0;
}
