/** Limits for customers' answers. No I/O. */
import { DAY_MS } from "../../../contract/durations.ts";

/** Maximum length of an answer, in code points. */
export const MAX_CHARACTERS = 1_000;

/** Maximum number of answers stored per purchase and day. A real conversation needs fewer. */
export const MAX_ANSWERS_PER_DAY = 20;

/** An answer must arrive within this time of the text. After that the outbox deletes the text. */
export const ANSWERED_WITHIN_MS = 7 * DAY_MS;

/** Control, invisible and bidirectional characters. The zero-width joiner stays, because emoji need it. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const BREAKS = /\r\n?|[\u2028\u2029]/g;

const characters = new Intl.Segmenter("en-AU", { granularity: "grapheme" });

/** Returns the start of a text, at most `most` code points. It does not split a grapheme. */
function beginningOf(text: string, most: number): string {
  let signs = 0;
  for (const { segment, index } of characters.segment(text)) {
    signs += [...segment].length;
    if (signs > most) return text.slice(0, index);
  }
  return text;
}

/**
 * Returns the text of an answer to store: without invisible characters, and truncated.
 * @returns an empty text when there is nothing to read, for example for a picture
 */
export function answerWords(message: string): string {
  const lines = message
    .toWellFormed()
    .normalize("NFC")
    .replaceAll(BREAKS, "\n")
    .split("\n")
    .map((line) => line.replaceAll("\t", " ").replaceAll(UNSEEN, "").trimEnd());
  const text = lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return beginningOf(text, MAX_CHARACTERS).trimEnd();
}

/** A customer's reply to a text message, from the gateway. */
export type GatewayAnswer = {
  kind: "answer";
  /** The customer's number in E.164. */
  from: string;
  /** The text to store, never empty. */
  words: string;
  /** The text that it answers; null when the gateway does not say. */
  textId: string | null;
  /** Idempotency key: the same for every delivery of the same answer. */
  ref: string;
};
