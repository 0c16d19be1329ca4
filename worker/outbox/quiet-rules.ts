/** When somebody is not to be disturbed, and what is planned for them instead. */
import { MINUTE_MS } from "../../contract/durations.ts";
import type { QuietHours } from "../../contract/notifications.ts";
import { sydneyMoment } from "../../contract/sydney-time.ts";
import { RULES } from "./registry.ts";

const clockOf = (at: number) => sydneyMoment(at).slice(-5);

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

function isQuiet(clock: string, { startsAt, endsAt }: QuietHours): boolean {
  if (startsAt < endsAt) return clock >= startsAt && clock < endsAt;
  return clock >= startsAt || clock < endsAt;
}

/**
 * When a person's quiet ends, in Sydney as its clocks show it.
 * @param now epoch ms
 * @returns epoch ms, to the minute; null when it is not quiet now
 */
export function endOfQuiet(now: number, hours: QuietHours): number | null {
  if (!hours.isOn || !isQuiet(clockOf(now), hours)) return null;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const away = (minutesOf(hours.endsAt) - minutesOf(clockOf(now)) + 24 * 60) % (24 * 60);
  const end = minute + away * MINUTE_MS;
  // In the nights when clocks change an hour is missing or comes twice: the clock itself has the last word.
  const offBy = minutesOf(clockOf(end)) - minutesOf(hours.endsAt);
  const nearest = ((offBy + 36 * 60) % (24 * 60)) - 12 * 60;
  return end - nearest * MINUTE_MS;
}

/**
 * When a person may hear of new leads again: after their pause, and after the quiet hours in which it ends.
 * @param now epoch ms
 * @param pausedUntil epoch ms; null for no pause
 * @returns epoch ms; null when they may hear now
 */
export function endOfRest(now: number, hours: QuietHours, pausedUntil: number | null): number | null {
  if (pausedUntil === null || pausedUntil <= now) return endOfQuiet(now, hours);
  return endOfQuiet(pausedUntil, hours) ?? pausedUntil;
}

/** What is to be said to one device of a new lead, and when. */
export type Plan = { template: "new_lead" | "lead_digest"; key: string; due: number; expiresAt: number };

/** The digest of a device that is due at a moment, epoch ms: there is one. */
export function digestPlan(deviceId: string, due: number): Plan {
  const key = `lead_digest:${deviceId}:${due}`;
  return { template: "lead_digest", key, due, expiresAt: due + RULES.lead_digest.lifetimeMs };
}

/**
 * Plans how a device is told of a new lead: at once, or with others after its pause, its quiet hours or its last minute.
 * @param lastToldAt when it was last told of a lead by itself, epoch ms; null for never
 * @param pausedUntil until when its person wants to hear of none, epoch ms; null for no pause
 */
export function planFor(
  device: {
    id: string;
    quietHours: QuietHours;
    lastToldAt: number | null;
    pausedUntil: number | null;
  },
  lead: { leadId: string; generation: number },
  now: number,
): Plan {
  const { windowMs, lifetimeMs } = RULES.new_lead;
  const told = device.lastToldAt === null ? -Infinity : device.lastToldAt;
  const soonest = told + windowMs > now ? told + windowMs : null;
  const due = endOfRest(now, device.quietHours, device.pausedUntil) ?? soonest;
  if (due === null) {
    const key = `new_lead:${lead.leadId}:${lead.generation}:${device.id}`;
    return { template: "new_lead", key, due: now, expiresAt: now + lifetimeMs };
  }
  // The first lead of a gap makes the digest; what comes until then is found when it is sent.
  return digestPlan(device.id, due);
}

/** Shuffles in place, so that nobody hears first by their position. @returns the same list */
export function shuffle<Item>(items: Item[], random: () => number = Math.random): Item[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
