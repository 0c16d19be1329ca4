/** Finds phone numbers, including spaced, spelled-out, scattered and disguised ones. */
import { type Quantities, quantitiesOf } from "./quantities.ts";
import { isAdjacent, type Range, rangeOf, type TextToken } from "./tokens.ts";
import {
  DIGIT_WORDS,
  FOREIGN_DIGITS,
  HOMOPHONES,
  isNumberWord,
  NUMBER_FILLERS,
  REPEATS,
  TEENS,
  TENS,
  UNITS,
} from "./words.ts";

/** Adjacent digits, in figures or in words. Tokens `from` to `to`, inclusive. */
type Group = {
  digits: string;
  from: number;
  to: number;
  kind: "figures" | "words";
  quantity: "sure" | "likely" | null;
};

/** The text between two consecutive groups. `homophone`: a word that sounds like a digit. */
type Gap = "tight" | "filled" | "homophone" | "apart";

/** Maximum symbols between two parts of a number. */
const MAX_MARKS = 8;
/** Maximum tokens of filler words between two parts of a number. */
const MAX_FILLERS = 24;
/** Australian numbers have ten digits. A country code and a prefix add a few more. */
const MAX_DIGITS = 16;
/** Redact any part of the customer's own number with at least this many digits. */
const OWN_DIGITS = 6;

/** A complete number that can be dialled, from its first digit to its last. */
const WHOLE = /^(?:0[2-578]\d{8}|(?:0011|00)?610?[2-578]\d{8}|1[38]00\d{6})$/;
/** Also matches a mobile number without its first zero. Used only where the digits are close together. */
const WHOLE_OR_BARE = /^(?:0[2-578]\d{8}|(?:0011|00)?610?[2-578]\d{8}|1[38]00\d{6}|4\d{8})$/;

/** Reads digits named without a space: "zerofournine". @returns the digits; null for any other word */
function readJoinedDigits(word: string): string | null {
  let digits = "";
  for (let at = 0; at < word.length;) {
    // Digit names have at most five letters.
    const name = [5, 4, 3, 2]
      .map((length) => word.slice(at, at + length))
      .find((part) => DIGIT_WORDS.has(part));
    if (name === undefined) return null;
    digits += DIGIT_WORDS.get(name);
    at += name.length;
  }
  return digits.length > 1 ? digits : null;
}

const next = (tokens: readonly TextToken[], i: number) =>
  tokens[i + 1]?.kind === "space" || tokens[i + 1]?.text === "-" ? i + 2 : i + 1;

/** Returns the last token of an amount: "one hundred and twenty"; -1 for none. Spoken amounts are not phone numbers. */
function amountEnd(tokens: readonly TextToken[], from: number): number {
  let at = from;
  let end = -1;
  for (let words = 0; words < 8; words++) {
    const token = tokens[at];
    if (token?.kind !== "word") break;
    const { text } = token;
    if (text === "hundred" || text === "thousand") end = at;
    else if (end >= 0 && isNumberWord(text)) end = at;
    else if (!isNumberWord(text) && text !== "and" && text !== "a") break;
    at = next(tokens, at);
  }
  return end;
}

/** Appends two zeros when "hundred" follows: "fifty-seven hundred" is 5700 in a phone number. */
function withHundreds(
  tokens: readonly TextToken[],
  digits: string,
  to: number,
): { digits: string; to: number } {
  const after = next(tokens, to);
  return tokens[after]?.text === "hundred" ? { digits: `${digits}00`, to: after } : { digits, to };
}

/** Reads a number in words that begins at a token: its digits and its last token; null for none. */
function spokenAt(tokens: readonly TextToken[], i: number): { digits: string; to: number } | null {
  const { text } = tokens[i]!;
  const after = next(tokens, i);
  if (DIGIT_WORDS.has(text)) return { digits: DIGIT_WORDS.get(text)!, to: i };
  if (TEENS.has(text)) return withHundreds(tokens, TEENS.get(text)!, i);
  if (TENS.has(text)) {
    const digit = DIGIT_WORDS.get(tokens[after]?.text ?? "");
    return digit && digit !== "0"
      ? withHundreds(tokens, `${TENS.get(text)}${digit}`, after)
      : withHundreds(tokens, `${TENS.get(text)}0`, i);
  }
  const foreign = FOREIGN_DIGITS.get(text);
  if (foreign !== undefined) return { digits: foreign, to: i };
  const together = text.length >= 6 ? readJoinedDigits(text) : null;
  return together === null ? null : { digits: together, to: i };
}

