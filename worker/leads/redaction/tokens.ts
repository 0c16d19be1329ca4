/**
 * Normalises text for the rules: lower case without accents, and digits of every script as 0 to 9. Replaces look-alike
 * characters with the letters they resemble, and drops invisible ones. Every token stores its offsets in the original.
 * Rules match the shadow, and `redact` cuts the ranges from the original.
 */
import { DIGIT_WORDS } from "./words.ts";

/** `mark` is one character that is neither letter, digit nor space. */
export type TokenKind = "word" | "number" | "mark" | "space";

export type TextToken = {
  kind: TokenKind;
  text: string;
  /** Offsets in the original; the end is exclusive. */
  start: number;
  end: number;
  isCapital: boolean;
};

/** A part of the original; the end is exclusive. */
export type Range = { start: number; end: number };

/** `invisible`: invisible characters that could carry a message. */
export type TokenizedText = { tokens: TextToken[]; invisible: Range[]; isAllCaps: boolean };

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    ["авеѕікмнорсԁтухјԛԝһѵѡ", "abesikmhopcdtyxjqwhvw"],
    ["αβεηικνορτυχγωμ", "abenikvoptuxywm"],
    ["ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"],
    ["ıøđłħŧɑɡɩ", "iodlhtagi"],
    ["〇零一二三四五六七八九", "00123456789"],
    ["‘’ʼ`´‛′ʻ", "''''''''"],
    ["‐‑‒–—―−﹣－⁃", "----------"],
    ["ⓐⒶ⓪⓿🄋🄌", "@@0000"],
  ].flatMap(([from, to]) => [...from!].map((character, i) => [character, to![i]!] as const)),
);

/**
 * Blocks of consecutive characters that Unicode does not normalise: the first character, and the letters or digits they
 * stand for.
 */
const STYLED_ALPHABETS: readonly (readonly [first: number, text: string])[] = [
  [0x2776, "123456789"],
  [0x2780, "123456789"],
  [0x278a, "123456789"],
  [0x24f5, "123456789"],
  [0x1f150, "abcdefghijklmnopqrstuvwxyz"],
  [0x1f170, "abcdefghijklmnopqrstuvwxyz"],
  [0x1f1e6, "abcdefghijklmnopqrstuvwxyz"],
];

/** Blank characters with a width. They separate words like a space. */
const BLANKS = /[\s\u115F\u1160\u3164\uFFA0\u2800]/u;
/** Variation selectors of emoji, and the joiner of their parts. */
const EMOJI_GLUE: ReadonlySet<string> = new Set(["\u200D", "\uFE0E", "\uFE0F"]);
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u;
const LETTER = /\p{L}/u;
const CAPITAL = /\p{Lu}/u;
const DIGIT = /\p{Nd}/u;

