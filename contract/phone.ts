/**
 * Reads phone numbers with libphonenumber's patterns for Australia, in a kilobyte. Forms use it so that a visitor can
 * fix a typo, and every link uses it. The library itself is too large for the browser.
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

/**
 * A foreign number in E.164, which allows fifteen digits at most. The lengths of North American, British, New Zealand
 * and Indian numbers show most typos. A mobile of ours behind a stray "00" or "+" looks like a short German number.
 */
const FOREIGN = /^\+(?!4\d{8}$)(?:1\d{10}|44\d{9,10}|64\d{8,10}|91\d{10}|(?!1|44|64|91)[2-9]\d{7,14})$/;

/** Country codes after which people write a 0 (the trunk prefix) that is not dialled. Italy's 0 is dialled. */
const HOME_ZERO = /^(\+(?:2[07]|3[1-3]|353|4[013469]|5[13458]|6[0-46]|8[1246]|9[0-58])) ?0 ?/;

/** A letter O typed instead of a zero: no other letter is next to it. */
const LETTER_O = /(?<![a-np-z])o(?![a-np-z])/gi;

/** Invisible marks, which phones add to copied numbers. */
const INVISIBLE = /\p{Cf}/gu;

const EASTERN_DIGITS = /[٠-٩۰-۹]/g;

/** One or two digits beside a letter, such as "6pm" or "x12". They do not belong to a number. */
const SHORT_GROUP = /(?<=\p{L})\d{1,2}(?!\d)|(?<!\d)\d{1,2}(?=\p{L})/gu;

