import { formToObject } from "../../contract/forms.ts";
import { fieldsWith } from "../../contract/lead-fields.ts";
import {
  isProposedFrequency,
  type LeadRequest,
  leadRequestSchema,
  QUOTE_DEFAULTS,
  QUOTE_STEPS,
} from "../../contract/leads.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import { listStated } from "../../contract/stated-details.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";

export const LAST_STEP = QUOTE_STEPS.length - 1;

/** The form's values, as input for the schema and to show again in the page. */
export type QuoteValues = Record<string, unknown>;

/** The form's checkboxes: groups are lists, single ones are flags. */
export const CHECKBOXES = { lists: fieldsWith({ ask: "boxes" }), flags: fieldsWith({ ask: "flag" }) };

/** Reads the form's values for the contract's schema. Omits the submission id. */
export function readQuote(form: FormData): QuoteValues {
  const { submissionId: _, ...values } = formToObject(form, CHECKBOXES);
  // No preference.
  if (values.contactMethod === "") delete values.contactMethod;
  return values;
}

/** Name of the hidden input that lists the fields the visitor touched. It is an input, so the draft keeps it. */
export const TOUCHED = "touched";

/** Returns the names in the hidden input. Without the script there are none, and only a changed default counts as stated. */
export const parseTouched = (text: unknown) =>
  new Set(
    String(text ?? "")
      .split(",")
      .filter(Boolean),
  );

export function checkQuote(values: QuoteValues): Checked<LeadRequest> {
  // Without the script, the page still proposes the frequency of the services that it was opened with.
  const defaults = {
    ...QUOTE_DEFAULTS,
    ...(isProposedFrequency(values.frequency) && { frequency: values.frequency }),
  };
  const stated = listStated(values, defaults, parseTouched(values[TOUCHED]));
  return checkForm(leadRequestSchema, { ...values, stated });
}

/** Returns the errors of a step's own fields. The visitor can leave the step only without errors. */
export function filterStepErrors(errors: FieldErrors | null, step: number): FieldErrors {
  const own: readonly string[] = QUOTE_STEPS[step]?.fields ?? [];
  return Object.fromEntries(Object.entries(errors ?? {}).filter(([field]) => own.includes(rootOf(field))));
}

/** Returns the first step with an invalid field, or the last step if no step contains one. */
export function findFirstInvalidStep(errors: FieldErrors): number {
  const step = QUOTE_STEPS.findIndex((_, index) => Object.keys(filterStepErrors(errors, index)).length > 0);
  return step < 0 ? LAST_STEP : step;
}

/**
 * Returns the name of a field's list. The schema reports list items as "serviceType.0", but the list's own field shows
 * the error.
 */
function rootOf(field: string): string {
  return field.split(".")[0]!;
}

/** Groups errors by the field that shows them. */
export function groupErrorsByField(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([field, message]) => [rootOf(field), message]));
}

/** Reads a step number from a form; the first step for an invalid one. */
export function parseStep(value: unknown): number {
  const step = Number(value);
  return Number.isInteger(step) && step >= 0 && step <= LAST_STEP ? step : 0;
}
