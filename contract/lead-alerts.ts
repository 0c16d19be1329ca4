/** An owner's settings for alerts about new leads, including pauses. */
import * as z from "zod/mini";

import { SERVICE_IDS, type ServiceId } from "./catalogue.ts";
import { PROPERTY_SIZES, URGENCIES } from "./lead-choices.ts";
import { type Region, REGION_SLUGS } from "./regions.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "./sydney-time.ts";

/** Maximum length of a pause. An owner who wants no alerts can turn the device off instead. */
export const MAX_PAUSE_DAYS = 90;

/**
 * Returns the first and last day on which a pause may end, in Sydney.
 * @param now epoch ms
 */
export function getPauseDayRange(now: number): { first: string; last: string } {
  const today = sydneyDay(now);
  return { first: addDays(today, 1), last: addDays(today, MAX_PAUSE_DAYS) };
}

function isPauseDay(day: string, now: number): boolean {
  const { first, last } = getPauseDayRange(now);
  return startOfSydneyDay(day) !== null && day >= first && day <= last;
}

/** Schema of a selection from a list; null selects the whole list. */
function someOf<const Values extends readonly [string, ...string[]]>(values: Values, none: string) {
  return z.nullable(
    z
      .array(
        z.enum(values as unknown as [Values[number], ...Values[number][]], "Please choose from the list"),
        none,
      )
      .check(z.minLength(1, none), z.maxLength(values.length, "Please choose each one once")),
  );
}

const PAUSE_DAY = `Please choose a day from tomorrow, up to ${MAX_PAUSE_DAYS} days away`;

const choices = {
  regions: someOf(REGION_SLUGS, "Please select at least one region"),
  services: someOf(SERVICE_IDS, "Please select at least one service"),
  urgencies: someOf(URGENCIES, "Please choose how soon"),
  leastSize: z.nullable(z.enum(PROPERTY_SIZES, "Please choose a size from the list")),
};

/** Fields of the settings form. All are required. */
export const leadChoicesSchema = z.object(choices);

export const leadPauseSchema = z.object({
  pausedUntil: z.string(PAUSE_DAY).check(z.refine((day) => isPauseDay(day, Date.now()), PAUSE_DAY)),
});

/**
 * Body of PUT /api/notifications/lead-alerts. Omitted fields do not change, so a stale page cannot end a pause set on
 * another device.
 */
export const leadAlertsSchema = z.object({
  regions: z.optional(choices.regions),
  services: z.optional(choices.services),
  urgencies: z.optional(choices.urgencies),
  leastSize: z.optional(choices.leastSize),
  pausedUntil: z.optional(z.nullable(leadPauseSchema.shape.pausedUntil)),
});
export type LeadAlertsForm = z.output<typeof leadAlertsSchema>;

/** Which new leads cause an alert. */
export type LeadAlerts = {
  /** Of the watched regions; null for all of them, including regions watched later. The same applies to services. */
  regions: Region[] | null;
  services: ServiceId[] | null;
  /** Null for any. */
  urgencies: (typeof URGENCIES)[number][] | null;
  /** The smallest lawn that causes an alert; null for any. A lead of unknown size always causes one. */
  leastSize: (typeof PROPERTY_SIZES)[number] | null;
  /** No alerts about new leads before this day begins in Sydney, such as "2026-12-07"; null when not paused. */
  pausedUntil: string | null;
};

/** Returns the chosen values that still exist, or all values when no choice was made. */
export function resolveChoice<Value extends string>(
  chosen: readonly string[] | null,
  available: readonly Value[],
): Value[] {
  return chosen === null ? [...available] : available.filter((value) => chosen.includes(value));
}
