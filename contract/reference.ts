/*
 * What a visitor can read out over the phone, so that their request is found. Without 0, O, 1 and I nothing is misread.
 */
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;

/** A digit among them tells a reference from a name of six letters. */
const REFERENCE = /^(?=.*\d)[A-HJ-NP-Z2-9]{6}$/;

/** A reference that may be taken already: the database decides. */
export function newReference(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  const text = Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join("");
  return readReference(text) ?? newReference();
}

/** A reference as it is stored, however it was typed; null when the text is none. */
export function readReference(typed: string): string | null {
  const text = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return REFERENCE.test(text) ? text : null;
}
