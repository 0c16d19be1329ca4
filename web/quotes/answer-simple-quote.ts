import { data, redirect, type RouterContextProvider } from "react-router";

import type { PageServiceId } from "../../contract/catalogue.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { type FormState, refusal, submissionIdOf } from "./post-form.ts";
import { CONSENT_WORDING, SEND_FAILED } from "./quote-check.ts";
import { checkSimpleQuote, readSimpleQuote } from "./simple-quote-check.ts";

/** Answers a short quote form that was posted without its island. */
export async function answerSimpleQuote(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  service: PageServiceId | null,
) {
  const form = await request.formData();
  const submissionId = submissionIdOf(form);
  const values = readSimpleQuote(form);
  const checked = checkSimpleQuote(values, service);
  if (!checked.request) {
    const state: FormState = { values, errors: checked.errors, submissionId, failure: null };
    return data(state, { status: 400 });
  }
  try {
    const json = { ...checked.request, submissionId, consentWording: CONSENT_WORDING };
    await unwrap(context.get(apiContext).api.leads.$post({ json }));
  } catch (error) {
    const { status, errors, failure } = refusal(error, SEND_FAILED.text);
    const state: FormState = { values, errors, submissionId, failure };
    return data(state, { status });
  }
  return redirect("/success", 303);
}
