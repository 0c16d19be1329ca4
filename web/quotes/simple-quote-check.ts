import type { PageServiceId } from "../../contract/catalogue.ts";
import { CONSENT_WORDING } from "../../contract/consent.ts";
import { formToObject } from "../../contract/forms.ts";
import type { LeadRequestInput } from "../../contract/leads.ts";
import {
  SERVICE_EXTRAS,
  serviceQuoteSchema,
  servicesQuoteSchema,
  toLeadRequest,
} from "../../contract/simple-quotes.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";
import { groupErrorsByField } from "./quote-check.ts";

export function readSimpleQuote(form: FormData): Record<string, unknown> {
  return formToObject(form, { lists: ["servicesWanted"] });
}

/**
 * Validates a short quote form.
 * @param service the page's own service, or null on the services page, where visitors choose
 */
export function checkSimpleQuote(
  values: Record<string, unknown>,
  service: PageServiceId | null,
): Checked<LeadRequestInput> {
  if (service) {
    const checked = checkForm(serviceQuoteSchema, values);
    if (checked.errors) return checked;
    return withConsent(toLeadRequest(checked.values, [service], SERVICE_EXTRAS[service]));
  }
  const checked = checkForm(servicesQuoteSchema, values);
  if (checked.errors) return { values: null, errors: groupErrorsByField(checked.errors) };
  return withConsent(toLeadRequest(checked.values, checked.values.servicesWanted));
}

/** Adds the consent. A visitor who sends the form has seen the consent text above its button. */
function withConsent(request: LeadRequestInput): Checked<LeadRequestInput> {
  return { values: { ...request, consentWording: CONSENT_WORDING }, errors: null };
}
