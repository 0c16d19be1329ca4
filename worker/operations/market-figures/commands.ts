/** Counts the market's events per Sydney day, so that reading the figures is cheap. */
import { getTableColumns, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import { MARKET_WEEKS, INACTIVE_AFTER_DAYS } from "../../../contract/market-figures.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import { isBookedRequest, isCalledRequest } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Context } from "../../platform/context.ts";
import { marketDays } from "../../leads/tables.ts";
import { countedSince, countActiveProviders, firstLeadAt } from "./queries.ts";
import { boundsOf, type DayFigures, daysToCount, firstDayOf, ZERO_FIGURES } from "./rules.ts";

/** Maximum days counted per run of the cron. */
const MAX_DAYS_PER_RUN = 5;

/** The counted columns, in the order of the table. */
const COUNTED_COLUMNS = Object.keys(ZERO_FIGURES) as (keyof DayFigures)[];
const SUMS = sql.join(
  COUNTED_COLUMNS.map((name) => sql.raw(`coalesce(sum(${getTableColumns(marketDays)[name].name}), 0)`)),
  sql`, `,
);

/** Returns one row per event of a day, in the order of COUNTED. docs/figures.md shows each query separately. */
function selectEvents(from: number, to: number) {
  const isListed = sql`(status = 'sold' OR listing_state = 'listed' OR (listing_state = 'closed' AND exchange_version > 0))`;
  const within = (column: string) => {
    const name = sql.raw(column);
    return sql`${name} >= ${from} AND ${name} < ${to}`;
  };
  return sql`
    SELECT region, 1 AS leads, quarantine_reasons <> '[]' AS suspicious, ${isListed} AS listed,
      status = 'sold' AS taken, ${isCalledRequest} AS called, ${isBookedRequest} AS booked,
      0 AS sold, 0 AS given, 0 AS revenue_cents, 0 AS refund_cents, 0 AS bad_leads
    FROM leads WHERE ${within("created_at")} AND source <> 'manual' AND rescued_from_id IS NULL
    UNION ALL
    SELECT leads.region, 0, 0, 0, 0, 0, 0, mode IN ('stripe', 'direct'), mode IN ('claimed', 'assigned'),
      CASE mode WHEN 'direct' THEN amount_paid_cents ELSE 0 END, 0, 0
    FROM lead_purchases CROSS JOIN leads ON leads.id = lead_purchases.lead_id
    WHERE ${within("purchased_at")} AND mode <> 'manual'
    UNION ALL
    SELECT region, 0, 0, 0, 0, 0, 0, 0, 0, amount_cents, 0, 0
    FROM payments WHERE ${within("succeeded_at")} AND succeeded_at IS NOT NULL
    UNION ALL
    SELECT region, 0, 0, 0, 0, 0, 0, 0, 0, 0, refunded_cents, 0
    FROM payments WHERE ${within("refunded_at")} AND refunded_at IS NOT NULL
    UNION ALL
    SELECT leads.region, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
    FROM bad_lead_reports CROSS JOIN leads ON leads.id = bad_lead_reports.lead_id
    WHERE ${within("bad_lead_reports.created_at")}`;
}

/** New figures, which replace an earlier count of the day. */
const REPLACEMENT_COLUMNS = {
  ...Object.fromEntries(
    COUNTED_COLUMNS.map((name) => [name, sql.raw(`excluded.${getTableColumns(marketDays)[name].name}`)]),
  ),
  regions: sql`excluded.regions`,
  countedAt: sql`excluded.counted_at`,
};

/** Counts a day and replaces its earlier figures. Providers are counted only on the day itself. */
export async function countDay(db: Db, day: string, now: number): Promise<void> {
  const { from, to } = boundsOf(day);
  const counted =
    day === sydneyDay(now) ? await countActiveProviders(db, now - INACTIVE_AFTER_DAYS * DAY_MS) : null;
  const { providers = null, freshProviders = null, activeProviders = null } = counted ?? {};
  await db
    .insert(marketDays)
    .select(
      sql`WITH events AS MATERIALIZED (${selectEvents(from, to)}), by_region AS (
          SELECT region, sum(listed) AS listed, sum(taken) AS taken FROM events GROUP BY region)
        SELECT ${day}, 0, 0, ${SUMS},
          (SELECT json_group_object(region, json_object('listed', listed, 'taken', taken)) FROM by_region),
          ${providers}, ${freshProviders}, ${activeProviders}, ${now}
        FROM events WHERE true`,
    )
    .onConflictDoUpdate({ target: marketDays.day, set: { ...REPLACEMENT_COLUMNS, ...counted } });
}

/**
 * Counts the days that are due, a few per minute.
 * @returns how many days were counted
 */
export async function sweepMarketFigures(context: Context, now: number): Promise<{ counted: number }> {
  const db = context.db;
  const start = firstDayOf(MARKET_WEEKS, now);
  const [counted, since] = await Promise.all([countedSince(db, start), firstLeadAt(db)]);
  const firstDay = sydneyDay(since ?? now);
  const due = daysToCount(counted, firstDay > start ? firstDay : start, now).slice(0, MAX_DAYS_PER_RUN);
  for (const day of due) await countDay(db, day, now);
  return { counted: due.length };
}
