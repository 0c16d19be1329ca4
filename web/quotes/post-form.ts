import { data } from "react-router";

import { WHICH_SUBURB } from "../../contract/address.ts";
import type { FieldErrors } from "../../contract/problem.ts";
import type { AddressPlace, SuburbSuggestion } from "../../contract/suburbs.ts";
import { ApiError } from "../lib/api.ts";
import type { Checked } from "../lib/check-form.ts";
import { byField } from "./quote-check.ts";
import { thank } from "./thank.ts";

/** What a form posted without its island gets back: what was typed, and what is wrong with it. */
export type FormState = {
  values: Record<string, unknown>;
  errors: FieldErrors;
  submissionId: string | null;
  /** What a failed sending said. */
  failure: string | null;
  /** Where no suburb was recognised: those that may be meant. */
  suburbs?: SuburbSuggestion[];
};

export const BLANK_FORM: FormState = { values: {}, errors: {}, submissionId: null, failure: null };

/** Anything else in the hidden field is not ours and gets replaced. */
const SUBMISSION_ID = /^[0-9a-zA-Z-]{16,55}$/;

/** The id in a posted form; null for the first post of a page that many share. */
export function givenSubmissionId(form: FormData): string | null {
  const given = form.get("submissionId");
  return typeof given === "string" && SUBMISSION_ID.test(given) ? given : null;
}

/** The same words within this time are the same request: a button pressed twice, not a second job. */
const SAME_REQUEST_MS = 60 * 60 * 1000;

/**
 * The id of a complete form that came without one, made of its words: sent twice at once, even before the
 * page's script is there, it stays one request.
 * @param now epoch milliseconds
 */
export async function submissionIdFrom(form: FormData, now: number): Promise<string> {
  const answers = [...form].filter(
    ([name]) => !["submissionId", "startToken", "step", "intent"].includes(name),
  );
  const text = JSON.stringify([Math.floor(now / SAME_REQUEST_MS), answers]);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash, 0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A refused or failed call to the API, as a form shows it. */
export function readFailure(error: unknown, failedText: string) {
  const status = error instanceof ApiError ? error.status : 500;
  const problem = error instanceof ApiError && status < 500 ? error.problem : null;
  const errors = byField(problem?.errors ?? {});
  const failure = Object.keys(errors).length > 0 ? null : (problem?.detail ?? failedText);
  return { status, errors, failure };
}

/**
 * Answers a short request form that was posted without its island: on to /success, or back with what was
 * typed and what is wrong with it.
 * @param page the request that brought the form
 * @param handling.send hands a checked request to the API, with the id that makes sending it twice harmless
 */
export async function answerForm<Sent extends object>(
  page: Request,
  handling: {
    read: (form: FormData) => Record<string, unknown>;
    check: (values: Record<string, unknown>) => Checked<Sent>;
    send: (request: Sent & { submissionId: string }) => Promise<unknown>;
    failedText: string;
    /** Which page says thank you; /success when left out. */
    thanks?: (request: Sent) => string;
    /** Where the address is that was typed; null when that is not known. */
    place?: (values: Record<string, unknown>) => Promise<AddressPlace | null>;
  },
) {
  const form = await page.formData();
  const given = givenSubmissionId(form);
  const values = handling.read(form);
  const checked = handling.check(values);
  const again = async ({ errors, ...state }: Omit<FormState, "values">, status: number) => {
    const { customerAddress: wrong = WHICH_SUBURB } = errors;
    const asks = status === 400 && wrong === WHICH_SUBURB;
    const place = (asks && (await handling.place?.(values))) || null;
    const isUnknown = place !== null && place.suburb === null;
    // Asked with the other errors, so that nobody is sent back twice.
    const all = isUnknown ? { ...errors, customerAddress: WHICH_SUBURB } : errors;
    return data({ values, errors: all, ...state, suburbs: place?.suggestions ?? [] } satisfies FormState, {
      status,
    });
  };
  const chosen = form.get("chosenAddress");
  if (typeof chosen === "string") {
    values.customerAddress = chosen;
    return again({ errors: {}, submissionId: given ?? crypto.randomUUID(), failure: null }, 200);
  }
  // What is still to be changed gets an id of its own: two strangers may both send an empty form.
  if (checked.errors) {
    return again({ errors: checked.errors, submissionId: given ?? crypto.randomUUID(), failure: null }, 400);
  }
  const submissionId = given ?? (await submissionIdFrom(form, Date.now()));
  try {
    const answer = await handling.send({ ...checked.values, submissionId });
    return thank(handling.thanks?.(checked.values) ?? "/success", page, checked.values, answer);
  } catch (error) {
    const { status, ...shown } = readFailure(error, handling.failedText);
    return again({ ...shown, submissionId }, status);
  }
}
