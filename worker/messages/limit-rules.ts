/** A channel's daily limit. An operator set it, so a used-up limit is reported but is no fault. Without I/O. */
import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { SYDNEY } from "../../contract/sydney-time.ts";
import { type Channel, CHANNELS_IN_WORDS } from "./channel-rules.ts";
import { textWaitsUntil } from "./text-rules.ts";

/**
 * A channel that had no room this recently may still be catching up: its waiting messages are not stuck. Equals the
 * time a message may be due before it counts as stuck.
 */
export const CATCHING_UP_MS = 10 * MINUTE_MS;

export type LimitState = {
  mostADay: number;
  isReached: boolean;
  /** Whether it is reached, or was a moment ago. */
  wasLately: boolean;
  /** When the next message may go, epoch ms; null while there is room, and if none may go at all. */
  nextAt: number | null;
};

/**
 * @param lastOfMost when the oldest of the newest `mostADay` messages was tried, epoch ms. The day is full until one
 *   day after that. Null if fewer were tried
 */
export function limitStateOf(
  channel: Channel,
  mostADay: number,
  lastOfMost: number | null,
  now: number,
): LimitState {
  const isNone = mostADay <= 0;
  const fullUntil = lastOfMost === null ? -Infinity : lastOfMost + DAY_MS;
  const isReached = isNone || fullUntil > now;
  const night = channel === "sms" && Number.isFinite(fullUntil) ? textWaitsUntil(fullUntil) : null;
  return {
    mostADay,
    isReached,
    wasLately: isNone || fullUntil > now - CATCHING_UP_MS,
    nextAt: isReached && !isNone ? (night ?? fullUntil) : null,
  };
}

export type LimitPulse = {
  channel: Channel;
  mostADay: number;
  /** 100 stands for more. */
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
export function limitInWords({ channel, mostADay, waiting, nextAt }: LimitPulse): string {
  const name = CHANNELS_IN_WORDS[channel];
  const wait =
    waiting === 1 ? "1 is waiting" : waiting >= 100 ? "100 or more are waiting" : `${waiting} are waiting`;
  if (nextAt === null) return `${name}: the daily limit is ${mostADay}. ${wait} until you raise it`;
  const clock = clockFormat.format(nextAt).replaceAll("\u202F", " ");
  const most = mostADay.toLocaleString("en-AU");
  return `${name}: today's limit of ${most} has been reached. ${wait}; the next goes out on ${dayFormat.format(nextAt)} at ${clock}`;
}