const LOOKALIKES: Readonly<Record<string, string>> = { o: "0", i: "1", l: "1", s: "5", b: "8", z: "2" };
/** Letters that stand for digits. The wider set also occurs in "40s" and "lot 3b". */
const NARROW_LETTERS = /^[oil]+$/;
const WIDE_LETTERS = /^[oilsbz]+$/;

/** Reads letters next to digits as digits: "o491 57O oO6", "l3OO". */
function lettersAt(tokens: readonly TextToken[], i: number, letters: RegExp): string | null {
  const { text } = tokens[i]!;
  if (text.length > 8 || !letters.test(text)) return null;
  const isBeside =
    (isAdjacent(tokens, i) && tokens[i - 1]!.kind === "number") ||
    (tokens[i + 1]?.kind === "number" && isAdjacent(tokens, i + 1)) ||
    (/^o+$/.test(text) && (tokens[i - 2]?.kind === "number" || tokens[i + 2]?.kind === "number"));
  return isBeside ? text.replaceAll(/[a-z]/g, (letter) => LOOKALIKES[letter]!) : null;
}

function isUnitNext(tokens: readonly TextToken[], i: number): boolean {
  const token = tokens[next(tokens, i)];
  return token?.kind === "word" && UNITS.has(token.text);
}

function groupsOf(tokens: readonly TextToken[], quantities: Quantities, letters = NARROW_LETTERS): Group[] {
  const groups: Group[] = [];
  let repeat = 1;
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind === "word" && REPEATS.has(text)) {
      repeat = REPEATS.get(text)!;
      continue;
    }
    if (kind === "space" || kind === "mark") continue;
    const spoken = kind === "word" ? spokenAt(tokens, i) : null;
    const figures = kind === "number" ? text : spoken ? null : lettersAt(tokens, i, letters);
    const digits = spoken?.digits ?? figures;
    if (digits) {
      const to = spoken?.to ?? i;
      const amount = spoken && tokens[to]!.text !== "hundred" ? amountEnd(tokens, i) : -1;
      const isCounted = spoken !== null && (amount >= 0 || isUnitNext(tokens, to));
      groups.push({
        digits: digits[0]!.repeat(repeat) + digits.slice(1),
        from: repeat > 1 ? Math.max(0, i - 2) : i,
        to: Math.max(to, amount),
        kind: spoken ? "words" : "figures",
        quantity: isCounted ? "sure" : (quantities.get(i) ?? null),
      });
      i = Math.max(to, amount);
    }
    repeat = 1;
  }
  return groups;
}

function gapBetween(tokens: readonly TextToken[], left: Group, right: Group): Gap {
  const count = right.from - left.to - 1;
  if (count > MAX_FILLERS) return "apart";
  let gap: Gap = "tight";
  let marks = 0;
  for (let i = left.to + 1; i < right.from; i++) {
    const { kind, text } = tokens[i]!;
    if (kind === "number") return "apart";
    if (kind !== "word") {
      marks += kind === "mark" ? 1 : 0;
      // A price is a separate number.
      if (text === "$" || text === "%") return "apart";
    } else if (HOMOPHONES.has(text)) gap = "homophone";
    else if (!NUMBER_FILLERS.has(text)) return "apart";
    else if (gap === "tight") gap = "filled";
  }
  return gap === "tight" && marks > MAX_MARKS ? "filled" : gap;
}

const join = (groups: readonly Group[]) => groups.map(({ digits }) => digits).join("");

/** Returns whether the groups are a list of ascending numbers: "12, 14 or 16", "80-100, 120-150". */
function isList(tokens: readonly TextToken[], groups: readonly Group[]): boolean {
  return groups.every(({ digits, kind, to }, i) => {
    if (kind === "words" || digits.length > 4 || (digits.startsWith("0") && digits !== "0")) return false;
    const following = groups[i + 1];
    if (!following) return true;
    const between = tokens.slice(to + 1, following.from).map(({ text }) => text);
    const isListed = between.some((text) => [",", "-", "/", "and", "&", "x", "*", "×"].includes(text));
    return isListed && Number(digits) <= Number(following.digits);
  });
}

/** Returns whether a run of connected groups is a phone number. */
function isPhone(tokens: readonly TextToken[], groups: readonly Group[], gaps: readonly Gap[]): boolean {
  const open = groups.filter(({ quantity }) => quantity === null);
  const digits = join(open);
  const isTight = gaps.every((gap) => gap === "tight");
  const words = open.filter(({ kind }) => kind === "words");
  const singles = words.filter((group) => group.digits.length === 1).length;
  if (isTight && WHOLE_OR_BARE.test(join(groups))) return true;
  if (gaps.includes("homophone") && singles < 5) return false;
  if (words.length >= 3 && join(words).length >= 5) return true;
  const hasZero = open.some((group) => group.digits.startsWith("0"));
  const fewest = isTight ? (hasZero ? 6 : 7) : hasZero ? 6 : 8;
  return digits.length >= fewest && !isList(tokens, open);
}

