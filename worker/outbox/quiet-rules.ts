/** Quiet hours and pauses: finds when a user gets no alerts. */
import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { QuietHours } from "../../contract/notifications.ts";
import { formatSydneyTime } from "../../contract/sydney-time.ts";

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
