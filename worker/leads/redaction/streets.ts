/** Finds street addresses, street names, corners and post boxes. */
import { isAdjacent, type Range, rangeOf, type TextToken } from "./tokens.ts";
import {
  COMMON,
  isNumberWord,
  AMBIGUOUS_STREETS,
  STREET_TRAITS,
  STREETS,
  UNIT_WORDS,
  UNITS,
} from "./words.ts";

/** Maximum words in a street's name: "34 Old Great North Road". */
const MAX_WORDS = 4;

const isWord = (token: TextToken | undefined): token is TextToken => token?.kind === "word";

/** Returns the word before this one when only a space, hyphen or apostrophe separates them; -1 for none. */
function wordBefore(tokens: readonly TextToken[], i: number): number {
  const gap = tokens[i - 1];
  const isJoined = gap?.kind === "space" || gap?.text === "-" || gap?.text === "'";
  return isJoined && isWord(tokens[i - 2]) ? i - 2 : -1;
}

/** Returns the start of the house number that ends before token `i`: "12/34a", "thirty-four"; -1 for none. */
function houseStart(tokens: readonly TextToken[], i: number): number {
  let at = i - 1;
  while (tokens[at]?.kind === "space" || tokens[at]?.text === ",") at -= 1;
  if (at === i - 1) return -1;
  const token = tokens[at];
  if (isWord(token)) {
    if (isNumberWord(token.text)) return spokenStart(tokens, at);
    // The letter of "34a".
    if (token.text.length !== 1 || !isAdjacent(tokens, at) || tokens[at - 1]!.kind !== "number") return -1;
    at -= 1;
  }
  if (tokens[at]?.kind !== "number" || tokens[at]!.text.length > 5) return -1;
  return unitStart(tokens, at);
}

function spokenStart(tokens: readonly TextToken[], i: number): number {
  let at = i;
  for (let words = 0; words < 3; words++) {
    const before = wordBefore(tokens, at);
    const text = tokens[before]?.text ?? "";
    if (!isNumberWord(text) && text !== "hundred" && text !== "and") break;
    at = before;
  }
  return unitStart(tokens, at);
}

/** Extends the range to the left over "Unit 3," and "12/". */
function unitStart(tokens: readonly TextToken[], i: number): number {
  let at = i;
  for (let parts = 0; parts < 3; parts++) {
    let before = at - 1;
    while (
      tokens[before]?.kind === "space" ||
      [",", "/", "-", ".", "#"].includes(tokens[before]?.text ?? "")
    ) {
      if (at - before > 4) return at;
      before -= 1;
    }
    const token = tokens[before];
    const isLetter = isWord(token) && token.text.length === 1 && tokens[before - 1]?.kind === "number";
    if (before < at - 1 && (token?.kind === "number" || isLetter)) at = isLetter ? before - 1 : before;
    else if (isWord(token) && UNIT_WORDS.has(token.text)) at = before;
    else return at;
  }
  return at;
}

const isTrait = ({ text }: TextToken) => STREET_TRAITS.has(text) || UNITS.has(text);

/** Returns the street with its type at token `i` and a house number before its name. */
function numberedStreet(tokens: readonly TextToken[], i: number, isAmbiguous: boolean): Range | null {
  let at = i;
  for (let words = 0; words < MAX_WORDS; words++) {
    at = wordBefore(tokens, at);
    if (at < 0) return null;
    const token = tokens[at]!;
    // "2 weeks on the road" has no house number. "12 Main Road" has one.
    const isName =
      words === 0 && !isAmbiguous
        ? !/^(?:the|a|of|my|our|your|this|on|in|to|from|and|is|per)$/.test(token.text)
        : true;
    if (!isName || ((isAmbiguous || words > 0) && isTrait(token)) || UNITS.has(token.text)) return null;
    const start = houseStart(tokens, at);
    if (start >= 0) return rangeOf(tokens, start, i);
  }
  return null;
}

/** Returns the street named without a number: "Wattle Street", "wattle street", "Fern Lane". */
function namedStreet(
  tokens: readonly TextToken[],
  i: number,
  isAmbiguous: boolean,
  isAllCaps: boolean,
): Range | null {
  const name = wordBefore(tokens, i);
  if (name < 0) return null;
  const token = tokens[name]!;
  if (isTrait(token) || COMMON.has(token.text) || token.text.length < 2) return null;
  const isCapital = token.isCapital && tokens[i]!.isCapital && !isAllCaps;
  if (isAmbiguous && !isCapital) return null;
  let from = name;
  for (let words = 1; words < MAX_WORDS; words++) {
    const before = wordBefore(tokens, from);
    const isPart =
      before >= 0 && tokens[before]!.isCapital && !isAllCaps && !COMMON.has(tokens[before]!.text);
    if (!isPart) break;
    from = before;
  }
  return rangeOf(tokens, from, i);
}

