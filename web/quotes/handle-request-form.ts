import { data, redirect } from "react-router";

import { UNCLEAR_SUBURB } from "../../contract/address.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import type { AddressPlace } from "../../contract/suburbs.ts";
import { needsSuburb } from "../addresses/look-up-suburb.ts";
import type { FormState } from "../documents/form-state.ts";
import { ApiError } from "../lib/api.ts";
import type { Checked } from "../lib/check-form.ts";
import { groupErrorsByField } from "./quote-check.ts";
import { buildSentCookie } from "./sent-request.ts";

/** Valid submission ids. Other text in the hidden field is replaced. */
const SUBMISSION_ID = /^[0-9a-zA-Z-]{16,55}$/;

/** Returns the submission id in a posted form; null for the first post without script of a cached page. */
export function readSubmissionId(form: FormData): string | null {
  const given = form.get("submissionId");
  return typeof given === "string" && SUBMISSION_ID.test(given) ? given : null;
}

/** Follows the button of a suggested suburb. @returns whether such a button was pressed */
export function chooseAddress(values: Record<string, unknown>, form: FormData): boolean {
  const chosen = form.get("chosenAddress");
  if (typeof chosen !== "string") return false;
  // A chosen address names its suburb. The last button, "None of these", has no address.
  const place = { addressSuburb: "", addressPostcode: "", customerAddress: chosen };
  Object.assign(values, chosen ? place : { asksPlace: true });
  return true;
}

/** Within this time, identical input counts as one request, because the visitor pressed the button twice. */
const SAME_REQUEST_MS = 60 * 60 * 1000;

/**
 * Derives a submission id from the input of a complete form. So posting a form twice, even before the script has
 * loaded, creates only one request.
 * @param now epoch milliseconds
 */
export async function deriveSubmissionId(form: FormData, now: number): Promise<string> {
  const entries = [...form].filter(
    ([name]) => !["submissionId", "startToken", "step", "intent"].includes(name),
  );
  const text = JSON.stringify([Math.floor(now / SAME_REQUEST_MS), entries]);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the errors and the message for a refused or failed API call. */
export function readFailure(error: unknown, failedText: string) {
  const status = error instanceof ApiError ? error.status : 500;
  const problem = error instanceof ApiError && status < 500 ? error.problem : null;
  const errors = groupErrorsByField(problem?.errors ?? {});
  const failure = Object.keys(errors).length > 0 ? null : (problem?.detail ?? failedText);
  return { status, errors, failure };
}

/**
 * Redirects to a thank-you page.
 * @param path the thank-you page
 * @param page the request that posted the form
 * @param sent the request sent to the API; `answer` is the API's response
 */
export function redirectToThanks(path: string, page: Request, sent: object, answer: unknown): Response {
  const cookie = buildSentCookie(sent, answer, new URL(page.url).protocol === "https:");
  return redirect(path, { status: 303, ...(cookie && { headers: { "Set-Cookie": cookie } }) });
}

/**
 * Handles a short request form in its page's action. Redirects to /success, or returns the input with its errors.
 * @param page the request that posted the form
 * @param handlers.send sends a validated request to the API, with an id that makes repeats harmless
 */
export async function handleRequestForm<Sent extends object>(
  page: Request,
  handlers: {
    read: (form: FormData) => Record<string, unknown>;
    check: (values: Record<string, unknown>) => Checked<Sent>;
    send: (request: Sent & { submissionId: string }) => Promise<unknown>;
    failedText: string;
    /** Returns the path of the thank-you page; /success if omitted. */
    thanks?: (request: Sent) => string;
    /** Looks up the suburb of the typed address; null if the lookup gives no result. */
    place?: (values: Record<string, unknown>) => Promise<AddressPlace | null>;
  },
) {
  const form = await page.formData();
  const given = readSubmissionId(form);
  const values = handlers.read(form);
  const checked = handlers.check(values);
  const again = async (errors: FieldErrors, failure: string | null, submissionId: string, status: number) => {
    const { customerAddress: wrong = UNCLEAR_SUBURB } = errors;
    const isOpen = status === 400 && wrong === UNCLEAR_SUBURB;
    const place = (isOpen && (await handlers.place?.(values))) || null;
    // Report an unknown suburb with the other errors, so that the visitor corrects all at once.
    const all = needsSuburb(place) ? { ...errors, customerAddress: UNCLEAR_SUBURB } : errors;
    const state = { values, errors: all, failure, submissionId, suburbs: place?.suggestions ?? [] };
    return data(state satisfies FormState, { status });
  };
  if (chooseAddress(values, form)) return again({}, null, given ?? crypto.randomUUID(), 200);
  // An incomplete form gets a random id: two strangers may both post an empty form.
  if (checked.errors) return again(checked.errors, null, given ?? crypto.randomUUID(), 400);
  const submissionId = given ?? (await deriveSubmissionId(form, Date.now()));
  try {
    const answer = await handlers.send({ ...checked.values, submissionId });
    return redirectToThanks(handlers.thanks?.(checked.values) ?? "/success", page, checked.values, answer);
  } catch (error) {
    const { status, errors, failure } = readFailure(error, handlers.failedText);
    return again(errors, failure, submissionId, status);
  }
}