/** Finds phone numbers in runs of connected groups. */
function phonesInRuns(
  tokens: readonly TextToken[],
  groups: readonly Group[],
  addRange: (from: number, to: number) => void,
) {
  for (let from = 0; from < groups.length;) {
    let to = from;
    const gaps: Gap[] = [];
    while (to + 1 < groups.length) {
      const gap = gapBetween(tokens, groups[to]!, groups[to + 1]!);
      if (gap === "apart") break;
      gaps.push(gap);
      to += 1;
    }
    if (isPhone(tokens, groups.slice(from, to + 1), gaps)) addRange(from, to);
    from = to + 1;
  }
}

/** Finds groups that together form a complete number, at any distance. */
function phonesApart(
  groups: readonly Group[],
  isStart: (group: Group) => boolean,
  addRange: (from: number, to: number) => void,
) {
  for (let from = 0; from < groups.length; from++) {
    if (!isStart(groups[from]!)) continue;
    let digits = "";
    for (let to = from; to < groups.length && digits.length < MAX_DIGITS; to++) {
      digits += groups[to]!.digits;
      if (WHOLE.test(digits)) addRange(from, to);
    }
  }
}

/** Finds groups that contain part of one of the given numbers. */
function ownNumbers(
  groups: readonly Group[],
  own: readonly string[],
  addRange: (from: number, to: number) => void,
) {
  const stream = join(groups);
  const holder: number[] = groups.flatMap(({ digits }, i) => Array.from(digits, () => i));
  // Deduplicate the parts, so that no position matches twice.
  const parts = new Set(
    own.flatMap((number) =>
      Array.from({ length: Math.max(0, number.length - OWN_DIGITS + 1) }, (_, i) =>
        number.slice(i, i + OWN_DIGITS),
      ),
    ),
  );
  for (let at = 0; at + OWN_DIGITS <= stream.length; at++) {
    if (parts.has(stream.slice(at, at + OWN_DIGITS))) addRange(holder[at]!, holder[at + OWN_DIGITS - 1]!);
  }
}

/**
 * Returns the ranges of phone numbers.
 * @param own digits of numbers that must not show even in part
 */
export function phoneNumbers(tokens: readonly TextToken[], own: readonly string[]): Range[] {
  const quantities = quantitiesOf(tokens);
  const all = groupsOf(tokens, quantities);
  if (all.length === 0) return [];
  const ranges: Range[] = [];
  /** Stores a run of groups as one range, with a leading plus sign or bracket. */
  function addRun(groups: readonly Group[], from: number, to: number): void {
    const first = groups[from]!.from;
    const isOpened = "+(".includes(tokens[first - 1]?.text ?? "-");
    ranges.push(rangeOf(tokens, isOpened ? first - 1 : first, groups[to]!.to));
  }
  const kept = new Set<Group>();
  function addRunsOf(groups: readonly Group[]) {
    return (from: number, to: number) => {
      for (let i = from; i <= to; i++) kept.add(groups[i]!);
    };
  }
  const counted = all.filter(({ quantity }) => quantity !== "sure");
  phonesInRuns(tokens, counted, (from, to) => addRun(counted, from, to));

  const open = all.filter(({ quantity }) => quantity === null);
  const figures = open.filter(({ kind }) => kind === "figures");
  const startsWithZero = ({ digits }: Group) => /^(?:0|61|1[38]00)/.test(digits);
  // "O491 S7O OO6": these letters count only where they complete a number.
  const isWide = tokens.some(
    ({ kind, text }, i) => kind === "word" && /[sbz]/.test(text) && lettersAt(tokens, i, WIDE_LETTERS),
  );
  const wide = isWide
    ? groupsOf(tokens, quantities, WIDE_LETTERS).filter(({ quantity }) => quantity === null)
    : [];
  for (const groups of [open, figures, wide]) phonesApart(groups, startsWithZero, addRunsOf(groups));
  // "0491 m, 570 dogs": a measure never begins with a zero and three more digits.
  phonesApart(
    all,
    ({ digits, quantity }) => quantity === null && /^0[2-578]\d\d/.test(digits),
    addRunsOf(all),
  );
  for (const groups of [all, counted]) ownNumbers(groups, own, addRunsOf(groups));
  for (const group of kept) ranges.push(rangeOf(tokens, group.from, group.to));
  return ranges;
}
