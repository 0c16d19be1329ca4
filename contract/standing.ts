/** How reliably a provider calls the customers of bought leads. */
import * as z from "zod/mini";

import { HOUR_MS, MINUTE_MS } from "./durations.ts";
import type { Region } from "./regions.ts";

/**
 * The result of the call clock for one bought lead. Each lead has exactly one: the first that is true, in this order.
 * `never_asked`: the customer says that they never asked for a quote. `bad_lead`: an admin accepted the bad-lead report, or the
 * guarantee gave a free claim for a wrong number or for unanswered calls.
 * `rescued`: the request went to another provider. `in_time` and `late`: the provider called or texted before or after
 * the clock ran out. `withdrawn`: the customer withdrew the request before it ran out, or was erased. `open`: the clock
 * is running. `missed`: the clock ran out without a call.
 *
 * A call that a confirmed customer contradicts with "not yet" does not count. A later call does. A confirmed customer's
 * "yes" is a call, logged or not.
 */
export const CALL_RESULTS = [
  "in_time",
  "late",
  "missed",
  "rescued",
  "open",
  "withdrawn",
  "never_asked",
  "bad_lead",
] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

/** Results that count in the share of leads called in time. The provider did not cause the others, or they are open. */
export const COUNTED_RESULTS = ["in_time", "late", "missed", "rescued"] as const satisfies CallResult[];

/** Returns whether a result counts in the share. */
export function isCounted(result: CallResult): boolean {
  return (COUNTED_RESULTS as readonly CallResult[]).includes(result);
}

/** Results with a call, and so with a time to call. */
export const CALLED_RESULTS = ["in_time", "late"] as const satisfies CallResult[];

/** Days in a provider's recent standing. A provider can make up for a poor month within a quarter. */
export const STANDING_DAYS = 90;

/**
 * A provider with fewer counted leads has no low standing: with nine leads, one missed call would change the share by
 * more than a tenth.
 */
export const LOW_STANDING_MIN_LEADS = 10;

/**
 * Below this share of leads called in time, a standing is low. More than three in ten customers without a call in time
 * is not bad luck: the clock allows at least four hours, and stops at night.
 */
export const LOW_STANDING_SHARE = 0.7;

/** The operator's setting SLOW_CALLERS: what a low standing does, besides the warning. */
export const SLOW_CALLER_RULES = ["warn", "no_rescue_offers"] as const;
export type SlowCallerRule = (typeof SLOW_CALLER_RULES)[number];

/** Bought leads of a period by result. */
export type Standing = Record<CallResult, number> & {
  bought: number;
  /** Number of leads in the share. */
  counted: number;
  /** Share of the counted leads that were called in time, from 0 to 1; null when there are none. */
  share: number | null;
  /** Median time from the sale to the call, from 7 am to 8 pm, in ms; null without calls. */
  medianMs: number | null;
};

/** Response of GET /api/figures/standing. */
export type ProviderStanding = {
  /** The last 90 days. */
  recent: Standing;
  /** All time; the newest leads of a very long history. */
  total: Standing;
  isLow: boolean;
  /** The effect of a low standing. */
  rule: SlowCallerRule;
};

/** The share of a provider's recent leads that were called in time, for lists. */
export type CallShare = { counted: number; inTime: number };

export const STANDING_PERIODS = ["recent", "all"] as const;
export type StandingPeriod = (typeof STANDING_PERIODS)[number];

/** The lists behind the figures: one result, or several. */
export const CALL_LISTS = ["all", "counted", "called", ...CALL_RESULTS] as const;
export type CallList = (typeof CALL_LISTS)[number];

/** Returns the results in a list. */
export function resultsIn(list: CallList): readonly CallResult[] {
  if (list === "all") return CALL_RESULTS;
  if (list === "counted") return COUNTED_RESULTS;
  if (list === "called") return CALLED_RESULTS;
  return [list];
}

/** Filter of GET /api/figures/calls and /api/super-admin/providers/{id}/calls. */
export const callListSchema = z.object({
  show: z._default(z.enum(CALL_LISTS, "Unknown list"), "all"),
  period: z._default(z.enum(STANDING_PERIODS, "Unknown period"), "recent"),
});

/** A bought lead in the list behind a figure. */
export type CallListItem = {
  id: string;
  leadId: string;
  customerName: string;
  suburbName: string | null;
  serviceType: string[];
  /** Its tile in the pipeline, to find it there. */
  tile: string;
  purchasedAt: number;
  clockEndsAt: number;
  /** The first call or text; null without one. */
  calledAt: number | null;
  /** Time from the sale to that call, from 7 am to 8 pm, in ms. */
  waitMs: number | null;
  result: CallResult;
};

/** Minimum sales of a region for its public time to call. Fewer say little, and might identify a provider. */
export const REGION_CALL_MIN_SALES = 20;

/** A region's public time to call; null in all other cases. */
export type RegionCall = {
  region: Region;
  /** Median minutes from the sale to the call, from 7 am to 8 pm, rounded up. */
  medianMinutes: number;
};

/** Returns whether a share of leads called in time is low. */
export function isLowShare({ counted, inTime }: CallShare): boolean {
  return counted >= LOW_STANDING_MIN_LEADS && inTime / counted < LOW_STANDING_SHARE;
}

/** Returns the lower median of times; null when there are none. */
export function medianOf(times: readonly number[]): number | null {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? null;
}

/** Formats a counted time such as "35 min", "3 h" or "3 h 20 min". At least a minute: a call after 8 pm counts as 0 ms. */
export function formatCallTime(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const hours = Math.floor(minutes / (HOUR_MS / MINUTE_MS));
  if (hours === 0) return `${minutes} min`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
