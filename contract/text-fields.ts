/** Schemas of fields that several forms share. */
import * as z from "zod/mini";

/**
 * Limits the length after Unicode normalisation: a compatibility character such as "㌖" counts as six letters. The
 * stored text stays as typed.
 */
export function maxCharacters(max: number, message = `Please use at most ${max} characters`) {
  return z.refine<string>((text) => text.normalize("NFKC").length <= max, message);
}

const emptyToNull = (value: string) => (value === "" ? null : value);

/** Schema of a phone number; at least 10 characters, as every form says. */
export function phoneSchema(message: string) {
  return z.string(message).check(z.trim(), z.minLength(10, message), maxCharacters(30, message));
}

/** Schema of an email address, converted to lower case. */
export function requiredEmailSchema(message: string) {
  return z.string(message).check(z.trim(), z.toLowerCase(), z.maxLength(254, message), z.email(message));
}

/** Schema of an optional email address; empty becomes null. */
export function optionalEmailSchema(message: string) {
  const address = requiredEmailSchema(message);
  const blank = z.string().check(z.trim(), z.maxLength(0));
  return z.optional(z.nullable(z.pipe(z.union([blank, address], message), z.transform(emptyToNull))));
}

/** Schema of an optional phone number; empty becomes null. */
export function optionalPhoneSchema(message: string) {
  const blank = z.string().check(z.trim(), z.maxLength(0));
  return z.optional(
    z.nullable(z.pipe(z.union([blank, phoneSchema(message)], message), z.transform(emptyToNull))),
  );
}

/** Schema of optional free text; trimmed, empty becomes null. */
export function optionalText(max: number) {
  return z.optional(
    z.nullable(z.pipe(z.string().check(z.trim(), maxCharacters(max)), z.transform(emptyToNull))),
  );
}
