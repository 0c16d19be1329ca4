/**
 * Redacts the customer's text for rivals. Rules read the text's shadow (tokens.ts) token by token. They return the
 * ranges that would let a reader contact the customer. `redact` cuts those ranges from the original and leaves the rest
 * as typed.
 */
import { phoneNumbers } from "./numbers.ts";
import { type Customer, ownDigits, ownWords, placesOf } from "./own-words.ts";
import { findOnlineAddresses } from "./online-contacts.ts";
import { type Range, tokenizeText } from "./tokens.ts";
import { streetAddresses } from "./streets.ts";

export const BLANK = "▮▮▮";

/** Merges ranges that touch or have no letter or digit between them. */
function mergeRanges(text: string, ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    const isNear =
      last !== undefined &&
      (range.start <= last.end ||
        (range.start - last.end <= 3 && !/[\p{L}\p{N}]/u.test(text.slice(last.end, range.start))));
    if (isNear) last.end = Math.max(last.end, range.end);
    else result.push({ ...range });
  }
  return result;
}

/** Replaces the redacted ranges, and removes invisible characters outside them. */
function replaceRanges(text: string, blanks: readonly Range[], invisible: readonly Range[]): string {
  const parts = [
    ...blanks.map((range) => ({ ...range, instead: BLANK })),
    ...invisible.map((range) => ({ ...range, instead: "" })),
  ].toSorted((a, b) => a.start - b.start);
  let shown = "";
  let at = 0;
  for (const { start, end, instead } of parts) {
    if (end <= at) continue;
    shown += text.slice(at, Math.max(at, start)) + instead;
    at = end;
  }
  return shown + text.slice(at);
}

/** Returns whether a text contains a phone number, an email address, a link or another online contact. */
export function containsContact(text: string): boolean {
  const { tokens } = tokenizeText(text);
  return phoneNumbers(tokens, []).length > 0 || findOnlineAddresses(tokens).length > 0;
}

/**
 * Returns free text without any way to contact the customer.
 * @param text the visitor's text
 * @param customer the customer, to redact their own words and number everywhere
 */
export function redact(text: string, customer: Customer | null = null): string {
  const { tokens, invisible, isAllCaps } = tokenizeText(text);
  const blanks = [
    ...phoneNumbers(tokens, customer ? [ownDigits(customer)] : []),
    ...findOnlineAddresses(tokens),
    ...streetAddresses(tokens, isAllCaps),
    ...(customer ? placesOf(tokens, ownWords(customer)) : []),
  ];
  return replaceRanges(text, mergeRanges(text, blanks), invisible);
}
