import { parsePhoneNumberFromString } from "libphonenumber-js/min";

import { leadIdSchema, type screeningFields } from "../../../contract/leads.ts";
import { phoneKey, readPhone } from "../../../contract/phone.ts";
import { readReference } from "../../../contract/reference.ts";

/** Returns whether a phone number is valid in Australia or, with a country code, in any country. */
export function isPossiblePhone(phone: string): boolean {
  const key = phoneKey(phone);
  return key !== null && parsePhoneNumberFromString(key)?.isValid() === true;
}

/** Returns an email address in its normalised form. */
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

/**
 * Normalises an address: drops case, punctuation, state and postcode, and abbreviates street types ("Street", "St").
 */
export function streetKey(address: string): string | null {
  const words = address
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !NOISE.has(word))
    .map((word) => STREET_WORDS[word] ?? word);
  // Only the last word can be a postcode. Four digits elsewhere are a house number.
  if (words.length > 1 && /^\d{4}$/.test(words.at(-1)!)) words.pop();
  return words.join(" ") || null;
}

/** Length of an Australian number without its country code or leading zero. */
const NATIONAL_DIGITS = 9;

/**
 * Reads a phone number with any spacing and prefix.
 * @returns the nine national digits; null for fewer digits, which could match unrelated people
 */
export function nationalDigits(phone: string): string | null {
  const digits = phone.normalize("NFKC").replaceAll(/\D/g, "");
  return digits.length < NATIONAL_DIGITS ? null : digits.slice(-NATIONAL_DIGITS);
}

/** Returns the key of a number that cannot be parsed: its last nine digits after a tilde. */
export function unparsedKey(digits: string): string {
  return `~${digits}`;
}

/**
 * Returns the key of the second number in a phone field. Without a second number, returns the key of an unparseable
 * first number. Otherwise returns an empty string.
 */
export function otherPhoneKey(phone: string): string {
  const first = readPhone(phone);
  if (first) return phoneKey(first.note) ?? "";
  const digits = nationalDigits(phone);
  return digits ? unparsedKey(digits) : "";
}

/** Returns the keys that find a person's requests and bookings. */
export function contactKeys(phone: string, email: string | null | undefined) {
  return { phoneKey: phoneKey(phone), otherPhoneKey: otherPhoneKey(phone), emailKey: emailKey(email) };
}

/** Returns the keys that find earlier requests of the same person for the same place. */
export function requestKeys(request: {
  customerPhone: string;
  customerEmail?: string | null | undefined;
  customerAddress: string;
}) {
  const { customerPhone, customerEmail, customerAddress } = request;
  return { ...contactKeys(customerPhone, customerEmail), streetKey: streetKey(customerAddress) };
}

/**
 * Parses an admin's search for a lead or purchase id, a reference, a phone number or an email address. Returns null for
 * any other text.
 */
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

/** Returns the request without the bot-detection fields, which are never stored. */
export function withoutScreening<Request extends { [Name in keyof typeof screeningFields]?: unknown }>(
  request: Request,
): Omit<Request, keyof typeof screeningFields> {
  const { homepage: _, startToken: __, turnstileToken: ___, ...answers } = request;
  return answers;
}
