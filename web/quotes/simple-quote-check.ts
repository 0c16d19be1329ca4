import type { PageServiceId } from "../../contract/catalogue.ts";
import { formToObject } from "../../contract/forms.ts";
import type { LeadRequestInput } from "../../contract/leads.ts";
import { fieldErrors } from "../../contract/problem.ts";
import {
  SERVICE_EXTRAS,
  serviceQuoteSchema,
  servicesQuoteSchema,
  simpleQuoteRequest,
} from "../../contract/simple-quotes.ts";
import type { Checked } from "./post-form.ts";
import { byField, CONSENT_WORDING } from "./quote-check.ts";

export function readSimpleQuote(form: FormData): Record<string, unknown> {
  return formToObject(form, { lists: ["servicesWanted"] });
}

/**
 * Checks a short form.
 * @param service the page's own service, or null on the services page, where they are chosen
 */
export function checkSimpleQuote(
  values: Record<string, unknown>,
  service: PageServiceId | null,
): Checked<LeadRequestInput> {
  if (service) {
    const result = serviceQuoteSchema.safeParse(values);
    if (!result.success) return { request: null, errors: fieldErrors(result.error.issues) };
    return agreed(simpleQuoteRequest(result.data, [service], SERVICE_EXTRAS[service]));
  }
  const result = servicesQuoteSchema.safeParse(values);
  if (!result.success) return { request: null, errors: byField(fieldErrors(result.error.issues)) };
  return agreed(simpleQuoteRequest(result.data, result.data.servicesWanted));
}

/** Whoever sends the form has read the line above its button. */
function agreed(request: LeadRequestInput): Checked<LeadRequestInput> {
  return { request: { ...request, consentWording: CONSENT_WORDING }, errors: null };
}
