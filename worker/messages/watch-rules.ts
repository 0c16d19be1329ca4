/** When messages count as stuck, without I/O. */
import { MINUTE_MS } from "../../contract/durations.ts";
import { type Channel, CHANNELS_IN_WORDS } from "./channel-rules.ts";
import type { LimitPulse } from "./limit-rules.ts";

/** How a channel that is set up and switched on goes. Times are epoch ms. */
export type ChannelPulse = {
  channel: Channel;
  /** Since when the oldest message that is due has been; null when none is, or for as long as its limit keeps it. */
  dueSince: number | null;
  /** Refused for good within the hour, or tried in vain again and again just now; 100 stands for more. */
  failing: number;
  /** How many of those are tried in vain just now: a service that takes nothing, more likely than mistyped addresses. */
  inVain: number;
  /** Handed over within the hour; only asked for where some fail, and 100 stands for more. */
  sent: number;
  /** Its most a day, when that is used up and messages wait for it; null otherwise. */
  limit: LimitPulse | null;
};

/** The sweep comes every minute, and the queue gets two. */
export const LONGEST_DUE_MS = 10 * MINUTE_MS;
/** So many may fail in an hour: visitors mistype addresses, and phones are thrown away. */
export const MOST_FAILING = 20;

/** So few that are tried in vain will do where nothing at all is sent: most hours have few messages. */
export const LEAST_IN_VAIN = 3;

/** How long a channel's oldest message has been due, in ms. */
export const dueFor = ({ dueSince }: ChannelPulse, now: number) =>
  dueSince === null ? 0 : Math.max(0, now - dueSince);

/** Whether more fail than mistakes of others explain: many, and more than were sent; or some, and nothing was. */
export const failsOften = ({ failing, inVain, sent }: ChannelPulse) =>
  (failing > MOST_FAILING && failing > sent) || (inVain >= LEAST_IN_VAIN && sent === 0);

/** What an admin is told of a channel that does not go; null for one that does. */
export function troubleOf(pulse: ChannelPulse, now: number): string | null {
  const name = CHANNELS_IN_WORDS[pulse.channel];
  const dueMs = dueFor(pulse, now);
  if (dueMs > LONGEST_DUE_MS) {
    const minutes = Math.floor(dueMs / MINUTE_MS);
    return `${name} don't go out: the oldest should have gone ${minutes} minutes ago`;
  }
  return failsOften(pulse) ? `${name} are failing: ${pulse.failing} lately, with ${pulse.sent} sent` : null;
}
