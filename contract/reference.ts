/*
 * A short reference that a visitor can read out over the phone, to find their request. It omits 0, O, 1 and I, which
 * are easily misread.
 */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;

/** The required digit distinguishes a reference from a name of six letters. */
const REFERENCE = /^(?=.*\d)[A-HJ-NP-Z2-9]{6}$/;

/** Returns a random reference. It may already be taken: the database decides. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  const text = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return readReference(text) ?? newReference();
}

/** Returns a typed reference in the stored form; null when the text is not a reference. */
export function readReference(typed: string): string | null {
  const text = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return REFERENCE.test(text) ? text : null;
}
