/*
 * A short reference that a visitor can read out over the phone. It omits 0, O, 1 and I because they are easily misread.
 */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const REFERENCE_LENGTH = 6;

/** The required digit distinguishes a reference from a name of six letters. */
const REFERENCE = /^(?=.*\d)[A-HJ-NP-Z2-9]{6}$/;

/** Returns a random reference. The caller must check that it is unused. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(REFERENCE_LENGTH));
  const text = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return readReference(text) ?? newReference();
}

/** Converts a typed reference to the stored form. Returns null when the text is not a reference. */
export function readReference(typed: string): string | null {
  const text = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return REFERENCE.test(text) ? text : null;
}
