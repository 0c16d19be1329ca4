/** Rules for the characters, length and time of a text message. No I/O. */
import { endOfQuiet } from "./quiet-rules.ts";

/** The GSM 03.38 characters. A text fits 160 of them, but only 70 if it contains any other character. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** GSM characters that count twice. */
const DOUBLE = new Set("^{}\\[~]|€");

/** Characters that people type, with their GSM equivalents. */
const GSM_EQUIVALENTS: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "‑": "-",
  "−": "-",
  "…": "...",
  "•": "-",
};

const isKnown = (character: string) => BASIC.has(character) || DOUBLE.has(character);

function toGsm(character: string): string {
  if (isKnown(character)) return character;
  const equal = GSM_EQUIVALENTS[character];
  if (equal !== undefined) return equal;
  // "ō" decomposes into "o" and an accent. Parts without a GSM character are dropped.
  return [...character.normalize("NFKD")].filter(isKnown).join("");
}

/** Converts a text to GSM characters, which every phone supports. Drops characters without an equivalent. */
export const toGsmText = (text: string) =>
  [...text.normalize("NFC")].map(toGsm).join("").replaceAll(/\s+/g, " ").trim();

/** Returns the length of a text in GSM characters; infinite if it contains any other character. */
export function gsmLength(text: string): number {
  let count = 0;
  for (const character of text) {
    if (!isKnown(character)) return Infinity;
    count += DOUBLE.has(character) ? 2 : 1;
  }
  return count;
}

/** Cuts a name to at most this many GSM characters. A longer name ends in three dots. */
export function truncate(name: string, maxLength: number): string {
  if (gsmLength(name) <= maxLength) return name;
  let cut = "";
  for (const character of name) {
    if (gsmLength(`${cut}${character}...`) > maxLength) break;
    cut += character;
  }
  return `${cut.trimEnd()}...`;
}

/** Maximum length of a text, in GSM characters, so that it is sent as one. */
export const MAX_TEXT_LENGTH = 160;

/** Texts are not sent at night, because they are just as useful in the morning. */
const NIGHT = { isOn: true, startsAt: "20:00", endsAt: "08:00" } as const;

/** Returns when a text may be sent, epoch ms; null if it may be sent now. */
export const textAllowedAt = (now: number) => endOfQuiet(now, NIGHT);

const STOP_WORDS = /^(?:stop|unsubscribe|optout|cancel|end|quit|remove)$/;
const MAX_STOP_WORDS = 3;

/**
 * Returns whether a reply opts out of texts: at most three words with a stop word. A longer reply, such as "End of the
 * week suits me", is a message to the provider.
 */
export function isOptOut(reply: string): boolean {
  const words =
    reply
      .toLowerCase()
      .replaceAll(/opt[ -]out/g, "optout")
      .match(/[\p{L}\p{M}\p{N}'’]+/gu) ?? [];
  return words.length <= MAX_STOP_WORDS && words.some((word) => STOP_WORDS.test(word));
}
