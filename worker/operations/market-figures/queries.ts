import { gte, min, sql } from "drizzle-orm";

import { HOUR_MS } from "../../../contract/durations.ts";
import type { CallWeek } from "../../../contract/market-figures.ts";
import { addDays, startOfSydneyDay } from "../../../contract/sydney-time.ts";
import { countSteps } from "../../platform/db/call-steps.ts";
import type { Db } from "../../platform/db/client.ts";
import { rawBatch } from "../../platform/db/raw-batch.ts";
import { leads, marketDays } from "../../platform/db/schema.ts";

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

export async function readDays(db: Db, first: string) {
  const rows = await db.select().from(marketDays).where(gte(marketDays.day, first));
  return new Map(rows.map((row) => [row.day, row]));
}

/** Returns the listed and taken requests of each region, starting at `first`. */
export async function sumRegions(db: Db, first: string) {
  return db.all<{ region: string; listed: number; taken: number }>(sql`
    SELECT key AS region, sum(value ->> 'listed') AS listed, sum(value ->> 'taken') AS taken
    FROM ${marketDays}, json_each(regions) WHERE day >= ${first} GROUP BY key`);
}

/** Returns each region's median time from request to sale, in ms. Includes leads paid for since the given time. */
export async function medianSales(db: Db, since: number): Promise<Map<string, number>> {
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
export async function countUnsold(
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
