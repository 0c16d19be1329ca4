/**
 * Rules of the channels: default settings, retries and errors. No I/O. All emails are
 * factual (Spam Act 2003, Schedule 1, clause 2). They are about the recipient's own request or account, and name the
 * sender. docs/decisions has the reasons.
 */

import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { QuietHours } from "../../contract/notifications.ts";
import { formatSydneyTime } from "../../contract/sydney-time.ts";
import type { MessageChannel } from "../platform/db/messages.ts";

export type Channel = Exclude<MessageChannel, "spread">;

/** Channels with a daily limit, and its default: above a busy day, but low enough to protect our reputation and budget. */
export const DEFAULT_LIMIT = { email: 1_000, sms: 200 } as const;
export type LimitedChannel = keyof typeof DEFAULT_LIMIT;

/** Default state of each channel. Texts cost money and make phones ring, so an admin has to turn them on. */
export const DEFAULT_IS_ON: Readonly<Record<Channel, boolean>> = { email: true, push: true, sms: false };

/**
 * Masks a recipient. An admin on the phone can recognise it, but cannot write to it.
 * @returns null for a device: its id means nothing to an admin
 */
export function maskRecipient(recipient: string | null): string | null {
  const [, end3] = /^\+\d+(\d{3})$/.exec(recipient ?? "") ?? [];
  if (end3) return `…${end3}`;
  const [, first, domain, end] = /^(.)[^@]*@(.).*(\.[^.]+)$/su.exec(recipient ?? "") ?? [];
  return first && domain ? `${first}…@${domain}…${end}` : null;
}

/** Cloudflare's codes for an email that it will never accept. Other errors are temporary, or we can fix them. */
const PERMANENT_ERRORS =
  /^E_(RECIPIENT_SUPPRESSED|RECIPIENT_NOT_ALLOWED|VALIDATION_ERROR|FIELD_MISSING|CONTENT_TOO_LARGE|HEADER_\w+|TOO_MANY_RECIPIENTS)$/;
/** Cloudflare's codes when it accepts no emails for the moment. */
const BUSY_ERRORS = /^E_(RATE_LIMIT_EXCEEDED|DAILY_LIMIT_EXCEEDED)$/;

/** Classifies an error of the email service. `busy` applies to every message, not only to this one. */
export function classifyError(error: unknown): { kind: "refused" | "busy" | "later"; code: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const kind = PERMANENT_ERRORS.test(code) ? "refused" : BUSY_ERRORS.test(code) ? "busy" : "later";
  return { kind, code: /^E_\w{1,60}$/.test(code) ? code : "" };
}

/** Backoff after each attempt with an unknown result: just over an hour in total. */
const TEXT_BACKOFFS_MS = [MINUTE_MS, 8 * MINUTE_MS, 64 * MINUTE_MS];

/** Returns the backoff after this many attempts, in ms; null if the text is not retried. */
export const textBackoffMs = (attempts: number): number | null => TEXT_BACKOFFS_MS[attempts - 1] ?? null;

// Quiet hours and pauses: finds when a user gets no alerts.

const clockOf = (at: number) => formatSydneyTime(at).slice(-5);

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

function isQuiet(clock: string, { startsAt, endsAt }: QuietHours): boolean {
  if (startsAt < endsAt) return clock >= startsAt && clock < endsAt;
  return clock >= startsAt || clock < endsAt;
}

/**
 * Returns when a user's quiet hours end, by the clock in Sydney.
 * @param now epoch ms
 * @returns epoch ms, to the minute; null when it is not quiet now
 */
export function endOfQuiet(now: number, hours: QuietHours): number | null {
  if (!hours.isOn || !isQuiet(clockOf(now), hours)) return null;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const minutesLeft = (minutesOf(hours.endsAt) - minutesOf(clockOf(now)) + 24 * 60) % (24 * 60);
  const end = minute + minutesLeft * MINUTE_MS;
  // When daylight saving starts or ends, an hour is missing or repeated. Correct the result with the local clock.
  const offBy = minutesOf(clockOf(end)) - minutesOf(hours.endsAt);
  const nearest = ((offBy + 36 * 60) % (24 * 60)) - 12 * 60;
  const corrected = end - nearest * MINUTE_MS;
  // The end is in the missing hour, so it is the next full hour: 3:00 by the clock.
  return isQuiet(clockOf(corrected), hours) ? (Math.floor(corrected / HOUR_MS) + 1) * HOUR_MS : corrected;
}

/**
 * Returns when a user may get alerts about new leads again: after their pause, and any quiet hours in which it ends.
 * @param now epoch ms
 * @param pausedUntil epoch ms; null for no pause
 * @returns epoch ms; null when the user may get alerts now
 */
export function endOfPauseOrQuiet(now: number, hours: QuietHours, pausedUntil: number | null): number | null {
  if (pausedUntil === null || pausedUntil <= now) return endOfQuiet(now, hours);
  return endOfQuiet(pausedUntil, hours) ?? pausedUntil;
}

// Rules for the characters, length and time of a text message. No I/O.

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
