/**
 * Redacts a customer's text for other providers: phone numbers, email addresses, links, names in messengers, addresses,
 * and the customer's own surname and street. A customer has no reason to disguise them, so plain ones are enough
 * (docs/security.md).
 */
import { findOnlineContacts } from "./online-contacts.ts";
import { type Customer, findAddresses, findOwnWords } from "./own-words.ts";
import { findPhoneNumbers } from "./phone-numbers.ts";
import { type Range, removeInvisible, toPlain } from "./plain-text.ts";

export const BLANK = "▮▮▮";

/** Merges ranges that touch or have no letter or digit between them. */
function mergeRanges(text: string, ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    const isNear =
      last !== undefined &&
      (range.start <= last.end ||
        (range.start - last.end <= 3 && !/[\p{L}\p{N}]/u.test(text.slice(last.end, range.start))));
    if (isNear) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

/** Returns whether a text contains a phone number, an email address, a link or another online contact. */
export function containsContact(text: string): boolean {
  const plain = toPlain(removeInvisible(text));
  return findPhoneNumbers(plain).length > 0 || findOnlineContacts(plain).length > 0;
}

/**
 * Returns free text without any plain way to contact the customer. The work grows only with the text's length.
 * @param customer the customer, to redact their own words too
 */
export function redact(text: string, customer: Customer | null = null): string {
  const visible = removeInvisible(text);
  const plain = toPlain(visible);
  const ranges = mergeRanges(visible, [
    ...findPhoneNumbers(plain),
    ...findOnlineContacts(plain),
    ...findAddresses(plain),
    ...(customer ? findOwnWords(plain, customer) : []),
  ]);
  let shown = "";
  let at = 0;
  for (const { start, end } of ranges) {
    shown += visible.slice(at, start) + BLANK;
    at = end;
  }
  return shown + visible.slice(at);
}
