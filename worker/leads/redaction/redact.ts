/**
 * Redacts a customer's text for other providers: phone numbers, email addresses, links, names in messengers, addresses,
 * and the customer's own surname and street. A customer has no reason to disguise them, so plain ones are enough
 * (docs/security.md).
 */

import { findPhoneNumbersInText } from "libphonenumber-js/min";
import { LinkifyIt } from "linkify-it";
import tlds from "tlds" with { type: "json" };

const BLANK = "▮▮▮";

/** Merges ranges that touch or have no letter or digit between them. */
function mergeRanges(text: string, ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    const isNear =
      last !== undefined &&
      (range.start <= last.end ||
        (range.start - last.end <= 3 && !/[\p{L}\p{N}]/u.test(text.slice(last.end, range.start))));
    if (isNear) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}

/** Returns whether a text contains a phone number, an email address, a link or another online contact. */
export function containsContact(text: string): boolean {
  const plain = toPlain(removeInvisible(text));
  return findPhoneNumbers(plain).length > 0 || findOnlineContacts(plain).length > 0;
}

/**
 * Returns free text without any plain way to contact the customer. The work grows only with the text's length.
 * @param customer the customer, to redact their own words too
 */
export function redact(text: string, customer: Customer | null = null): string {
  const visible = removeInvisible(text);
  const plain = toPlain(visible);
  const ranges = mergeRanges(visible, [
    ...findPhoneNumbers(plain),
    ...findOnlineContacts(plain),
    ...findAddresses(plain),
    ...(customer ? findOwnWords(plain, customer) : []),
  ]);
  let shown = "";
  let at = 0;
  for (const { start, end } of ranges) {
    shown += visible.slice(at, start) + BLANK;
    at = end;
  }
  return shown + visible.slice(at);
}

/** A part of a text; the end is exclusive. */
type Range = { start: number; end: number };

/** Invisible characters, except the joiners of emoji and of some scripts. They could carry a message. */
const INVISIBLE = /(?!\s|\u200C|\u200D|\uFE0E|\uFE0F)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

function removeInvisible(text: string): string {
  return text.normalize("NFC").replaceAll(INVISIBLE, "");
}

/** Follows a shortened character, so that positions stay the same. `findPhoneNumbers` reads it like a space. */
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
function toPlain(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/gu, (character) => {
    const normal = character.normalize("NFKC");
    const plain = DIGIT.test(normal) ? digitValue(normal) : normal;
    return plain.length > character.length ? character : plain.padEnd(character.length, FILLER);
  });
}