const HOUSE_WORDS = new Set(["house", "home", "block", "lot", "property", "place"]);

/** Returns the last token of ", no 12" when it begins at a token; the token before it for none. */
function houseNumberEnd(tokens: readonly TextToken[], i: number): number {
  let isNumbered = false;
  for (let at = i; at < i + 6; at++) {
    const { kind, text } = tokens[at] ?? { kind: "space", text: "" };
    if (kind === "number") return at > i && text.length <= 5 ? at : i - 1;
    if (kind === "word") {
      if (!UNIT_WORDS.has(text)) break;
      isNumbered = true;
    } else if (kind === "mark" && !(isNumbered ? ".#" : ",#").includes(text)) break;
  }
  return i - 1;
}

/**
 * Returns a corner of streets named without a type: "corner of Wattle and Fern", "corner house, Wattle and Fern, no
 * 12".
 */
function corner(tokens: readonly TextToken[], i: number): Range | null {
  let at = i + 2;
  const isHouse = HOUSE_WORDS.has(tokens[at]?.text ?? "");
  if (isHouse) {
    at += 1;
    for (let marks = 0; marks < 3 && ["space", "mark"].includes(tokens[at]?.kind ?? ""); marks++) at += 1;
  }
  if (tokens[at]?.text === "of" || (isHouse && tokens[at]?.text === "at")) at += 2;
  const first = at;
  let names = 0;
  let joins = 0;
  let to = at;
  for (let words = 0; words < 6 && isWord(tokens[at]); words++) {
    const token = tokens[at]!;
    const isJoin = token.text === "and";
    if (!isJoin && !token.isCapital) break;
    if (isJoin || "/&".includes(tokens[at - 1]!.text)) joins += 1;
    if (!isJoin) {
      names += 1;
      to = at;
    }
    at += 2;
    if (tokens[at]?.text === "&" || tokens[at]?.text === "/") {
      joins += 1;
      at += 2;
    }
  }
  const isCorner = names >= 2 && (!isHouse || joins > 0) && !COMMON.has(tokens[first]!.text);
  return isCorner ? rangeOf(tokens, first, houseNumberEnd(tokens, to + 1)) : null;
}

const BOX_WORDS = new Set(["po", "gpo", "office", "o", "locked", "private", "rmb", "rsd"]);

/** Returns a post box: "PO Box 123", "locked bag 45". */
function postBox(tokens: readonly TextToken[], i: number): Range | null {
  let before = i - 1;
  while (tokens[before]?.kind === "space" || tokens[before]?.text === ".") before -= 1;
  if (i - before > 4 || !BOX_WORDS.has(tokens[before]?.text ?? "")) return null;
  const isSplit = tokens[before]!.text === "o" && tokens[before - 2]?.text === "p";
  let after = i + 1;
  for (let n = 0; n < 4 && ["space", "mark"].includes(tokens[after]?.kind ?? ""); n++) after += 1;
  const token = tokens[after];
  const isNumber = token?.kind === "number" || (isWord(token) && isNumberWord(token.text));
  return isNumber ? rangeOf(tokens, isSplit ? before - 2 : before, after) : null;
}

/**
 * Returns the ranges of street addresses.
 * @param isAllCaps whether the whole text is in capitals, so that capitals mean nothing
 */
export function streetAddresses(tokens: readonly TextToken[], isAllCaps: boolean): Range[] {
  const ranges: (Range | null)[] = [];
  for (const [i, token] of tokens.entries()) {
    if (!isWord(token)) continue;
    const { text } = token;
    const isAmbiguous = AMBIGUOUS_STREETS.has(text);
    if (isAmbiguous || STREETS.has(text))
      ranges.push(numberedStreet(tokens, i, isAmbiguous) ?? namedStreet(tokens, i, isAmbiguous, isAllCaps));
    else if (text === "corner" || text === "cnr") ranges.push(corner(tokens, i));
    else if (text === "box" || text === "bag") ranges.push(postBox(tokens, i));
  }
  return ranges.filter((range) => range !== null);
}
