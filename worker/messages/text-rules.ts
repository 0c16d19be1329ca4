/** What a text message may hold, and when it may ring. Without I/O. */
import { MINUTE_MS } from "../../contract/durations.ts";
import { endOfQuiet } from "../outbox/quiet-rules.ts";

/** How long a text waits after each try of which nobody knows what became: an hour and a bit in all. */
const AGAIN_AFTER_MS = [MINUTE_MS, 8 * MINUTE_MS, 64 * MINUTE_MS];

/** How long a text waits after so many tries, in ms; null when it is not tried again. */
export const textTriedAgainAfter = (attempts: number): number | null => AGAIN_AFTER_MS[attempts - 1] ?? null;

/** The signs of GSM 03.38, of which 160 fit into one text. One other sign, and only 70 fit. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take the place of two. */
const DOUBLE = new Set("^{}\\[~]|€");
const MOST_SIGNS = 160;

/** What people type that has an equal there. */
const EQUALS: Readonly<Record<string, string>> = {
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

const isKnown = (sign: string) => BASIC.has(sign) || DOUBLE.has(sign);

function inGsm(sign: string): string {
  if (isKnown(sign)) return sign;
  const equal = EQUALS[sign];
  if (equal !== undefined) return equal;
  // "ō" is an o with something above it; what has no such letter is left out.
  return [...sign.normalize("NFKD")].filter(isKnown).join("");
}

/** A text in the signs that every phone and every text has; what cannot be said in them is left out. */
export const plainSigns = (text: string) =>
  [...text.normalize("NFC")].map(inGsm).join("").replaceAll(/\s+/g, " ").trim();

/** How much of a text message a text takes, in signs; infinite for one that would not go as one of 160. */
export function signsOf(text: string): number {
  let count = 0;
  for (const sign of text) {
    if (!isKnown(sign)) return Infinity;
    count += DOUBLE.has(sign) ? 2 : 1;
  }
  return count;
}

/** Whether a text goes as a single message. */
export const fitsOneText = (text: string) => signsOf(text) <= MOST_SIGNS;

/** The beginning of a name that takes at most so many signs, with three dots where there was more. */
export function cutTo(name: string, most: number): string {
  if (signsOf(name) <= most) return name;
  let cut = "";
  for (const sign of name) {
    if (signsOf(`${cut}${sign}...`) > most) break;
    cut += sign;
  }
  return `${cut.trimEnd()}...`;
}

/** Nobody's phone rings for us at night; later the same words are as good. */
const NIGHT = { isOn: true, startsAt: "20:00", endsAt: "08:00" } as const;

/** When a text that may not go now may go, epoch ms; null when it may. */
export const textWaitsUntil = (now: number) => endOfQuiet(now, NIGHT);

const STOP = /^\W*(stop|unsubscribe|opt[ -]?out|cancel|end|quit|remove)\b/i;

/** Whether somebody who replied wants no more texts. */
export const wantsNoMore = (reply: string) => STOP.test(reply);
