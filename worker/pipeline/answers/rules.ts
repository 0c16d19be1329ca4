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

/** Replies that answer "Has your provider called you yet?". */
const CALL_REPLIES = new Map<string, CallAnswer>([
  ["yes", "called"],
  ["no", "not_yet"],
  ["not yet", "not_yet"],
]);

/** Returns the response to "Did they call?" of a reply that says just that; else null. */
export function readCallReply(words: string): CallAnswer | null {
  return CALL_REPLIES.get(words.toLowerCase().replace(/[.!]+$/u, "")) ?? null;
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
