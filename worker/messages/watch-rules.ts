/** When messages count as stuck, without I/O. */
import { MINUTE_MS } from "../../contract/durations.ts";
import { type Channel, CHANNELS_IN_WORDS } from "./channel-rules.ts";
import type { LimitPulse } from "./limit-rules.ts";

/** The state of a channel that is configured and switched on. Times are epoch ms. */
export type ChannelPulse = {
  channel: Channel;
  /** When the oldest due message became due. Null if none is due, or while the daily limit holds it back. */
  dueSince: number | null;
  /** Refused for good within the hour, or retried again and again just now. 100 stands for more. */
  failing: number;
  /** Retried again and again just now. A service that takes nothing is a likelier cause than mistyped addresses. */
  inVain: number;
  /** Sent within the hour. Counted only if some messages fail; 100 stands for more. */
  sent: number;
  /** The daily limit, if it is used up and messages wait for it; null otherwise. */
  limit: LimitPulse | null;
};

/** The sweep runs every minute, and the queue gets two. */
export const LONGEST_DUE_MS = 10 * MINUTE_MS;
/** Failures per hour that are normal: visitors mistype addresses and throw phones away. */
export const MOST_FAILING = 20;

/** This few repeated failures are enough if nothing is sent at all: most hours have few messages. */
export const LEAST_IN_VAIN = 3;

/** Returns how long a channel's oldest message has been due, in ms. */
export const dueFor = ({ dueSince }: ChannelPulse, now: number) =>
  dueSince === null ? 0 : Math.max(0, now - dueSince);

/** Whether more fail than user mistakes explain: many, and more than were sent, or a few while none was sent. */
export const failsOften = ({ failing, inVain, sent }: ChannelPulse) =>
  (failing > MOST_FAILING && failing > sent) || (inVain >= LEAST_IN_VAIN && sent === 0);

/** Returns the warning to admins about a channel in trouble; null if it works. */
export function troubleOf(pulse: ChannelPulse, now: number): string | null {
  const name = CHANNELS_IN_WORDS[pulse.channel];
  const dueMs = dueFor(pulse, now);
  if (dueMs > LONGEST_DUE_MS) {
    const minutes = Math.floor(dueMs / MINUTE_MS);
    return `${name} don't go out: the oldest should have gone ${minutes} minutes ago`;
  }
  return failsOften(pulse) ? `${name} are failing: ${pulse.failing} lately, with ${pulse.sent} sent` : null;
}
