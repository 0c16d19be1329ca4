import type { PageServiceId } from "../../contract/catalogue.ts";
import { formToObject } from "../../contract/forms.ts";
import type { LeadRequestInput } from "../../contract/leads.ts";
import { type FieldErrors, fieldErrors } from "../../contract/problem.ts";
import {
  SERVICE_EXTRAS,
  serviceQuoteSchema,
  servicesQuoteSchema,
  simpleQuoteRequest,
} from "../../contract/simple-quotes.ts";
import { byField } from "./quote-check.ts";

type Checked = { request: LeadRequestInput; errors: null } | { request: null; errors: FieldErrors };

export function readSimpleQuote(form: FormData): Record<string, unknown> {
  return formToObject(form, { lists: ["servicesWanted"] });
}

/**
 * Checks a short form.
 * @param service the page's own service, or null on the services page, where they are chosen
 */
export function checkSimpleQuote(values: Record<string, unknown>, service: PageServiceId | null): Checked {
  if (service) {
    const result = serviceQuoteSchema.safeParse(values);
    if (!result.success) return { request: null, errors: fieldErrors(result.error.issues) };
    return { request: simpleQuoteRequest(result.data, [service], SERVICE_EXTRAS[service]), errors: null };
  }
  const result = servicesQuoteSchema.safeParse(values);
  if (!result.success) return { request: null, errors: byField(fieldErrors(result.error.issues)) };
  return { request: simpleQuoteRequest(result.data, result.data.servicesWanted), errors: null };
}
