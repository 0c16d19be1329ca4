import * as z from "zod/mini";

import { maxCharacters } from "./text-fields.ts";

/**
 * Checks whether a number can be called, with libphonenumber's patterns in half a kilobyte. Forms use it so that a
 * visitor can fix a typo. The library itself is ten kilobytes, so only the Worker loads it and checks again.
 */

/**
 * The library's patterns for +61 numbers, without the leading zero. The library also distinguishes outback exchanges.
 */
const AUSTRALIAN = new RegExp(
  `^(?:${[
    // Landlines.
    String.raw`(?:(?:241|349)0|8[59]1\d|2(?:[0-26-9]\d|3[0-8]|4[02-9]|5[0135-9])\d|3(?:[0-3589]\d|4[0-578]|6[1-9]|7[0-35-9])\d|7(?:[013-57-9]\d|2[0-8])\d|8(?:55|6[0-8]|[78]\d|9[02-9])\d)\d{5}`,
    // Mobiles.
    String.raw`4(?:79[01]|83[0-36-9]|9(?:5[0-3]|6[0-4]))\d{5}|4(?:[0-36]\d|4[047-9]|[58][0-24-9]|7[02-8]|9[0-47-9])\d{6}`,
    // Non-geographic: 1800, 1900, 16, satellite, 13 and 1300.
    String.raw`180(?:0\d{3}|2)\d{3}|190[0-26]\d{6}|163\d{2,6}|14(?:5(?:1[0458]|[23][458])|71\d)\d{4}|13(?:00\d{6}(?:\d\d)?|45[0-4]\d{3})|13\d{4}`,
  ].join("|")})$`,
);

/** Digits of a foreign number after the plus. E.164 allows fifteen digits at most. */
const FOREIGN = /^[1-9]\d{7,14}$/;

/** `ONLY_NUMBER` matches a text that is only a phone number. `EMBEDDED_NUMBERS` finds numbers in longer text. */
const ONLY_NUMBER = /^[\d\s()+.\p{Pd}−/]*$/u;
const EMBEDDED_NUMBERS = /\+?\d(?:[\s().\p{Pd}−]*\d){5,}/gu;

/** @param number digits, with a leading plus if the visitor typed one */
function isValidNumber(number: string): boolean {
  const abroad = /^(?:\+|0011|00)(?!61)(.*)/.exec(number);
  if (abroad) return FOREIGN.test(abroad[1]!);
  return AUSTRALIAN.test(number.replace(/^(?:(?:\+|0011|00)61|61(?=\d{9}$))?0?/, ""));
}

/**
 * Returns whether a typed text contains a valid number: an Australian one, or a foreign one with its country code. One
 * valid number of several is enough.
 */
export function hasValidNumber(typed: string): boolean {
  const text = typed.normalize("NFKC");
  const numbers = [...(ONLY_NUMBER.test(text) ? [text] : []), ...(text.match(EMBEDDED_NUMBERS) ?? [])];
  return numbers.some((number) => isValidNumber(number.replaceAll(/[^\d+]/g, "")));
}

const WRONG = "Is a digit missing? From overseas, start with + and your country code.";
const NO_AREA_CODE = "Please add the area code, such as 02.";
const TWO_NUMBERS = "Please enter one number only.";

/** A letter O typed instead of a zero: no other letter is next to it. */
const LETTER_O = /(?<![a-np-z])o(?![a-np-z])/gi;

/** A landline without its area code. */
const LOCAL_NUMBER = /^\W*[2-9](?:\W*\d){7}$/;

/**
 * Schema of a visitor's phone number.
 * @param message for a number that is too short or too long
 */
export function visitorPhoneSchema(message: string) {
  return z.string(message).check(
    z.trim(),
    z.overwrite((typed) => typed.replaceAll(LETTER_O, "0")),
    z.refine((typed) => !LOCAL_NUMBER.test(typed), NO_AREA_CODE),
    // A phone would dial two numbers as one.
    z.refine((typed) => !typed.match(EMBEDDED_NUMBERS)?.[1], TWO_NUMBERS),
    z.minLength(10, message),
    maxCharacters(30, message),
    z.refine(hasValidNumber, WRONG),
  );
}