/** Returns the value of a digit in any script. Each script's ten digits are consecutive. */
function digitOf(character: string): string {
  const code = character.codePointAt(0)!;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

function alphabetLetter(character: string): string | null {
  const code = character.codePointAt(0)!;
  for (const [first, text] of STYLED_ALPHABETS) {
    if (code >= first && code < first + text.length) return text[code - first]!;
  }
  return character === "🔟" ? "10" : null;
}

/** Returns the plain characters that a non-ASCII character resembles: none, one or several. */
function plainCharacters(character: string): string {
  const known = LOOK_ALIKES.get(character) ?? alphabetLetter(character);
  if (known !== null && known !== undefined) return known;
  let plain = "";
  for (const part of character.normalize("NFKD").toLowerCase()) {
    if (/\p{M}/u.test(part)) continue;
    plain += LOOK_ALIKES.get(part) ?? (DIGIT.test(part) ? digitOf(part) : part);
  }
  return plain;
}

function kindOf(character: string): TokenKind {
  if (character >= "a" && character <= "z") return "word";
  if (character >= "0" && character <= "9") return "number";
  if (character === " ") return "space";
  if (BLANKS.test(character)) return "space";
  return LETTER.test(character) ? "word" : "mark";
}

const LEET: Readonly<Record<string, string>> = { 0: "o", 1: "i", 3: "e", 4: "a", 5: "s", 7: "t", 9: "g" };

/** Decodes leetspeak: "s3ven" is "seven", "fi5e" is "five", "d0t" is "dot"; null for other words. */
function leetDigit(run: string): string | null {
  if (run.length < 3 || run.length > 6) return null;
  const letters = run.replaceAll(/[0-9]/g, (digit) => LEET[digit] ?? digit);
  for (const word of [
    letters,
    letters.replaceAll("s", "v"),
    letters.replaceAll("t", "v"),
    letters.replace("a", "o"),
  ]) {
    if (DIGIT_WORDS.has(word) || word === "dot") return word;
  }
  return null;
}

/** Joins adjacent letters and digits that name a digit into one word. */
function joinLeet(tokens: TextToken[]): TextToken[] {
  const joined: TextToken[] = [];
  for (let i = 0; i < tokens.length;) {
    let to = i;
    let text = "";
    while (to < tokens.length && to - i < 6 && isAlnum(tokens[to]) && (to === i || isAdjacent(tokens, to))) {
      text += tokens[to]!.text;
      to += 1;
    }
    const isWhole = to === i || !isAlnum(tokens[to]) || !isAdjacent(tokens, to);
    const word = to - i > 1 && isWhole ? leetDigit(text) : null;
    if (word !== null) {
      joined.push({ ...tokens[i]!, kind: "word", text: word, end: tokens[to - 1]!.end });
      i = to;
    } else {
      // Copy a run that is not a word as a whole. A check from its middle would find nothing.
      do joined.push(tokens[i]!);
      while (++i < to);
    }
  }
  return joined;
}

const isAlnum = (token: TextToken | undefined) => token?.kind === "word" || token?.kind === "number";

/** Returns whether a token directly follows the previous one, without a space. Ignores invisible characters. */
export function isAdjacent(tokens: readonly TextToken[], i: number): boolean {
  const kind = tokens[i - 1]?.kind;
  return kind !== undefined && kind !== "space" && tokens[i]?.kind !== "space";
}

function isApostrophe(tokens: readonly TextToken[], character: string, next: string | undefined): boolean {
  return character === "'" && tokens.at(-1)?.kind === "word" && next !== undefined && LETTER.test(next);
}

function extendLastToken(tokens: readonly TextToken[], end: number): void {
  const last = tokens.at(-1);
  if (last) last.end = end;
}

type Character = { plain: string; isLetter: boolean; isCapital: boolean; isInvisible: boolean };

function readCharacter(character: string): Character {
  const isInvisible = INVISIBLE.test(character) && !BLANKS.test(character);
  const plain = isInvisible
    ? ""
    : character >= "\u0080"
      ? plainCharacters(character)
      : character.toLowerCase();
  return {
    plain,
    isLetter: LETTER.test(character),
    isCapital: CAPITAL.test(character),
    isInvisible,
  };
}

/** Cache of characters, because a text repeats few of them. */
const known = new Map<string, Character>();
const MAX_CACHED_CHARACTERS = 4_000;

function characterOf(character: string): Character {
  let read = known.get(character);
  if (!read) {
    read = readCharacter(character);
    if (known.size > MAX_CACHED_CHARACTERS) known.clear();
    known.set(character, read);
  }
  return read;
}

/** Appends a plain character to the last token, or begins a new one. */
function append(tokens: TextToken[], part: string, start: number, end: number, isCapital: boolean): void {
  const kind = kindOf(part);
  const last = tokens.at(-1);
  if (last?.kind === kind && kind !== "mark") {
    last.text += part;
    last.end = end;
  } else tokens.push({ kind, text: part, start, end, isCapital });
}

/** Reads a text character by character, in linear time. */
export function tokenizeText(text: string): TokenizedText {
  const characters = [...text];
  const tokens: TextToken[] = [];
  const invisible: Range[] = [];
  const letters = { all: 0, capital: 0 };
  let at = 0;
  for (const [i, character] of characters.entries()) {
    const start = at;
    const end = (at += character.length);
    const { plain, isLetter, isCapital, isInvisible } = characterOf(character);
    if (isLetter) letters.all += 1;
    if (isCapital) letters.capital += 1;
    if (isInvisible && !EMOJI_GLUE.has(character)) invisible.push({ start, end });
    // Add an accent to its base character and an apostrophe to its word.
    else if (plain === "" || isApostrophe(tokens, plain, characters[i + 1])) extendLastToken(tokens, end);
    else for (const part of plain) append(tokens, part, start, end, isCapital);
  }
  const isAllCaps = letters.all > 12 && letters.capital * 3 > letters.all * 2;
  return { tokens: joinLeet(tokens), invisible, isAllCaps };
}

/** Returns the range of the original that the tokens cover, both inclusive. */
export function rangeOf(tokens: readonly TextToken[], from: number, to: number): Range {
  return { start: tokens[from]!.start, end: tokens[to]!.end };
}
