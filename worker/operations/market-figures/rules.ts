import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { MarketPeriod } from "../../../contract/market-figures.ts";
import { centsToText } from "../../../contract/money.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";

/** The figures of one day, or the sum of several. */
export type DayFigures = {
  leads: number;
  suspicious: number;
  listed: number;
  taken: number;
  called: number;
  booked: number;
  sold: number;
  given: number;
  revenueCents: number;
  refundCents: number;
  badLeads: number;
};

export const ZERO_FIGURES: DayFigures = {
  leads: 0,
  suspicious: 0,
  listed: 0,
  taken: 0,
  called: 0,
  booked: 0,
  sold: 0,
  given: 0,
  revenueCents: 0,
  refundCents: 0,
  badLeads: 0,
};

/** Minimum time between two counts of today. */
const RECOUNT_INTERVAL_MS = 15 * MINUTE_MS;

/**
 * Days whose figures may still change. A lead is on the market for 14 days, and its outcome counts on its day of
 * arrival.
 */
const UNSETTLED_DAYS = 16;

export function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** Returns all days from `first` to `last`, inclusive, oldest first; empty if `last` is before `first`. */
export function daysFrom(first: string, last: string): string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, i) => addDays(first, i));
}

/** Returns the Monday of the first of the last `weeks` weeks, including this week. */
export function firstDayOf(weeks: number, now: number): string {
  return addDays(mondayOf(sydneyDay(now)), -7 * (weeks - 1));
}

/** Returns the Mondays of the last `count` weeks, including this week, oldest first. */
export function lastMondays(count: number, now: number): string[] {
  const first = firstDayOf(count, now);
  return Array.from({ length: count }, (_, i) => addDays(first, 7 * i));
}

/** Returns the start and end of a Sydney day, epoch ms. */
export function boundsOf(day: string): { from: number; to: number } {
  return { from: startOfSydneyDay(day)!, to: startOfSydneyDay(addDays(day, 1))! };
}

/**
 * Returns the days to count now, newest first. Today is due every 15 minutes. A day whose leads may still be sold is
 * due once a day. A day never counted to its end is also due.
 * @param counted when each day was last counted
 * @param first the first day with data to count
 */
export function daysToCount(counted: ReadonlyMap<string, number>, first: string, now: number): string[] {
  const today = sydneyDay(now);
  const { from: midnight } = boundsOf(today);
  const settled = addDays(today, -UNSETTLED_DAYS);
  const isDue = (day: string) => {
    const at = counted.get(day);
    if (at === undefined) return true;
    if (day === today) return at <= now - RECOUNT_INTERVAL_MS;
    return at < (day > settled ? midnight : boundsOf(day).to);
  };
  const early = first < today ? first : today;
  return daysFrom(early, today).filter(isDue).toReversed();
}

export function sumFigures(counted: readonly DayFigures[]): DayFigures {
  const sum = { ...ZERO_FIGURES };
  for (const one of counted)
    for (const name of Object.keys(ZERO_FIGURES) as (keyof DayFigures)[]) sum[name] += one[name];
  return sum;
}

/** Returns the figures in the API's format. */
export function toPeriod(day: string, counted: DayFigures = ZERO_FIGURES): MarketPeriod {
  const { leads, suspicious, sold, given, revenueCents, refundCents, badLeads } = counted;
  const [revenue, refunds] = [centsToText(revenueCents), centsToText(refundCents)];
  return { day, leads, suspicious, sold, given, revenue, refunds, badLeads };
}

/** Groups days into weeks, each identified by its Monday. @param days without gaps, starting on a Monday */
export function toWeeks(days: readonly { day: string; counted: DayFigures }[]): MarketPeriod[] {
  const weeks = Map.groupBy(days, ({ day }) => mondayOf(day));
  return [...weeks].map(([monday, week]) => toPeriod(monday, sumFigures(week.map(({ counted }) => counted))));
}
