/** Quiet hours and pauses: finds when a user gets no alerts, and plans the digest that follows. */
import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { QuietHours } from "../../contract/notifications.ts";
import { formatSydneyTime } from "../../contract/sydney-time.ts";
import { NOTIFICATIONS } from "./notifications.ts";

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

/** A planned message to a device about a new lead. */
export type Plan = { template: "new_lead" | "lead_digest"; key: string; due: number; expiresAt: number };

/** Returns a device's digest for a due time, epoch ms. Each due time has only one digest. */
export function digestPlan(deviceId: string, due: number): Plan {
  const key = `lead_digest:${deviceId}:${NOTIFICATIONS.lead_digest.key({ due })}`;
  return { template: "lead_digest", key, due, expiresAt: due + NOTIFICATIONS.lead_digest.lifetimeMs };
}

/**
 * Plans a device's alert about a new lead: at once, or in a digest after the pause, quiet hours or rate-limit window.
 * @param device `lastAlertAt`: when it last got an alert about a single lead, epoch ms; null for never. `pausedUntil`:
 * when its owner's pause ends, epoch ms; null for no pause
 */
export function planFor(
  device: {
    id: string;
    quietHours: QuietHours;
    lastAlertAt: number | null;
    pausedUntil: number | null;
  },
  lead: { leadId: string; generation: number },
  now: number,
): Plan {
  const { windowMs, lifetimeMs } = NOTIFICATIONS.new_lead;
  const last = device.lastAlertAt === null ? -Infinity : device.lastAlertAt;
  const soonest = last + windowMs > now ? last + windowMs : null;
  const due = endOfPauseOrQuiet(now, device.quietHours, device.pausedUntil) ?? soonest;
  if (due === null) {
    const key = `new_lead:${NOTIFICATIONS.new_lead.key(lead)}:${device.id}`;
    return { template: "new_lead", key, due: now, expiresAt: now + lifetimeMs };
  }
  // The first lead creates the digest. The sender adds later leads.
  return digestPlan(device.id, due);
}

/** Shuffles in place, so that no recipient has an advantage. @returns the same list */
export function shuffle<Item>(items: Item[], random: () => number = Math.random): Item[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
