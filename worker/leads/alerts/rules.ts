/** Decides which new leads a user gets alerts for, and when. Finds a lead's size. */
import { isStated, type WithStated } from "../../../contract/stated-details.ts";
import { resolveChoice } from "../../../contract/lead-alerts.ts";
import { PROPERTY_SIZES } from "../../../contract/lead-choices.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { QuietHours } from "../../../contract/notifications.ts";
import { endOfPauseOrQuiet } from "../../outbox/rules.ts";

/** A user's stored choices. A user without a row made no choice. */
export type Choices = {
  regions: readonly string[] | null;
  services: readonly string[] | null;
  urgencies: readonly string[] | null;
  leastSize: string | null;
};

/** Facts of a lead that are matched with choices. `size`: null if unknown. */
export type AlertableLead = {
  region: string;
  serviceType: readonly string[];
  urgency: string;
  size: string | null;
};

/**
 * Returns the size of a lead's lawn.
 * @returns null if the customer did not state it or this release does not know it
 */
export function sizeOf(lead: { propertySize: string } & WithStated): string | null {
  const isKnown = PROPERTY_SIZES.some((size) => size === lead.propertySize);
  return isKnown && isStated(lead, "propertySize") ? lead.propertySize : null;
}

/** Returns the minimum sizes that a lawn of this size meets; all sizes if its size is unknown. */
export function sizesUpTo(size: string | null): readonly string[] {
  const rank = PROPERTY_SIZES.findIndex((one) => one === size);
  return rank < 0 ? PROPERTY_SIZES : PROPERTY_SIZES.slice(0, rank + 1);
}

/** A business's regions and services, with its alert choices. No services means all of them. */
export type AlertChooser = {
  watchedRegions: readonly string[];
  services: readonly string[];
  choices: Choices | null;
};

/** Returns the regions with alerts. Ignores chosen regions that the user no longer watches. */
export const alertRegions = ({ watchedRegions, choices }: AlertChooser) =>
  resolveChoice(choices?.regions ?? null, watchedRegions);

/** Returns whether a user wants an alert for a lead. `wantsConditions` checks the same in SQL. */
export function isWanted(lead: AlertableLead, chooser: AlertChooser): boolean {
  const { services, choices } = chooser;
  const offersServices = (one: string) =>
    (services.length === 0 || services.includes(one)) && (choices?.services ?? [one]).includes(one);
  return (
    alertRegions(chooser).includes(lead.region) &&
    lead.serviceType.some(offersServices) &&
    (choices?.urgencies ?? [lead.urgency]).includes(lead.urgency) &&
    (!choices?.leastSize || sizesUpTo(lead.size).includes(choices.leastSize))
  );
}

/** A device gets one alert about a single lead in this time. */
const WINDOW_MS = MINUTE_MS;
export const NEW_LEAD_LIFETIME_MS = 15 * MINUTE_MS;
export const DIGEST_LIFETIME_MS = 2 * HOUR_MS;

/** A planned message to a device about a new lead. */
export type Plan = { template: "new_lead" | "lead_digest"; key: string; due: number; expiresAt: number };

/** Returns a device's digest for a due time, epoch ms. Each due time has only one digest. */
export const digestPlan = (deviceId: string, due: number): Plan => ({
  template: "lead_digest",
  key: `lead_digest:${deviceId}:${due}`,
  due,
  expiresAt: due + DIGEST_LIFETIME_MS,
});

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
  const last = device.lastAlertAt === null ? -Infinity : device.lastAlertAt;
  const soonest = last + WINDOW_MS > now ? last + WINDOW_MS : null;
  const due = endOfPauseOrQuiet(now, device.quietHours, device.pausedUntil) ?? soonest;
  if (due === null) {
    const key = `new_lead:${lead.leadId}:${lead.generation}:${device.id}`;
    return { template: "new_lead", key, due: now, expiresAt: now + NEW_LEAD_LIFETIME_MS };
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
