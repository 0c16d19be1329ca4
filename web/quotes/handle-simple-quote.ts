import type { RouterContextProvider } from "react-router";

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
import { lookUpSuburb } from "../addresses/look-up-suburb.ts";
import { unwrap } from "../lib/api.ts";
import { type Checked, checkForm } from "../lib/check-form.ts";
import { apiContext } from "../lib/server-context.ts";
import { handleRequestForm } from "./handle-request-form.ts";
import { SEND_FAILED } from "./failure-toast.tsx";
import { groupErrorsByField } from "./quote-check.ts";

/** Adds the consent. A visitor who sends the form has seen the consent text above its button. */
function withConsent(request: LeadRequestInput): Checked<LeadRequestInput> {
  return { values: { ...request, consentWording: CONSENT_WORDING }, errors: null };
}

function checkSimpleQuote(
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

/**
 * Handles a short quote form.
 * @param service the page's own service, or null on the services page, where visitors choose
 */
export async function handleSimpleQuotePost(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  service: PageServiceId | null,
) {
  const client = context.get(apiContext);
  return handleRequestForm(request, {
    read: (form) => formToObject(form, { lists: ["servicesWanted"] }),
    check: (values) => checkSimpleQuote(values, service),
    send: (json) => unwrap(client.api.leads.$post({ json })),
    failedText: SEND_FAILED,
    place: (values) => lookUpSuburb(client, values),
  });
}
