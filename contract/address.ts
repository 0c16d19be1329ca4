import * as z from "zod/mini";

import type { SuburbSuggestion } from "./suburbs.ts";
import { isPlainLine, maxCharacters } from "./text-fields.ts";

const INVALID = "Please provide a valid address";

/** Message shown when an address does not clearly name one of our suburbs. */
export const UNCLEAR_SUBURB = "Which suburb is that in? Add its name and postcode. We cover all of NSW.";

const POST_BOX = "Please enter a street address, not a PO box.";
const IS_POST_BOX = /\b(?:g?p\.?\s*o\.?|locked|private) *(?:box|bag)\b|parcel locker/i;

/** A postcode or a short name such as "Ryde". The form accepts it and the Worker looks it up. */
const SHORT_PLACE = /^(?:\d{4}|[a-z]{3,4})$/i;

/** Address of the job. The Worker checks later whether its suburb exists. */
export const addressSchema = z.string(INVALID).check(
  z.trim(),
  z.refine((text) => text.length >= 5 || SHORT_PLACE.test(text), INVALID),
  z.refine((text) => !IS_POST_BOX.test(text), POST_BOX),
  maxCharacters(200),
  isPlainLine,
);

/** The longest names of suburbs have three words. */
const MAX_WORDS = 3;

/** Minimum letters for a lookup. Fewer letters match too many suburbs. */
const MIN_LETTERS = 3;

/**
 * Returns the part of a partly typed address that may be a suburb: its last words, in lower case. The browser sends
 * only this part for completion. No street number leaves the page, and all visitors share cached responses.
 * @returns "" when there is nothing to look up yet
 */
export function extractSuburbQuery(address: string): string {
  const tail = address.slice(address.lastIndexOf(",") + 1).toLowerCase();
  const words = tail
    .replaceAll("’", "'")
    .split(/\s+/)
    .filter((word) => /^[a-z'-]+$|^\d{4}$/.test(word) && word !== "nsw");
  const part = words.slice(-MAX_WORDS).join(" ");
  return part.length < MIN_LETTERS ? "" : part;
}

/**
 * Splits a `extractSuburbQuery` into lookups.
 * @returns a whole postcode, or each ending that may be the start of a name, longest first
 */
export function splitSuburbQuery(part: string): { postcode: string } | { prefixes: string[] } {
  const words = part.split(" ").filter(Boolean);
  const last = words.at(-1) ?? "";
  if (/^\d{4}$/.test(last)) return { postcode: last };
  const prefixes = words
    .map((_, start) => words.slice(start).join(" "))
    .filter((text) => text.length >= MIN_LETTERS && !/\d/.test(text));
  return { prefixes };
}

/** Formats a suburb as in an address, such as "Glebe NSW 2037". */
export function formatSuburb({ name, state, postcode }: Omit<SuburbSuggestion, "council">): string {
  return `${name} ${state} ${postcode}`;
}

/**
 * Replaces the partly typed suburb of an address with the chosen one: "12 Banksia St gle" becomes "12 Banksia St, Glebe
 * NSW 2037".
 */
export function replaceSuburb(typed: string, suburb: Omit<SuburbSuggestion, "council">): string {
  const address = typed.replaceAll(/\s+/g, " ");
  const lower = address.toLowerCase().replaceAll("’", "'").trimEnd();
  const { name, state, postcode } = suburb;
  const names = [
    postcode,
    formatSuburb(suburb),
    `${name} ${postcode}`,
    `${name}, ${state} ${postcode}`,
    suburb.typed ?? "",
  ].map((text) => text.toLowerCase());
  let cutIndex = lower.length;
  for (let start = lower.length - 1; start >= 0; start--) {
    const isWordStart = start === 0 || /[\s,]/.test(lower[start - 1]!);
    if (isWordStart && names.some((text) => text.startsWith(lower.slice(start)))) cutIndex = start;
  }
  const before = address.slice(0, cutIndex).replace(/[\s,]+$/, "");
  const words = formatSuburb(suburb);
  return before ? `${before}, ${words}` : words;
}
