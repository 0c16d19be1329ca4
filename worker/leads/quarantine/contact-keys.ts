import { findPhoneNumbersInText, parsePhoneNumberFromString } from "libphonenumber-js/min";

import { leadIdSchema, type screeningFields } from "../../../contract/leads.ts";
import { readReference } from "../../../contract/reference.ts";

function parsePhone(phone: string) {
  // In most of the world 00 dials out; here it is 0011, which the library knows.
  const text = phone.normalize("NFKC").replace(/^\s*00(?!11)(?=\d)/, "+");
  const whole = parsePhoneNumberFromString(text, "AU");
  if (whole?.isValid()) return whole;
  // "0412 345 678 or 02 9876 5432 (after six)": one that works is enough.
  return findPhoneNumbersInText(text, "AU")[0]?.number ?? whole ?? null;
}

/** Whether a phone number can exist, in Australia or, written with its country, anywhere. */
export function isPossiblePhone(phone: string): boolean {
  return parsePhone(phone)?.isValid() ?? false;
}

/** A phone number in E.164, so that every way of writing it is the same; null when there is none in it. */
export function phoneKey(phone: string): string | null {
  return parsePhone(phone)?.number ?? null;
}

/** An e-mail address as it is compared. */
export function emailKey(email: string | null | undefined): string | null {
  return email?.trim().toLowerCase() || null;
}

const STREET_WORDS: Readonly<Record<string, string>> = {
  street: "st",
  road: "rd",
  avenue: "ave",
  av: "ave",
  crescent: "cres",
  court: "ct",
  drive: "dr",
  place: "pl",
  lane: "ln",
  parade: "pde",
  highway: "hwy",
  close: "cl",
  boulevard: "bvd",
  blvd: "bvd",
  terrace: "tce",
  circuit: "cct",
  grove: "gr",
  esplanade: "esp",
};
const NOISE = new Set(["nsw", "australia", "new", "south", "wales", "unit", "flat", "apt", "apartment"]);

/** An address without what people write differently: case, punctuation, state, postcode, "Street" or "St". */
export function streetKey(address: string): string | null {
  const words = address
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !NOISE.has(word))
    .map((word) => STREET_WORDS[word] ?? word);
  // A postcode stands at the end; anywhere else four digits are a house.
  if (words.length > 1 && /^\d{4}$/.test(words.at(-1)!)) words.pop();
  return words.join(" ") || null;
}

/** An Australian number without its country code or leading zero has nine digits. */
const NATIONAL_DIGITS = 9;

/**
 * Reads a phone number however it is spaced or prefixed.
 * @returns its nine national digits; null when it has fewer, which would match strangers
 */
export function nationalDigits(phone: string): string | null {
  const digits = phone.normalize("NFKC").replaceAll(/\D/g, "");
  return digits.length < NATIONAL_DIGITS ? null : digits.slice(-NATIONAL_DIGITS);
}

/** The key of a number that cannot be read as one: its last nine digits, marked. */
export function unreadKey(digits: string): string {
  return `~${digits}`;
}

/**
 * The number besides the first in what somebody typed as their number. When not even the first can be
 * read, the digits that are there; empty for nothing more.
 */
export function otherPhoneKey(phone: string): string {
  const first = phoneKey(phone);
  const found = findPhoneNumbersInText(phone.normalize("NFKC"), "AU").map(({ number }) => number.number);
  const second = found.find((number) => number !== first);
  if (second) return second;
  const digits = isPossiblePhone(phone) ? null : nationalDigits(phone);
  return digits ? unreadKey(digits) : "";
}

/** By what a person is found again, in requests and in bookings. */
export function contactKeys(phone: string, email: string | null | undefined) {
  return { phoneKey: phoneKey(phone), otherPhoneKey: otherPhoneKey(phone), emailKey: emailKey(email) };
}

/** How a request is found again when the same person asks for the same place. */
export function requestKeys(request: {
  customerPhone: string;
  customerEmail?: string | null | undefined;
  customerAddress: string;
}) {
  return {
    ...contactKeys(request.customerPhone, request.customerEmail),
    streetKey: streetKey(request.customerAddress),
  };
}

/** What an admin looks for: a lead's or purchase's id, a reference, a phone number or an e-mail address; null for anything else. */
export function searchKeys(
  q: string,
):
  | { id: string }
  | { reference: string }
  | { purchase: string }
  | { phone: string }
  | { email: string }
  | null {
  if (leadIdSchema.safeParse(q).success) return { id: q };
  const reference = readReference(q);
  if (reference) return { reference };
  if (/^pur_[0-9a-z]{8,40}$/.test(q)) return { purchase: q };
  if (q.includes("@")) return { email: emailKey(q)! };
  const phone = q.replaceAll(/\D/g, "").length >= 8 ? phoneKey(q) : null;
  return phone ? { phone } : null;
}

/** What was asked for, without what only tells people from programs: that is looked at once, never stored. */
export function withoutScreening<Request extends { [Name in keyof typeof screeningFields]?: unknown }>(
  request: Request,
): Omit<Request, keyof typeof screeningFields> {
  const { homepage: _, startToken: __, turnstileToken: ___, ...answers } = request;
  return answers;
}
