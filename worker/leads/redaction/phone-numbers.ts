import { findPhoneNumbersInText } from "libphonenumber-js/min";

import { findRanges, type Range } from "./plain-text.ts";

/** Dates, times, prices and measures, which may have as many digits as a phone number. */
const QUANTITIES = new RegExp(
  [
    // 01/12/2026, 12.12.26, 2026-12-07
    String.raw`(?<![\d./-])(?:0?[1-9]|[12]\d|3[01])(?<separator>[./-])(?:0?[1-9]|1[0-2])\k<separator>(?:20)?\d\d(?![\d./-]\d|\d)`,
    String.raw`(?<!\d)(?:19|20)\d\d(?:-[01]\d-[0-3]\d|\s?[\s/–-]\s?(?:19|20)\d\d)(?!\d)`,
    // 1500-2000
    String.raw`(?<!\d)[1-9]\d[05]0\s?[–-]\s?[1-9]\d[05]0(?!\d)`,
    // 10.30-11.30
    String.raw`(?<![\d.])[012]?\d[.:][0-5]\d\s?[–-]\s?[012]?\d[.:][0-5]\d(?![\d.])`,
    String.raw`\$\s?\d+(?:[.,]\d+)*(?:\s?[–-]\s?\$?\d+(?:[.,]\d+)*)?`,
    // 2400 x 200, 1000 - 1200 m2
    String.raw`(?<!\d)[1-9]\d{0,4}(?:\s?[x×–-]\s?[1-9]\d{0,4}){0,2}\s?(?:m|mm|cm|m2|m²|sqm|sq|square|metres|meters|dollars|bucks|litres|kg|ha|acres)(?![\p{L}\d])`,
  ].join("|"),
  "giu",
);

/** A digit, or the letter O among digits. */
const DIGIT = String.raw`(?:\d|[oO](?![a-np-zA-NP-Z]))`;
/** Eight or more digits with spaces, dots, dashes, slashes or brackets between them. */
const RUN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\+?${DIGIT}(?:[\s\u200D./()[\]‐–—−-]{0,3}${DIGIT}){7,}`,
  "gu",
);
const MIN_REAL_DIGITS = 5;

/** A short part of a text that may be another number, such as "13 11 14" or "0491~570~006". */
const CANDIDATE = /[+(]?\d(?:[\s.()[\]/~*‐–—−-]{0,3}\d){5,14}/gu;

const mask = (found: string) => "|".repeat(found.length);

/** Returns the ranges of phone numbers, and of whatever else has as many digits. */
export function findPhoneNumbers(plain: string): Range[] {
  const counted = plain.replaceAll(QUANTITIES, mask);
  const runs = findRanges(counted, RUN, ([run]) => run.replaceAll(/\D/g, "").length >= MIN_REAL_DIGITS);
  const others = findRanges(
    counted.replaceAll(RUN, mask),
    CANDIDATE,
    ([part]) => findPhoneNumbersInText(part, "AU").length > 0,
  );
  return [...runs, ...others];
}
