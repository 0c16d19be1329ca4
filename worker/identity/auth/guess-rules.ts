/** The rule that slows down password guessing (decision 49). */
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../contract/durations.ts";

/** An account's wrong passwords in a row, from devices that it does not know. */
export type Failures = { failures: number; lastAt: number };

/** An account's failures are deleted this long after the last one. */
export const FAILURES_LIFETIME_MS = DAY_MS;

const MAX_DELAY_MS = MINUTE_MS;

/** Returns how long an account's next attempt must wait: 1, 2, 4 … seconds after the last failure, at most 60. */
export function remainingDelayMs({ failures, lastAt }: Failures, now: number): number {
  if (failures === 0) return 0;
  const delayMs = Math.min(SECOND_MS * 2 ** (failures - 1), MAX_DELAY_MS);
  return Math.max(0, lastAt + delayMs - now);
}

/**
 * Returns the message about how long to wait. An owner who typed no wrong password must understand it too.
 * @param hasLink whether to offer a password link
 */
export function formatDelay(seconds: number, hasLink: boolean): string {
  const wait = `Someone typed a wrong password for this account. Please try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return hasLink ? `${wait}, or choose “Forgot password?” for a link by email.` : `${wait}.`;
}
