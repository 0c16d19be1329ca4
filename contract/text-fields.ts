/** Fields of forms, as schemas: what several forms ask for alike. */
import * as z from "zod/mini";

/**
 * At most so many signs, counted as they are read: one sign of compatibility such as "㌖" stands for six letters.
 * What is stored stays as it was typed.
 */
export function maxSigns(max: number, message = `Please use at most ${max} characters`) {
  return z.refine<string>((text) => text.normalize("NFKC").length <= max, message);
}

const emptyToNull = (value: string) => (value === "" ? null : value);

/** A phone number as people type it; at least 10 characters, as every form says. */
export function phoneSchema(message: string) {
  return z.string(message).check(z.trim(), z.minLength(10, message), maxSigns(30, message));
}

/** An email address in lower case. */
export function requiredEmailSchema(message: string) {
  return z.string(message).check(z.trim(), z.toLowerCase(), z.maxLength(254, message), z.email(message));
}

/** An email address that may be left out, be empty or null; empty becomes null. */
export function optionalEmailSchema(message: string) {
  const address = requiredEmailSchema(message);
  const blank = z.string().check(z.trim(), z.maxLength(0));
  return z.optional(z.nullable(z.pipe(z.union([blank, address], message), z.transform(emptyToNull))));
}

/** A phone number that may be left out, be empty or null; empty becomes null. */
export function optionalPhoneSchema(message: string) {
  const blank = z.string().check(z.trim(), z.maxLength(0));
  return z.optional(
    z.nullable(z.pipe(z.union([blank, phoneSchema(message)], message), z.transform(emptyToNull))),
  );
}

/** Free text that may be left out; trimmed, empty becomes null. */
export function optionalText(max: number) {
  return z.optional(z.nullable(z.pipe(z.string().check(z.trim(), maxSigns(max)), z.transform(emptyToNull))));
}
