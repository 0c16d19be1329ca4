import {
  MARKET_WEEKS,
  type MarketFigures,
  type ProviderFigures,
  REGION_FIGURE_DAYS,
  type RegionFigures,
  type UnsoldAge,
} from "../../../contract/market-figures.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import type { Db } from "../../platform/db/client.ts";
import type { marketDays } from "../../platform/db/schema.ts";
import { countProviders } from "../../identity/providers/queries.ts";
import { countUnsold, medianSales, readDays, sumRegions } from "./queries.ts";
import { daysFrom, firstDayOf, ZERO_FIGURES, toPeriod, toWeeks } from "./rules.ts";

type DayRow = typeof marketDays.$inferSelect;

/** Upper limits of the age groups of unsold leads, in hours. A lead expires after 14 days. */
const AGES = [24, 3 * 24, 7 * 24, 14 * 24];

async function regionsAndAges(
  db: Db,
  now: number,
): Promise<{ regions: RegionFigures[]; unsold: UnsoldAge[] }> {
  const first = addDays(sydneyDay(now), 1 - REGION_FIGURE_DAYS);
  const [sums, medians, open] = await Promise.all([
    sumRegions(db, first),
    medianSales(db, startOfSydneyDay(first)!),
    countUnsold(db, AGES, now),
  ]);
  const sumOf = (rows: typeof open) => rows.reduce((sum, { leads }) => sum + leads, 0);
  const regions = REGION_SLUGS.map((region) => {
    const { listed, taken } = sums.find((sum) => sum.region === region) ?? ZERO_FIGURES;
    return {
      region,
      listed,
      taken,
      sellThrough: listed === 0 ? null : taken / listed,
      medianSaleMs: medians.get(region) ?? null,
      open: sumOf(open.filter((row) => row.region === region)),
    };
  });
  const unsold = [...AGES, null].map((upToHours, age) => ({
    upToHours,
    leads: sumOf(open.filter((row) => row.age === age)),
  }));
  return { regions, unsold };
}

/** Returns the latest provider counts; null before the first count. */
function providersOf(rows: readonly DayRow[]): ProviderFigures | null {
  const last = rows
    .filter(({ providers }) => providers !== null)
    .toSorted((a, b) => a.day.localeCompare(b.day))
    .at(-1);
  if (!last) return null;
  const [total, fresh, active] = [last.providers!, last.freshProviders!, last.activeProviders!];
  return { total, fresh, active, silent: total - active };
}

/**
 * Returns the market's figures as last counted.
 * @param weeks how many weeks to return, including this week
 */
export async function marketFigures(db: Db, now: number, weeks = MARKET_WEEKS): Promise<MarketFigures> {
  const first = firstDayOf(weeks, now);
  const [rows, current, stopped] = await Promise.all([
    readDays(db, first),
    regionsAndAges(db, now),
    countProviders(db, { q: "", only: "stopped", now }),
  ]);
  const today = sydneyDay(now);
  const days = daysFrom(first, today).map((day) => ({ day, counted: rows.get(day) ?? ZERO_FIGURES }));
  return {
    countedAt: rows.get(today)?.countedAt || null,
    days: days.map(({ day, counted }) => toPeriod(day, counted)),
    weeks: toWeeks(days),
    funnel: days.map(({ day, counted: { leads, taken, called, booked } }) => {
      const { pages, forms } = rows.get(day) ?? { pages: 0, forms: 0 };
      return { day, pages, forms, sent: leads, sold: taken, called, booked };
    }),
    ...current,
    stopped,
    providers: providersOf([...rows.values()]),
  };
}
