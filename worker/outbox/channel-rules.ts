/**
 * Rules of the channels: default settings, retries and errors. No I/O. All emails are
 * factual (Spam Act 2003, Schedule 1, clause 2). They are about the recipient's own request or account, and name the
 * sender. docs/decisions has the reasons.
 */
import { MINUTE_MS } from "../../contract/durations.ts";
import type { MessageChannel } from "../platform/db/message-types.ts";

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
