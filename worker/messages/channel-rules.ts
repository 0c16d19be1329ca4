/**
 * Rules of the channels: settings, retries, daily limits, and when messages count as stuck. No I/O. All emails are
 * factual (Spam Act 2003, Schedule 1, clause 2). They are about the recipient's own request or account, and name the
 * sender. docs/decisions has the reasons.
 */
import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { SYDNEY } from "../../contract/sydney-time.ts";
import { textAllowedAt } from "../outbox/text-rules.ts";
import type { MessageChannel } from "../platform/db/message-types.ts";

export type Channel = Exclude<MessageChannel, "spread">;

export const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  email: "Emails",
  push: "Notifications",
  sms: "Texts",
};

/**
 * Default limits per 24 hours: above a busy day, but low enough to protect our reputation as a sender. The email limit
 * covers only emails that visitors trigger.
 */
export const DEFAULT_LIMIT: Readonly<Record<Channel, number>> = { email: 1_000, push: 50_000, sms: 200 };

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

/** Maximum emails per minute that visitors trigger. Emails about accounts have their own limits. */
export const MAX_EMAILS_PER_MINUTE = 60;

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

/**
 * For this long after a daily limit ends, a channel may still be catching up and its messages are not stuck. A message
 * also counts as stuck only after this long.
 */
export const CATCHING_UP_MS = 10 * MINUTE_MS;

export type LimitState = {
  mostADay: number;
  isReached: boolean;
  /** Whether the limit is reached now or was recently. */
  wasReachedRecently: boolean;
  /** When the next message may be sent, epoch ms. Null below the limit, or when the limit is 0. */
  nextAt: number | null;
};

/**
 * @param fullSince when the oldest of the newest `mostADay` messages was tried, epoch ms. The limit is used up until
 * one day after that. Null if fewer were tried
 */
export function limitStateOf(
  channel: Channel,
  mostADay: number,
  fullSince: number | null,
  now: number,
): LimitState {
  const isNone = mostADay <= 0;
  const fullUntil = fullSince === null ? -Infinity : fullSince + DAY_MS;
  const isReached = isNone || fullUntil > now;
  const night = channel === "sms" && Number.isFinite(fullUntil) ? textAllowedAt(fullUntil) : null;
  return {
    mostADay,
    isReached,
    wasReachedRecently: isNone || fullUntil > now - CATCHING_UP_MS,
    nextAt: isReached && !isNone ? (night ?? fullUntil) : null,
  };
}

export type LimitStatus = {
  channel: Channel;
  mostADay: number;
  /** At most 100: counting stops there. */
  waiting: number;
  nextAt: number | null;
};

const dayFormat = new Intl.DateTimeFormat("en-AU", { timeZone: SYDNEY, day: "numeric", month: "short" });
const clockFormat = new Intl.DateTimeFormat("en-AU", {
  timeZone: SYDNEY,
  hour: "numeric",
  minute: "2-digit",
});

/** Returns the notice to admins about a used-up limit while messages wait. */
export function formatLimit({ channel, mostADay, waiting, nextAt }: LimitStatus): string {
  const name = CHANNEL_NAMES[channel];
  const wait =
    waiting === 1 ? "1 is waiting" : waiting >= 100 ? "100 or more are waiting" : `${waiting} are waiting`;
  if (nextAt === null) return `${name}: the daily limit is ${mostADay}. ${wait} until you raise it`;
  const clock = clockFormat.format(nextAt).replaceAll("\u202F", " ");
  const most = mostADay.toLocaleString("en-AU");
  return `${name}: today's limit of ${most} has been reached. ${wait}. The next will be sent on ${dayFormat.format(nextAt)} at ${clock}`;
}

/** State of a channel that is configured and switched on. Times are epoch ms. */
export type ChannelHealth = {
  channel: Channel;
  /** When the oldest due message became due. Null if none is due or the daily limit delays it. */
  dueSince: number | null;
  /** Messages refused within the hour or now retried repeatedly; at most 100. */
  failing: number;
  /** Messages now retried repeatedly. The likely cause is a service that is down, not mistyped addresses. */
  retrying: number;
  /** Messages sent within the hour; at most 100. Counted only if some messages fail. */
  sent: number;
  /** The daily limit, if it is used up and messages are waiting; null otherwise. */
  limit: LimitStatus | null;
};

/** A healthy channel is faster: the sweep runs every minute, and messages stay in the queue for two at most. */
export const MAX_DUE_MS = 10 * MINUTE_MS;
/** Normal failures per hour: visitors mistype addresses and replace phones. */
export const MAX_FAILING = 20;

/** Minimum repeated failures for a warning when no message is sent. Most hours have few messages. */
export const MIN_RETRYING = 3;

/** Returns how long a channel's oldest message has been due, in ms. */
export const dueAgeMs = ({ dueSince }: ChannelHealth, now: number) =>
  dueSince === null ? 0 : Math.max(0, now - dueSince);

/**
 * Whether failures exceed normal user mistakes: many failures and more than were sent, or a few while none was sent.
 */
export const failsOften = ({ failing, retrying, sent }: ChannelHealth) =>
  (failing > MAX_FAILING && failing > sent) || (retrying >= MIN_RETRYING && sent === 0);

/** Returns the warning to admins about a failing channel; null if it works. */
export function describeProblem(health: ChannelHealth, now: number): string | null {
  const name = CHANNEL_NAMES[health.channel];
  const dueMs = dueAgeMs(health, now);
  if (dueMs > MAX_DUE_MS) {
    const minutes = Math.floor(dueMs / MINUTE_MS);
    return `${name} aren't being sent: the oldest was due ${minutes} minutes ago`;
  }
  return failsOften(health)
    ? `${name} are failing: ${health.failing} failed recently, ${health.sent} sent`
    : null;
}
