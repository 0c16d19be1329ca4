/** Finds measures, prices, times and dates in text, so their numbers are not read as phone numbers. */
import { isAdjacent, type TextToken } from "./tokens.ts";
import { JOINERS, MONTHS, UNITS } from "./words.ts";

/**
 * `sure`: the text states a unit for the number. `likely`: the number looks like a time or date, but may be a disguised
 * phone number. The type of a number without an entry is unknown.
 */
export type Quantities = ReadonlyMap<number, "sure" | "likely">;

/** Maximum numbers to the left of a unit in a chain of measures: "1 x 2 x 3 m". */
const MAX_JOINED = 4;

const isNumber = (token: TextToken | undefined): token is TextToken => token?.kind === "number";
const isMark = (token: TextToken | undefined, marks: string): boolean =>
  token?.kind === "mark" && marks.includes(token.text);

/** Returns whether a number looks counted: short, without a leading zero. */
function isCount({ text }: TextToken): boolean {
  return text.length <= 5 && (text === "0" || !text.startsWith("0"));
}

const valueAt = (tokens: readonly TextToken[], i: number) => Number(tokens[i]!.text);

/** Skips one space token. */
const skipSpace = (tokens: readonly TextToken[], i: number, step: 1 | -1) =>
  tokens[i]?.kind === "space" ? i + step : i;

function isYear(text: string): boolean {
  return /^(?:19[5-9]\d|20[0-3]\d)$/.test(text);
}

/** Returns the previous number if both are part of one chain of measures; -1 for none. */
function joinedBefore(tokens: readonly TextToken[], i: number): number {
  let at = skipSpace(tokens, i - 1, -1);
  const joiner = tokens[at];
  if (isMark(joiner, "$")) return joinedBefore(tokens, at);
  const isJoiner = joiner?.kind === "word" ? JOINERS.has(joiner.text) : isMark(joiner, "×-.,/~&*+");
  if (!isJoiner) return -1;
  // A full stop followed by a space ends a sentence.
  if (isMark(joiner, ".") && at !== i - 1) return -1;
  at = skipSpace(tokens, at - 1, -1);
  if (isMark(tokens[at], ",")) at = skipSpace(tokens, at - 1, -1);
  // "10 m x 5 m": a unit between them.
  const unit = tokens[at];
  if (unit?.kind === "word" && UNITS.has(unit.text)) at = skipSpace(tokens, at - 1, -1);
  return isNumber(tokens[at]) ? at : -1;
}

/** Marks a quantity, and any numbers joined to its left, as in "2-3 metres". */
function markCounted(tokens: readonly TextToken[], found: Map<number, "sure" | "likely">, i: number): void {
  for (let at = i, steps = 0; at >= 0 && steps < MAX_JOINED; steps++) {
    const token = tokens[at]!;
    const isDecimal = isMark(tokens[at - 1], ".,") && isAdjacent(tokens, at) && isNumber(tokens[at - 2]);
    if (!isCount(token) && !isDecimal) return;
    found.set(at, "sure");
    at = joinedBefore(tokens, at);
  }
}

function isUnit(tokens: readonly TextToken[], i: number): boolean {
  const at = skipSpace(tokens, i + 1, 1);
  const next = tokens[at];
  if (isMark(next, "%$°")) return true;
  const word = isMark(next, "-") && tokens[at + 1]?.kind === "word" ? tokens[at + 1]! : next;
  if (word?.kind !== "word") return false;
  if (UNITS.has(word.text) || MONTHS.has(word.text)) return true;
  return (
    (word.text === "a" || word.text === "p") && tokens[at + 1]?.text === "." && tokens[at + 2]?.text === "m"
  );
}

function isPriced(tokens: readonly TextToken[], i: number): boolean {
  return isMark(tokens[skipSpace(tokens, i - 1, -1)], "$€£") || MONTHS.has(wordBefore(tokens, i));
}

function wordBefore(tokens: readonly TextToken[], i: number): string {
  const token = tokens[skipSpace(tokens, i - 1, -1)];
  return token?.kind === "word" ? token.text : "";
}

/** Returns whether a number is part of a unit: the "2" of m². */
function isPower(tokens: readonly TextToken[], i: number): boolean {
  const before = tokens[i - 1];
  return (
    isAdjacent(tokens, i) &&
    before?.kind === "word" &&
    /^(?:[ckm]?m|sq)$/.test(before.text) &&
    /^[23]$/.test(tokens[i]!.text)
  );
}

const isDay = (text: string) => Number(text) >= 1 && Number(text) <= 31 && text.length <= 2;
const isMonth = (text: string) => Number(text) >= 1 && Number(text) <= 12 && text.length <= 2;

