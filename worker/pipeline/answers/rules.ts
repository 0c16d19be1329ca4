/** Limits for customers' answers. No I/O. */
import type { CallAnswer } from "../../../contract/call-clock.ts";
import { DAY_MS } from "../../../contract/durations.ts";

/** Maximum length of an answer, in code points. */
export const MAX_CHARACTERS = 1_000;

/** Maximum number of answers stored per purchase in 24 hours. A real conversation needs fewer. */
export const MAX_ANSWERS_PER_DAY = 20;

/** An answer must arrive within this time after the message. After that the outbox deletes the message. */
export const ANSWERED_WITHIN_MS = 7 * DAY_MS;

/** Control, invisible and bidirectional characters. Keeps the zero-width joiner, because emoji need it. */
const INVISIBLE = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const BREAKS = /\r\n?|[\u2028\u2029]/g;

const characters = new Intl.Segmenter("en-AU", { granularity: "grapheme" });

/** Returns at most `maxLength` code points from the start of a text, without splitting a grapheme. */
function truncate(text: string, maxLength: number): string {
  let length = 0;
  for (const { segment, index } of characters.segment(text)) {
    length += [...segment].length;
    if (length > maxLength) return text.slice(0, index);
  }
  return text;
}

/**
 * Returns the text of an answer for storage, truncated and without invisible characters.
 * @returns an empty string if the answer has no text, for example a picture
 */
export function cleanAnswer(message: string): string {
  const lines = message
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(BREAKS, "\n")
    .split("\n")
    .map((line) => line.replaceAll("\t", " ").replaceAll(INVISIBLE, "").trimEnd());
  const text = lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return truncate(text, MAX_CHARACTERS).trimEnd();
}

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words of a reply to "Has your provider called you yet?". A reply with any other word is unclear. */
const YES = wordSet("yes y yep yeah yea yup ya yess yeh");
const NO = wordSet("no n nope nah na nup");
const NOT = wordSet("not never hasnt havent didnt nobody noone nothing none waiting");
const CALLED = wordSet("called rang phoned rung texted spoke spoken talked");
const OTHER = wordSet(
  "he she they we i it you has have did just all me us him her them to with a any call calls text yet still today " +
    "yesterday already this morning afternoon anyone anything heard had from been thanks thank thx ta cheers mate sorry hi",
);

/**
 * Returns the response to "Did they call?" of a reply that says just that, such as "Yep" or "Nah, he never rang".
 * @returns null if it says something else, or both yes and no
 */
export function readCallReply(reply: string): CallAnswer | null {
  const words =
    reply
      .toLowerCase()
      .replaceAll(/['’]|(?<=\bno) (?=one\b)/g, "")
      .match(/[\p{L}\p{N}]+|\?/gu) ?? [];
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  if (!words.every((word) => [YES, NO, NOT, CALLED, OTHER].some((set) => set.has(word)))) return null;
  if (has(NOT)) return has(YES) ? null : "not_yet";
  if (has(NO)) return has(YES) || has(CALLED) ? null : "not_yet";
  return has(YES) || has(CALLED) ? "called" : null;
}

/** A customer's reply to a text message, from the gateway. */
export type GatewayAnswer = {
  kind: "answer";
  /** The customer's number in E.164. */
  from: string;
  /** The text to store, never empty. */
  words: string;
  /** The ID of the message that the customer answered; null if the gateway does not report it. */
  textId: string | null;
  /** Idempotency key, the same for repeated deliveries of an answer. */
  ref: string;
};