/** Returns the ranges of all matches that pass `isWanted`. */
function findRanges(
  text: string,
  pattern: RegExp,
  isWanted: (match: RegExpExecArray) => boolean = () => true,
): Range[] {
  return [...text.matchAll(pattern)]
    .filter(isWanted)
    .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

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
const DIGIT_OR_O = String.raw`(?:\d|[oO](?![a-np-zA-NP-Z]))`;
/** Eight or more digits with spaces, dots, dashes, slashes or brackets between them. */
const RUN = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\+?${DIGIT_OR_O}(?:[\s\u200D./()[\]‐–—−-]{0,3}${DIGIT_OR_O}){7,}`,
  "gu",
);
const MIN_REAL_DIGITS = 5;

/** A short part of a text that may be another number, such as "13 11 14" or "0491~570~006". */
const CANDIDATE = /[+(]?\d(?:[\s.()[\]/~*‐–—−-]{0,3}\d){5,14}/gu;

const mask = (found: string) => "|".repeat(found.length);

/** Returns the ranges of phone numbers, and of whatever else has as many digits. */
function findPhoneNumbers(plain: string): Range[] {
  const counted = plain.replaceAll(QUANTITIES, mask);
  const runs = findRanges(counted, RUN, ([run]) => run.replaceAll(/\D/g, "").length >= MIN_REAL_DIGITS);
  const others = findRanges(
    counted.replaceAll(RUN, mask),
    CANDIDATE,
    ([part]) => findPhoneNumbersInText(part, "AU").length > 0,
  );
  return [...runs, ...others];
}

// Finds email addresses, links and names in messengers.

const linkify = new LinkifyIt({ fuzzyLink: true, tlds });

/** The longest piece of a text without spaces that is read at once, because the time grows faster than the text. */
const MAX_PIECE = 200;
const PIECE = new RegExp(String.raw`\S{1,${MAX_PIECE}}`, "gu");

const DOMAIN_ENDS: ReadonlySet<string> = new Set(tlds);
const SURE_ENDS: ReadonlySet<string> = new Set(["com", "net", "org", "au"]);
/** Ends of domains that are also the first word of many sentences: "mow it.is that fine". */
const WORDS: ReadonlySet<string> = new Set(
  "ad ai al am an are as at ba be best bet bid big bio black blue box build by ca call cam camp can care case cat city clean click come cool date day deal diy do dog fit for free fun good green here home house how id in is it la land like love man map men menu mom moto mt my new news next no now one open or pet pink place plus pm pub red room rose run safe sale save school science search sh show site so st star store style sun support surf team tips to today tools top total tours town toys us vet watch water weather win work works world yes you zone zero".split(
    " ",
  ),
);

/** Returns whether a name with dots is a domain, not the end of one sentence and the first word of the next. */
function isDomain(name: string): boolean {
  const labels = name.split(".");
  const last = labels.at(-1)!;
  const end = last.toLowerCase();
  if (!DOMAIN_ENDS.has(end) || !/\p{L}/u.test(name.slice(0, -end.length))) return false;
  if (SURE_ENDS.has(end)) return true;
  return !/^\p{Lu}\p{Ll}/u.test(last) && !(labels.length === 2 && WORDS.has(end));
}

function findLinks(text: string): Range[] {
  return [...text.matchAll(PIECE)].flatMap(({ index: from, 0: piece }) =>
    (linkify.match(piece) ?? []).flatMap(({ schema, text: link, index, lastIndex }) => {
      const [name = ""] = link.split(/[/?#:]/, 1);
      const isLink = schema !== "" || name.length < link.length || isDomain(name);
      return isLink ? [{ start: from + index, end: from + lastIndex }] : [];
    }),
  );
}

const LABEL = String.raw`[\p{L}\p{N}][\p{L}\p{N}_-]{0,62}`;
const OPEN = String.raw`\s{0,2}[(\[{<"]\s?`;
const CLOSE = String.raw`\s?[)\]}>"]\s{0,2}`;
const DOT = String.raw`(?:${OPEN}(?:dot|\.)${CLOSE}|\s{1,2}dot\s{1,2}|\s?\.\s?)`;
const WORD_AT = String.raw`\s{1,2}at\s{1,2}`;
const SIGN_AT = String.raw`(?:${OPEN}(?:at|@)${CLOSE}|\s{0,2}@\s{0,2})`;
const START = String.raw`(?<![\p{L}\p{N}_-])`;

/** Returns a pattern for "mail dot com", with a mailbox before it if there is a pattern for its "at". */
function addressPattern(at: string | null): RegExp {
  const mailbox = at === null ? "" : String.raw`${LABEL}(?:[.+]${LABEL}|${DOT}${LABEL}){0,4}(?<at>${at})`;
  return new RegExp(String.raw`${START}${mailbox}(?<host>${LABEL}(?:${DOT}${LABEL}){1,4})`, "giu");
}
/** One pattern each, because an "at" of a sentence may come before the one of the address. */
const ADDRESSES = [SIGN_AT, WORD_AT, null].map(addressPattern);
/** "jo88 at gmail" */
const MAILBOX = new RegExp(
  String.raw`${START}${LABEL}(?:\.${LABEL}){0,4}(?:${WORD_AT}|${SIGN_AT})(?:gmail|hotmail|icloud|yahoo|bigpond|optusnet)(?![\p{L}\p{N}])`,
  "giu",
);

const BRACKET = /[([{<"]/;

function isSpelledAddress({ groups }: RegExpExecArray): boolean {
  const { at, host } = groups as { at?: string; host: string };
  if (at === "@" || (at && BRACKET.test(at))) return true;
  const name = host.replaceAll(new RegExp(DOT, "giu"), ".");
  const isSpelled = /\bdot\b/i.test(host) || BRACKET.test(host);
  return isSpelled ? DOMAIN_ENDS.has(name.split(".").at(-1)!.toLowerCase()) : !!at && isDomain(name);
}

/** Messengers, and mailboxes that people name without a domain: "gmail: jo.k77". */
const MESSENGERS =
  "whats ?app|we ?chat|weixin|wx|vx|微信|telegram|viber|instagram|insta|ig|kakao(?: ?talk)?|카카오톡|카톡|facebook|fb|tik ?tok|snap ?chat|gmail|hotmail";
/** Messengers with names that are also ordinary words. */
const AMBIGUOUS = "line|signal|messenger";
/** A name with a digit, an underscore or a full stop in it, unlike a word. */
const HANDLE = String.raw`@?(?!e\.g|i\.e)(?=\p{L}[\p{L}-]{0,29}[\d_.][\p{L}\p{N}_])[\p{L}\p{N}_.-]{3,40}`;
const SURE_HANDLE = String.raw`@?(?=\p{L}[\p{L}.-]{0,29}[\d_])[\p{L}\p{N}_.-]{3,40}`;
const CALLED = String.raw`\s{0,2}(?:id|handle|user ?name|name|account)\s{0,2}(?:is|[:=-])?\s{0,2}@?`;
const END = String.raw`(?![\p{L}\p{N}])`;
const NAME = String.raw`(?!(?:yes|please|preferred|fine|same|only)${END})[\p{L}\p{N}_.-]{3,40}`;
const NAMES = new RegExp(
  [
    String.raw`${START}(?:${MESSENGERS})${END}(?: me| is)?(?:\s{0,2}[,:=(-])?\s{0,2}${HANDLE}`,
    String.raw`${START}(?:${AMBIGUOUS})${END}(?: is)?(?:\s{0,2}[:=(-])?\s{0,2}${SURE_HANDLE}`,
    String.raw`${START}(?:${MESSENGERS})${END}\s{0,2}[:=@]\s{0,2}@?${NAME}`,
    String.raw`${START}(?:${MESSENGERS}|${AMBIGUOUS})${END}${CALLED}${NAME}`,
    String.raw`${START}my (?:${MESSENGERS}) is ${NAME}`,
    // Without a space before or behind, as in Chinese and Korean.
    String.raw`(?:微信|카카오톡|카톡)\s{0,2}(?:id|号|號|账号|帳號|아이디)?\s{0,2}(?:是|는|[:=-])?\s{0,2}@?[a-z][\w.-]{2,40}`,
    String.raw`${START}${HANDLE} (?:on|via) (?:my )?(?:${MESSENGERS})`,
  ].join("|"),
  "giu",
);

/** Returns the ranges of email addresses, links and names in messengers. */
function findOnlineContacts(plain: string): Range[] {
  return [
    ...findLinks(plain),
    ...ADDRESSES.flatMap((pattern) => findRanges(plain, pattern, isSpelledAddress)),
    ...findRanges(plain, MAILBOX),
    ...findRanges(plain, NAMES),
  ];
}

// Finds the customer's own surname, street and mailbox, and street addresses with a number.

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
function findOwnWords(plain: string, customer: Customer): Range[] {
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
function findAddresses(plain: string): Range[] {
  return [...findRanges(plain, ADDRESS, isAddress), ...findRanges(plain, POST_BOX)];
}
