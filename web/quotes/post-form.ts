import { data } from "react-router";

import { UNCLEAR_SUBURB } from "../../contract/address.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import type { AddressPlace, SuburbSuggestion } from "../../contract/suburbs.ts";
import { ApiError } from "../lib/api.ts";
import { needsSuburb } from "../addresses/look-up-place.ts";
import type { Checked } from "../lib/check-form.ts";
import { groupErrorsByField } from "./quote-check.ts";
import { redirectToThanks } from "./redirect-to-thanks.ts";

/** The response to a form posted before or without the script: the input and its errors. */
export type FormState = {
  values: Record<string, unknown>;
  errors: FieldErrors;
  submissionId: string | null;
  /** The error message of a failed request. */
  failure: string | null;
  /** Suggested suburbs if the address does not contain a known suburb. */
  suburbs?: SuburbSuggestion[];
};

export const BLANK_FORM: FormState = { values: {}, errors: {}, submissionId: null, failure: null };

/** Valid submission ids. Other text in the hidden field is replaced. */
const SUBMISSION_ID = /^[0-9a-zA-Z-]{16,55}$/;

/** Returns the submission id in a posted form; null for the first post of a cached page. */
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
 * Handles a short request form posted before or without the script. Redirects to /success, or returns the form with the
 * input and its errors.
 * @param page the request that posted the form
 * @param handling.send sends a validated request to the API, with an id that makes repeats harmless
 */
export async function handleFormPost<Sent extends object>(
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
  const again = async ({ errors, ...state }: Omit<FormState, "values">, status: number) => {
    const { customerAddress: wrong = UNCLEAR_SUBURB } = errors;
    const isOpen = status === 400 && wrong === UNCLEAR_SUBURB;
    const place = (isOpen && (await handlers.place?.(values))) || null;
    const isUnknown = needsSuburb(place);
    // Report an unknown suburb with the other errors, so that the visitor corrects all at once.
    const all = isUnknown ? { ...errors, customerAddress: UNCLEAR_SUBURB } : errors;
    return data({ values, errors: all, ...state, suburbs: place?.suggestions ?? [] } satisfies FormState, {
      status,
    });
  };
  if (chooseAddress(values, form)) {
    return again({ errors: {}, submissionId: given ?? crypto.randomUUID(), failure: null }, 200);
  }
  // An incomplete form gets a random id: two strangers may both post an empty form.
  if (checked.errors) {
    return again({ errors: checked.errors, submissionId: given ?? crypto.randomUUID(), failure: null }, 400);
  }
  const submissionId = given ?? (await deriveSubmissionId(form, Date.now()));
  try {
    const answer = await handlers.send({ ...checked.values, submissionId });
    return redirectToThanks(handlers.thanks?.(checked.values) ?? "/success", page, checked.values, answer);
  } catch (error) {
    const { status, ...shown } = readFailure(error, handlers.failedText);
    return again({ ...shown, submissionId }, status);
  }
}
