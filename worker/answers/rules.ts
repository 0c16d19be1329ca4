/** How much a customer may write back. Without I/O. */
import { DAY_MS } from "../../contract/durations.ts";

/** What one answer holds of somebody's words, in signs. */
export const MOST_SIGNS = 1_000;

/** So many answers of one purchase are kept within a day: more is no conversation. */
export const MOST_A_DAY = 20;

/** A text is answered within so long; the outbox forgets it then. */
export const ANSWERED_WITHIN_MS = 7 * DAY_MS;

/** What draws nothing, moves the cursor or turns the words around it; the joiner stays, for emoji are made with it. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const BREAKS = /\r\n?|[\u2028\u2029]/g;

const characters = new Intl.Segmenter("en-AU", { granularity: "grapheme" });

/** The beginning of a text that takes at most so many signs; what is read as one character is not cut in two. */
function beginningOf(text: string, most: number): string {
  let signs = 0;
  for (const { segment, index } of characters.segment(text)) {
    signs += [...segment].length;
    if (signs > most) return text.slice(0, index);
  }
  return text;
}

/**
 * What is kept of what somebody wrote: without signs that draw nothing, and cut.
 * @returns empty when there is nothing to read, as of a picture
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
  return beginningOf(text, MOST_SIGNS).trimEnd();
}

/** What somebody wrote back. */
export type GatewayAnswer = {
  kind: "answer";
  /** Their number in E.164. */
  from: string;
  /** Never empty; as they are kept. */
  words: string;
  /** Which of our texts it answers; null where the gateway does not say. */
  textId: string | null;
  /** The same for the same answer, however often it is told. */
  ref: string;
};
