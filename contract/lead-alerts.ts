/** Which new leads ring on an owner's devices, and until when none does. */
import * as z from "zod/mini";

import { SERVICE_IDS, type ServiceId } from "./catalogue.ts";
import { PROPERTY_SIZES, URGENCIES } from "./leads.ts";
import { type Region, REGION_SLUGS } from "./regions.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "./sydney-time.ts";

/** A pause ends so many days from now at the latest: whoever wants none at all turns the device off. */
export const MOST_PAUSE_DAYS = 90;

/** The first and the last day on which a pause may end, counted in Sydney. @param now epoch ms */
export function pauseDays(now: number): { first: string; last: string } {
  const today = sydneyDay(now);
  return { first: addDays(today, 1), last: addDays(today, MOST_PAUSE_DAYS) };
}

function isPauseDay(day: string, now: number): boolean {
  const { first, last } = pauseDays(now);
  return startOfSydneyDay(day) !== null && day >= first && day <= last;
}

/** Some of a list, or null for all of it. */
function someOf<const Values extends readonly [string, ...string[]]>(values: Values, none: string) {
  return z.nullable(
    z
      .array(z.enum(values as unknown as [Values[number], ...Values[number][]], "Choose from the list"), none)
      .check(z.minLength(1, none), z.maxLength(values.length, "Choose each one once")),
  );
}

const PAUSE_DAY = `Please choose a day from tomorrow on, up to ${MOST_PAUSE_DAYS} days away`;

const choices = {
  regions: someOf(REGION_SLUGS, "Choose at least one region"),
  services: someOf(SERVICE_IDS, "Choose at least one service"),
  urgencies: someOf(URGENCIES, "Choose at least one"),
  leastSize: z.nullable(z.enum(PROPERTY_SIZES, "Choose a size from the list")),
};

/** What the form of the choices sends: all of them. */
export const leadChoicesSchema = z.object(choices);

/** What the form of the pause sends. */
export const leadPauseSchema = z.object({
  pausedUntil: z.string(PAUSE_DAY).check(z.refine((day) => isPauseDay(day, Date.now()), PAUSE_DAY)),
});

/**
 * Body of PUT /api/notifications/lead-alerts. What is left out stays as it is: a page that was opened before a pause
 * was set on another device does not end it by saving the rest.
 */
export const leadAlertsSchema = z.object({
  regions: z.optional(choices.regions),
  services: z.optional(choices.services),
  urgencies: z.optional(choices.urgencies),
  leastSize: z.optional(choices.leastSize),
  pausedUntil: z.optional(z.nullable(leadPauseSchema.shape.pausedUntil)),
});
export type LeadAlertsForm = z.output<typeof leadAlertsSchema>;

/** Which new leads ring. */
export type LeadAlerts = {
  /** Of the regions one watches; null for all of them, also those watched later. The same for services. */
  regions: Region[] | null;
  services: ServiceId[] | null;
  /** Null for any. */
  urgencies: (typeof URGENCIES)[number][] | null;
  /** The smallest lawn that rings; null for any. Where nobody knows the size, it rings. */
  leastSize: (typeof PROPERTY_SIZES)[number] | null;
  /** No new lead rings before this day begins in Sydney, such as "2026-12-07"; null while none is kept back. */
  pausedUntil: string | null;
};

/** What counts of a choice: what was chosen of what there is by now, or all of it where nothing was chosen. */
export function chosenOf<Value extends string>(
  chosen: readonly string[] | null,
  there: readonly Value[],
): Value[] {
  return chosen === null ? [...there] : there.filter((value) => chosen.includes(value));
}
