/** Schemas of phone numbers. Apart from phone.ts, because the dashboard's links load without zod. */
import * as z from "zod/mini";

import { MAX_PHONE_LENGTH, readPhone } from "./phone.ts";
import { emptyToNull, maxCharacters } from "./text-fields.ts";

const WRONG = "Is a digit missing? From overseas, start with + and your country code.";
const NO_AREA_CODE = "Please add the area code, such as 02.";
const TWO_NUMBERS = "Please enter one number only.";

/** A landline without its area code. */
const LOCAL_NUMBER = /^\W*[2-9](?:\W*\d){7}$/;

/** Digits that a complete number leaves over, such as the 9 of "0491 570 006 9". */
const LEFT_OVER = /^[\d\s]+$/;

const countDigits = (text: string) => text.replaceAll(/\D/g, "").length;

/**
 * Schema of a visitor's phone number.
 * @param message for a number that is too short or too long
 */
export function visitorPhoneSchema(message: string) {
  return z.string(message).check(
    z.trim(),
    z.refine((typed) => !LOCAL_NUMBER.test(typed), NO_AREA_CODE),
    z.refine((typed) => countDigits(readPhone(typed)?.note ?? "") < 6, TWO_NUMBERS),
    // "491570006" is complete. So is 13 12 13, but no visitor's home has it.
    z.refine((typed) => typed.length >= 10 || (readPhone(typed)?.number.length ?? 0) > 10, message),
    maxCharacters(MAX_PHONE_LENGTH),
    z.refine((typed) => {
      const phone = readPhone(typed);
      return phone !== null && !LEFT_OVER.test(phone.note);
    }, WRONG),
  );
}

/** Schema of a phone number of an account or a customer: a complete number, or any text of at least 10 characters. */
export function phoneSchema(message: string) {
  return z.string(message).check(
    z.trim(),
    z.refine((typed) => typed.length >= 10 || readPhone(typed) !== null, message),
    maxCharacters(MAX_PHONE_LENGTH),
  );
}

/** Schema of an optional phone number; empty becomes null. */
export function optionalPhoneSchema(message: string) {
  const blank = z.string().check(z.trim(), z.maxLength(0));
  return z.optional(
    z.nullable(z.pipe(z.union([blank, phoneSchema(message)], message), z.transform(emptyToNull))),
  );
}
