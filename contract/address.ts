import * as z from "zod/mini";

import type { SuburbSuggestion } from "./suburbs.ts";
import { isPlainLine, maxCharacters, optionalLine } from "./text-fields.ts";

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

/**
 * The suburb and the postcode in fields of their own, which autofill or the visitor fills in. The Worker joins them to
 * the address. With both, a suburb that is not in our list is accepted for an admin to decide on.
 */
export const placeFields = { addressSuburb: optionalLine(60), addressPostcode: optionalLine(10) };

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

/** Names of the other states and territories, for a regular expression. */
export const OTHER_STATES =
  "vic|victoria|qld|queensland|sa|south australia|wa|western australia|tas|tasmania|nt|northern territory|act";

/** State, postcode and country behind a suburb's name. */
const TAIL = new RegExp(
  String.raw`^(?:[\s,]+(?:nsw|new south wales|${OTHER_STATES}|australia|\d{4})(?![a-z0-9]))+`,
  "i",
);

/** Removes our state from the end of an address. */
export const withoutState = (address: string) =>
  address.replace(/(?:[\s,]+(?:nsw|new south wales))?[\s,]*$/i, "");

type Named = Pick<SuburbSuggestion, "name" | "state" | "postcode" | "typed">;

/** Returns the part of an address that a suburb replaces: its own name, the start of it, or its postcode. */
function findReplaced(lower: string, suburb: Named): { start: number; end: number } {
  const { name, state, postcode, typed = "" } = suburb;
  const found = typed ? lower.lastIndexOf(typed.toLowerCase().replaceAll("’", "'")) : -1;
  let [start, end] = found < 0 ? [lower.length, lower.length] : [found, found + typed.length];
  // The visitor may have typed the rest of the word since.
  end += /^[a-z'-]*/.exec(lower.slice(end))![0].length;
  const names = [postcode, formatSuburb(suburb), `${name} ${postcode}`, `${name}, ${state} ${postcode}`].map(
    (text) => text.toLowerCase(),
  );
  const isPart = (i: number) =>
    (i === 0 || /[\s,]/.test(lower[i - 1]!)) && names.some((text) => text.startsWith(lower.slice(i)));
  if (found < 0) for (let i = lower.length - 1; i >= 0; i--) if (isPart(i)) start = i;
  // A word behind nothing but a house number is the street: "12 Broadway" stays.
  const isStreet = /^[a-z]/.test(lower.slice(start)) && /^[\d\s/-]+(?:the )?$/.test(lower.slice(0, start));
  return isStreet ? { start: lower.length, end: lower.length } : { start, end };
}

/**
 * Writes the chosen suburb into an address, in the place of its typed name: "12 Banksia St gle" becomes "12 Banksia St,
 * Glebe NSW 2037". Keeps everything else: "12 Broadway, Glebe, Sydney" becomes "12 Broadway, Glebe NSW 2037, Sydney".
 */
export function replaceSuburb(typed: string, suburb: Omit<SuburbSuggestion, "council">): string {
  const address = typed.trim().replaceAll(/\s+/g, " ");
  const { start, end } = findReplaced(address.toLowerCase().replaceAll("’", "'"), suburb);
  const rest = address.slice(end);
  const after = rest.slice(TAIL.exec(rest)?.[0].length ?? 0).replace(/^[\s,.;:–-]+/, "");
  const before = withoutState(address.slice(0, start));
  return [before, formatSuburb(suburb), after].filter(Boolean).join(", ");
}

const UNIT = /^\s*(?:(?:unit|apartment|apt|flat|suite|shop|villa|townhouse|lot)\s+\d+\w?|\d+\w?\s*(?=\/))/i;

/**
 * Returns a chosen address with the unit or lot that the visitor typed, if a list of addresses left it out.
 * @param typed such as "Unit 3, 12 Smith" or "3/12 Smith"
 */
export function keepUnit(typed: string, chosen: string): string {
  const [unit] = UNIT.exec(typed) ?? [];
  if (!unit || UNIT.test(chosen)) return chosen;
  return /^\s*\d/.test(unit) ? `${unit.trim()}/${chosen}` : `${unit.trim()}, ${chosen}`;
}