/** Reads a numeric date that begins here: its length in tokens and its certainty; null for none. */
function dateAt(tokens: readonly TextToken[], i: number): { length: number; mark: "sure" | "likely" } | null {
  const sign = tokens[i + 1]?.text ?? "";
  const [a, b, c] = [tokens[i]!, tokens[i + 2], tokens[i + 4]];
  if (!["/", "-", "."].includes(sign) || !isNumber(b) || a.text.length > 4) return null;
  const isFull = tokens[i + 3]?.text === sign && isNumber(c);
  // Another group of digits rules out a date.
  const after = i + (isFull ? 5 : 3);
  if (isMark(tokens[after], "/-") && isNumber(tokens[after + 1])) return null;
  if (isMark(tokens[i - 1], "/-.") && isNumber(tokens[i - 2])) return null;
  if (!isFull) return sign === "/" && isDay(a.text) && isMonth(b.text) ? { length: 3, mark: "likely" } : null;
  if (isYear(a.text) && isMonth(b.text) && isDay(c.text)) return { length: 5, mark: "sure" };
  if (!isDay(a.text) || !isMonth(b.text)) return null;
  if (isYear(c.text)) return { length: 5, mark: "sure" };
  return /^[23]\d$/.test(c.text) ? { length: 5, mark: "likely" } : null;
}

/** Returns how many tokens a time takes: "7:30", "7.30", "9-5"; 0 for none. */
function timeAt(tokens: readonly TextToken[], i: number): number {
  const [a, b] = [tokens[i]!, tokens[i + 2]];
  if (a.text.length > 2 || Number(a.text) > 24 || !isNumber(b)) return 0;
  const isAlone = !(isMark(tokens[i + 3], ":-/.") && isNumber(tokens[i + 4])) || isMark(tokens[i + 1], ":.");
  if (isMark(tokens[i + 1], ":.") && b.text.length === 2 && Number(b.text) < 60) return 3;
  const isRange = isMark(tokens[i + 1], "-") && a.text !== "0" && !a.text.startsWith("0");
  const isFollowing = isMark(tokens[i - 1], "-/.:") && isNumber(tokens[i - 2]);
  return isRange &&
    isAlone &&
    !isFollowing &&
    b.text.length <= 2 &&
    Number(b.text) <= 24 &&
    !b.text.startsWith("0")
    ? 3
    : 0;
}

/** Returns how many tokens a thousands number takes: "10,000"; 0 for none. */
function thousandsAt(tokens: readonly TextToken[], i: number): number {
  const next = tokens[i + 2];
  if (tokens[i + 1]?.text !== "," || !isNumber(next) || next.text.length !== 3) return 0;
  const isMore = isMark(tokens[i + 3], ",.-") && isNumber(tokens[i + 4]) && tokens[i + 4]!.text.length > 2;
  return !isMore && tokens[i]!.text.length <= 3 && !tokens[i]!.text.startsWith("0") ? 3 : 0;
}

function markSpan(
  found: Map<number, "sure" | "likely">,
  from: number,
  length: number,
  mark: "sure" | "likely",
) {
  for (let i = from; i < from + length; i += 2) if (found.get(i) !== "sure") found.set(i, mark);
}

/** Classifies every number in a text by its nearest neighbours, in one pass. */
export function quantitiesOf(tokens: readonly TextToken[]): Quantities {
  const found = new Map<number, "sure" | "likely">();
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== "number") continue;
    if (isPower(tokens, i)) found.set(i, "sure");
    else if (isUnit(tokens, i)) markCounted(tokens, found, i);
    else if (isPriced(tokens, i) && isCount(token)) found.set(i, "sure");
    const date = dateAt(tokens, i);
    if (date) markSpan(found, i, date.length, date.mark);
    const time = date ? 0 : timeAt(tokens, i) || thousandsAt(tokens, i);
    if (time > 0) markSpan(found, i, time, "likely");
    if (!found.has(i) && isYear(token.text)) found.set(i, "likely");
    // "$1,200" and "$80-120": the next number belongs to the price.
    const before = joinedPrice(tokens, i);
    if (before >= 0 && found.get(before) === "sure" && isCount(token) && !found.has(i)) found.set(i, "sure");
  }
  return found;
}

/** Returns the priced number that this one continues; -1 for none. */
function joinedPrice(tokens: readonly TextToken[], i: number): number {
  const at = joinedBefore(tokens, i);
  return at >= 0 && isPriced(tokens, at) && valueAt(tokens, at) >= 0 ? at : -1;
}
