/** Finds the customer's own surname, street and mailbox, and street addresses with a number. */
import { findRanges, type Range, toPlain } from "./plain-text.ts";

/** The customer's details that must not show in their text. */
export type Customer = {
  customerName: string;
  customerAddress: string;
  customerEmail?: string | null;
  suburbName: string | null;
};

const STREET_TYPES =
  "street|str|st|road|rd|avenue|ave|av|crescent|cres|parade|pde|highway|hwy|boulevard|blvd|bvd|esplanade|terrace|tce|circuit|cct";
/** Street types that are also ordinary words. They count only with a capital letter. */
const AMBIGUOUS_TYPES =
  "lane|ln|drive|dr|court|ct|place|pl|close|cl|way|grove|gr|square|sq|walk|rise|row|mews|track|view|crest|quay|glen|circle|ridge|loop|link|pass";
const IS_TYPE = new RegExp(`^(?:${STREET_TYPES}|${AMBIGUOUS_TYPES})$`, "i");

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** Words of addresses that texts about gardens contain too. Such a street is redacted only with its type. */
const COMMON = wordSet(
  "access back bush busy corner dead east front garden gardens gate great green grass hedge hedges high hill house lawn little long lower main mill nature new next north park pool private quiet rear rose school shared short side south station tree trees unit upper water west australia",
);

const NUMBER = String.raw`(?:(?:unit|flat|apt|lot|no\.?)\s?)?\d{1,5}[a-z]?(?:\s?[/,-]\s?\d{1,5}[a-z]?)?`;
const ADDRESS = new RegExp(
  String.raw`(?<![\p{L}\p{N}.$])${NUMBER}[\s,]{1,3}(?<name>(?:[\p{L}'’-]{2,20}\s{1,2}){1,3}?)(?<type>${STREET_TYPES}|${AMBIGUOUS_TYPES})(?![\p{L}\p{N}])`,
  "giu",
);
const POST_BOX = /(?<!\p{L})(?:p\.?\s?o\.?\s?box|locked bag)\s{0,2}\d+/giu;

/** Distinguishes "12 Fern Lane" and "12 fern st" from "2 cars on the street". */
function isAddress({ groups }: RegExpExecArray): boolean {
  const { name, type } = groups as { name: string; type: string };
  const words = name.trim().split(/\s+/);
  const isCapital = words.every((word) => /^\p{Lu}/u.test(word));
  if (new RegExp(`^(?:${AMBIGUOUS_TYPES})$`, "i").test(type)) return isCapital && /^\p{Lu}/u.test(type);
  return isCapital || (words.length === 1 && words[0]!.length > 3 && !COMMON.has(words[0]!.toLowerCase()));
}

const lettersOf = (text: string) => text.match(/\p{L}[\p{L}\p{M}'’‘ʼ´]*/gu) ?? [];

/** Returns the words of the customer's surname; all words of a name that has no other. */
function surnamesOf(name: string): string[] {
  const [first = "", ...rest] = name.trim().split(/\s+/);
  return lettersOf(rest.join(" ") || first).filter((word) => word.length > 1);
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** Returns a pattern for a word with any apostrophe or none. */
const patternOf = (word: string) =>
  lettersOf(word).length > 0 ? escape(word).replaceAll(/['’‘ʼ´]/g, "['’‘ʼ´]?") : escape(word);
/** Chinese and Japanese have no spaces between words. */
const isSpaced = (word: string) => !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word);

const plainOf = (value: string | null | undefined) => toPlain((value ?? "").normalize("NFC"));

/** Returns the ranges of the customer's own words, plurals included. */
export function findOwnWords(plain: string, customer: Customer): Range[] {
  const open = new Set(lettersOf(plainOf(customer.suburbName).toLowerCase()));
  const isHidden = (word: string) => !open.has(word.toLowerCase());
  const address = lettersOf(plainOf(customer.customerAddress));
  const isDistinctive = (word: string) =>
    word.length > 3 && isHidden(word) && !IS_TYPE.test(word) && !COMMON.has(word.toLowerCase());
  const streets = address.flatMap((word, i) => {
    if (isDistinctive(word))
      return [`(?:${NUMBER}\\s{1,2})?${patternOf(word)}(?:\\s{1,2}(?:${STREET_TYPES}))?`];
    const type = address[i + 1] ?? "";
    return !IS_TYPE.test(word) && IS_TYPE.test(type)
      ? [`(?:${NUMBER}\\s{1,2})?${patternOf(word)}\\s{1,2}(?:${type}|${STREET_TYPES})`]
      : [];
  });
  const surnames = surnamesOf(plainOf(customer.customerName)).filter(isHidden);
  const mailbox = plainOf(customer.customerEmail).split("@")[0]!;
  const words = [...surnames, ...(mailbox.length > 4 ? [mailbox] : [])];
  const spaced = [...streets, ...words.filter(isSpaced).map(patternOf)];
  const patterns = [
    ...(spaced.length > 0 ? [`(?<![\\p{L}\\p{N}])(?:${spaced.join("|")})(?:['’]?s)?(?![\\p{L}\\p{N}])`] : []),
    ...words.filter((word) => !isSpaced(word)).map(patternOf),
  ];
  return patterns.flatMap((pattern) => findRanges(plain, new RegExp(pattern, "giu")));
}

/** Returns the ranges of street addresses with a number, and of post boxes. */
export function findAddresses(plain: string): Range[] {
  return [...findRanges(plain, ADDRESS, isAddress), ...findRanges(plain, POST_BOX)];
}
