import { gte, min, sql } from "drizzle-orm";

import { HOUR_MS } from "../../../contract/durations.ts";
import {
  type CallWeek,
  MARKET_WEEKS,
  type MarketFigures,
  type ProviderFigures,
  REGION_FIGURE_DAYS,
  type RegionFigures,
  type UnsoldAge,
} from "../../../contract/market-figures.ts";
import { REGION_SLUGS } from "../../../contract/regions.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import { countProviders } from "../../identity/providers/queries.ts";
import { countSteps } from "../../platform/db/call-result.ts";
import { type Db, rawBatch } from "../../platform/db/client.ts";
import { marketDays } from "../../leads/tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { daysFrom, firstDayOf, toPeriod, toWeeks, ZERO_FIGURES } from "./rules.ts";

/** Returns when the first lead arrived; null if there are no leads. */
export async function firstLeadAt(db: Db): Promise<number | null> {
  const [row] = await db.select({ at: min(leads.createdAt) }).from(leads);
  return row?.at ?? null;
}

/** Returns when each day was last counted, starting at `first`. */
export async function countedSince(db: Db, first: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ day: marketDays.day, at: marketDays.countedAt })
    .from(marketDays)
    .where(gte(marketDays.day, first));
  return new Map(rows.map(({ day, at }) => [day, at]));
}

async function readDays(db: Db, first: string) {
  const rows = await db.select().from(marketDays).where(gte(marketDays.day, first));
  return new Map(rows.map((row) => [row.day, row]));
}

/** Returns the listed and taken requests of each region, starting at `first`. */
async function sumRegions(db: Db, first: string) {
  return db.all<{ region: string; listed: number; taken: number }>(sql`
    SELECT key AS region, sum(value ->> 'listed') AS listed, sum(value ->> 'taken') AS taken
    FROM ${marketDays}, json_each(regions) WHERE day >= ${first} GROUP BY key`);
}

/** Returns each region's median time from request to sale, in ms. Includes leads paid for since the given time. */
async function medianSales(db: Db, since: number): Promise<Map<string, number>> {
  const rows = await db.all<{ region: string; ms: number }>(sql`
    SELECT region, avg(ms) AS ms FROM (
      SELECT leads.region, purchased_at - leads.created_at AS ms,
        row_number() OVER (PARTITION BY leads.region ORDER BY purchased_at - leads.created_at) AS place,
        count(*) OVER (PARTITION BY leads.region) AS sales
      FROM lead_purchases CROSS JOIN leads ON leads.id = lead_purchases.lead_id
      WHERE purchased_at >= ${since} AND mode <> 'manual' AND mode IN ('stripe', 'direct')
    ) WHERE place IN ((sales + 1) / 2, (sales + 2) / 2) GROUP BY region`);
  return new Map(rows.map(({ region, ms }) => [region, ms]));
}

/**
 * Counts leads on the market by region and age.
 * @param hours upper limits of the ages, ascending; older leads have the age `hours.length`
 */
async function countUnsold(
  db: Db,
  hours: readonly number[],
  now: number,
): Promise<{ region: string; age: number; leads: number }[]> {
  const cases = hours.map((end, i) => sql`WHEN created_at > ${now - end * HOUR_MS} THEN ${i}`);
  return db.all(sql`
    SELECT region, CASE ${sql.join(cases, sql` `)} ELSE ${hours.length} END AS age, count(*) AS leads
    FROM leads WHERE status = 'available' AND listing_state = 'listed' GROUP BY 1, 2`);
}

/** Counts providers, excluding admins: all, new since the given time, and active since then. */
export async function countActiveProviders(db: Db, since: number) {
  const [counts] = await db.all<Record<"providers" | "freshProviders" | "activeProviders", number>>(sql`
    SELECT count(*) AS "providers", coalesce(sum(created_at >= ${since}), 0) AS "freshProviders", coalesce(sum(
      EXISTS (SELECT 1 FROM sessions WHERE user_id = provider.id AND impersonator_id IS NULL AND last_seen_at >= ${since})
      OR EXISTS (SELECT 1 FROM sign_ins WHERE user_id = provider.id AND at >= ${since} AND succeeded)
      OR EXISTS (SELECT 1 FROM users AS member CROSS JOIN sessions ON sessions.user_id = member.id
        WHERE member.team_owner_id = provider.id AND impersonator_id IS NULL AND last_seen_at >= ${since})
      OR EXISTS (SELECT 1 FROM lead_purchases
        WHERE buyer_id = provider.id AND purchased_at >= ${since} AND mode <> 'manual' AND removed_at IS NULL)
    ), 0) AS "activeProviders"
    FROM users AS provider WHERE user_type = 'provider' AND is_active AND NOT is_super_admin`);
  return counts!;
}

/**
 * Counts the requests of each week and region by the step that they have reached.
 * @param weeks Mondays
 */
export async function countCallWeeks(db: Db, weeks: readonly string[], now: number): Promise<CallWeek[]> {
  const counted = await rawBatch(
    db,
    weeks.map((week) => countSteps(startOfSydneyDay(week)!, startOfSydneyDay(addDays(week, 7))!, now)),
  );
  return counted.flatMap((rows, i) =>
    rows.map((row) => ({ week: weeks[i]!, ...(row as Omit<CallWeek, "week">) })),
  );
}

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
