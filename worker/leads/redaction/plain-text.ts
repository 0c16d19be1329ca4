/** A part of a text; the end is exclusive. */
export type Range = { start: number; end: number };

/** Invisible characters, except the joiners of emoji and of some scripts. They could carry a message. */
const INVISIBLE = /(?!\s|\u200C|\u200D|\uFE0E|\uFE0F)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

export function removeInvisible(text: string): string {
  return text.normalize("NFC").replaceAll(INVISIBLE, "");
}

/** Fills the place of a character whose plain form is shorter. `findPhoneNumbers` reads it like a space. */
const FILLER = "\u200D";

const DIGIT = /^\p{Nd}$/u;

/** Returns the value of a digit in any script. Each script's ten digits are consecutive. */
function digitValue(digit: string): string {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/**
 * Returns a text with plain digits, letters and punctuation for those of other widths and scripts. Every offset stays
 * the same, so a range of the result is a range of the text.
 */
export function toPlain(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/gu, (character) => {
    const normal = character.normalize("NFKC");
    const plain = DIGIT.test(normal) ? digitValue(normal) : normal;
    return plain.length > character.length ? character : plain.padEnd(character.length, FILLER);
  });
}

/** Returns the ranges of all matches that pass `isWanted`. */
export function findRanges(
  text: string,
  pattern: RegExp,
  isWanted: (match: RegExpExecArray) => boolean = () => true,
): Range[] {
  return [...text.matchAll(pattern)]
    .filter(isWanted)
    .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}