/** Digits with nothing but separators between them. */
const RUN = /\+?\d(?:[\s()[\].,/·_'’\p{Pd}−]*\+?\d)*/gu;

/** Maximum length of a number with its note, in characters. */
export const MAX_PHONE_LENGTH = 60;

/** A phone number in a typed text. */
export type Phone = {
  /** E.164, such as "+61491570006". */
  number: string;
  /** The number as Australians write it. A foreign number keeps its typed groups. */
  shown: string;
  /** The rest of the text, such as "after 6pm" or "ext. 12"; empty for none. */
  note: string;
};

/** Returns an Australian number as Australians write it. @param national digits without the leading zero */
function formatAustralian(national: string): string {
  if (/^(?:4\d{8}|14\d{7})$/.test(national)) return `0${national}`.replace(/^(.{4})(.{3})/, "$1 $2 ");
  if (/^[2378]\d{8}$/.test(national)) return national.replace(/^(.)(.{4})/, "0$1 $2 ");
  return national.length === 6
    ? national.replace(/^(..)(..)/, "$1 $2 ")
    : national.replace(/^(.{4})(.{3})(?=.)/, "$1 $2 ");
}

/** Returns the number in digits with separators, or null if they are not a complete number. */
function parseDigits(typed: string): Omit<Phone, "note"> | null {
  // People write +44 (0)20 and dial no zero.
  const groups = typed.replace(/\(\s*0\s*\)/, " ").replaceAll(/[^\d+]+/g, " ");
  const digits = groups.replaceAll(" ", "");
  // After 00, a foreign number has at least ten digits. A shorter one is an Australian number with a typo.
  if (/^(?:\+|0011|00(?!11)(?=\d{10}))(?!61)/.test(digits)) {
    const shown = groups
      .replace(/^(?:\+|00 ?11|00) ?/, "+")
      .replace(HOME_ZERO, "$1 ")
      .trim();
    const number = shown.replaceAll(" ", "");
    return FOREIGN.test(number) ? { number, shown } : null;
  }
  const national = digits.replace(/^(?:(?:\+|0011|00)61|61(?=\d{9}$))?0?/, "");
  return AUSTRALIAN.test(national) ? { number: `+61${national}`, shown: formatAustralian(national) } : null;
}

/** Returns the first number within a run of digits, with its position in the run. */
function findInRun(run: string) {
  const groups = [...run.matchAll(/\+?\d+/g)];
  for (const [i, { index, 0: text }] of groups.entries()) {
    // Only a zero or a plus shows that a number begins in the middle of a run.
    if (i > 0 && !/^[+0]/.test(text)) continue;
    const found = groups.slice(i).flatMap((group) => {
      const end = group.index + group[0].length;
      const phone = parseDigits(run.slice(index, end));
      return phone ? [{ phone, start: index, end }] : [];
    });
    const whole = found.at(-1);
    if (!whole) continue;
    // Digits behind a complete Australian number are a note. A foreign number has any length.
    const first = found.find(({ phone }) => phone.number.startsWith("+61"));
    return whole.end === run.length || !first ? whole : first;
  }
  return null;
}

const MARKS = /^[\s.,:;/·_\p{Pd}−]+|[\s.,:;/·_\p{Pd}−]+$/gu;
const LABEL = /^(?:ph|phone|tel|telephone|mob|mobile|[mpt])$/i;
const EXTENSION = /^(?:extension|extn|ext|x|#)\W*(?=\d)/i;

/** Returns a note without marks around it; empty without a letter or digit. */
const toNote = (rest: string) =>
  rest
    .replace(/^[^\p{L}\p{N}]+$/u, "")
    .replaceAll(/[()[\]]/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(MARKS, "")
    .replace(LABEL, "")
    .replace(EXTENSION, "ext. ");

/**
 * Finds the first complete phone number in a typed text: an Australian one, or a foreign one with its country code. It
 * accepts any spacing, a note, an extension, and the letter O for zero.
 * @returns null without a number that can be dialled, and for a text that is too long
 */
export function readPhone(typed: string): Phone | null {
  // Finding a number takes cubic time: a form with 30,000 characters occupied the Worker for minutes. A character has up
  // to two code units.
  if (typed.length > 2 * MAX_PHONE_LENGTH) return null;
  const text = typed
    .normalize("NFKC")
    .replaceAll(INVISIBLE, "")
    .replaceAll(EASTERN_DIGITS, (digit) => String(digit.charCodeAt(0) % 16))
    .replaceAll(/\+\s+(?=\d)/g, "+");
  const digits = text.replaceAll(LETTER_O, "0").replaceAll(SHORT_GROUP, (group) => "x".repeat(group.length));
  for (const { 0: run, index } of digits.matchAll(RUN)) {
    const found = findInRun(run);
    if (!found) continue;
    const rest = [text.slice(0, index + found.start), text.slice(index + found.end)];
    return { ...found.phone, note: rest.map(toNote).filter(Boolean).join(", ") };
  }
  return null;
}

/** Returns a typed number in E.164, so that all spellings have the same key; null without a complete number. */
export function phoneKey(typed: string): string | null {
  return readPhone(typed)?.number ?? null;
}

/** Formats a typed number with its note: "0491 570 006 (after 6pm)". Without a number, returns the text as typed. */
export function formatPhone(typed: string): string {
  const phone = readPhone(typed);
  return phone ? [phone.shown, phone.note && `(${phone.note})`].filter(Boolean).join(" ") : typed;
}

/** Australian numbers without a place. Phones abroad, and some here, reach them only as they are written. */
const NATIONAL_ONLY = /^\+61(?=1(?!4))/;

/** Returns a `tel:` link for a typed number; undefined without a number. */
export function telHref(typed: string): string | undefined {
  const phone = readPhone(typed);
  return phone ? `tel:${phone.number.replace(NATIONAL_ONLY, "")}` : undefined;
}

/**
 * Returns an `sms:` link for a typed number; undefined for a landline or a number such as 1300, which receive no texts.
 * @param text the message; may be empty
 * @param isApple whether the device needs Apple's separator before the message
 */
export function smsHref(typed: string, text: string, isApple: boolean): string | undefined {
  const number = readPhone(typed)?.number;
  if (!number || /^\+61(?!4)/.test(number)) return undefined;
  return text ? `sms:${number}${isApple ? "&" : "?"}body=${encodeURIComponent(text)}` : `sms:${number}`;
}
