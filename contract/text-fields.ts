/** Schemas of fields that several forms share. */
import * as z from "zod/mini";

import { hasNoInvisibleCharacters } from "./names.ts";

/**
 * Limits the length after Unicode normalisation: a compatibility character such as "㌖" counts as six letters. The
 * stored text stays as typed.
 */
export function maxCharacters(
  max: number,
  message = `Please use at most ${max.toLocaleString("en-AU")} characters`,
) {
  return z.refine<string>((text) => text.normalize("NFKC").length <= max, message);
}

/** For an optional field. */
export const emptyToNull = (value: string) => (value === "" ? null : value);

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

/** Refuses line breaks and invisible characters: names and addresses appear in our emails and on our pages. */
export const isPlainLine = z.refine<string>(
  hasNoInvisibleCharacters,
  "Please retype this on one line, without hidden characters",
);

/** Schema of a name or address that must not be blank. */
export function requiredLine(message: string, { min = 1, max }: { min?: number; max: number }) {
  return z.string(message).check(z.trim(), z.minLength(min, message), maxCharacters(max), isPlainLine);
}

/** Schema of an optional name or address; trimmed, empty becomes null. */
export function optionalLine(max: number) {
  return optional(z.string().check(z.trim(), maxCharacters(max), isPlainLine));
}

/** Schema of optional free text; trimmed, empty becomes null. */
export function optionalText(max: number) {
  return optional(z.string().check(z.trim(), maxCharacters(max)));
}

function optional(text: z.ZodMiniType<string, string>) {
  return z.optional(z.nullable(z.pipe(text, z.transform(emptyToNull))));
}
