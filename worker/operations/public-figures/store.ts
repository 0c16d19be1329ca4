/** SQL of the public figures. Each statement returns a value, its number of records and their businesses. */

import { and, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod/mini";

import type { ServiceId } from "../../../contract/catalogue.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import {
  FIGURE_DAYS,
  FIGURE_KEYS,
  FIGURE_MAX_AGE_DAYS,
  FIGURE_MIN_RECORDS,
  type FigureKey,
  type JobPrice,
  PRICE_MIN_BUSINESSES,
  type PublicFigures,
} from "../../../contract/public-figures.ts";
import { SALES_STAGES, type SalesStage, STAGES } from "../../../contract/stages.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import type { Context } from "../../platform/context.ts";
import { firstContactAt } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { publicFigures } from "../../pipeline/tables.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { DONE_STAGES, stampOf } from "../../selling/purchases/rules.ts";

/** The first and the last day of the figures, and the same as epoch ms. `to` is the end of the last day. */
type Period = { fromDay: string; toDay: string; from: number; to: number };

/** The shared start of the keys of all prices. */
const PRICE_KEY = "price:";

/** Returns SQL for the first time that a purchase reached one of these stages. */
const reachedAt = (stages: readonly SalesStage[]) =>
  sql.raw(
    `coalesce(${stages
      .flatMap((stage) => stampOf(stage) ?? [])
      .map((stamp) => `lead_purchases.${leadPurchases[stamp].name}`)
      .join(", ")})`,
  );
const BOOKED = SALES_STAGES.filter((stage) => STAGES[stage].isWon);
const bookedAt = reachedAt(BOOKED);
const completedAt = reachedAt(DONE_STAGES);

/** Reviews of the period that are not hidden. */
const reviewsOf = ({ from, to }: Period) =>
  sql`reviews WHERE written_at >= ${from} AND written_at < ${to} AND hidden_at IS NULL`;

/** Requests that a provider took in the period: bought, rescued or given. */
const takenIn = ({ from, to }: Period) =>
  sql`purchased_at >= ${from} AND purchased_at < ${to} AND mode <> 'manual' AND removed_at IS NULL`;

/** Requests of the period that reached the market. A rescued lead is the same request again. */
const requestsIn = ({ from, to }: Period) =>
  sql`leads.created_at >= ${from} AND leads.created_at < ${to} AND source <> 'manual' AND rescued_from_id IS NULL
    AND (status = 'sold' OR listing_state = 'listed' OR (listing_state = 'closed' AND exchange_version > 0))`;

/** Each request of the period, with the time until a provider took it and until one called. Null means never. */
const requestTimes = (period: Period) => sql`
  WITH taken AS MATERIALIZED (
    SELECT coalesce(sold.rescued_from_id, sold.id) AS request_id, min(purchased_at) AS taken_at,
      min(${firstContactAt}) AS called_at, min(buyer_id) AS buyer_id
    FROM lead_purchases CROSS JOIN leads AS sold ON sold.id = lead_purchases.lead_id
    WHERE purchased_at >= ${period.from} AND mode <> 'manual' AND removed_at IS NULL
    GROUP BY 1),
  times AS MATERIALIZED (
    SELECT taken_at - leads.created_at AS taken_ms, called_at - leads.created_at AS called_ms, taken.buyer_id
    FROM leads LEFT JOIN taken ON taken.request_id = leads.id WHERE ${requestsIn(period)})`;

/** Selects the value below which this share of the rows of `times` lies. No row if that value is null. */
const percentile = (column: string, percent: number) => sql`
  SELECT ${sql.raw(column)}, (SELECT count(*) FROM times), (SELECT count(DISTINCT buyer_id) FROM times)
  FROM times WHERE ${sql.raw(column)} IS NOT NULL ORDER BY 1
  LIMIT 1 OFFSET ((SELECT count(*) FROM times) * ${sql.raw(String(percent))} + 99) / 100 - 1`;

/** Prices of the period's booked jobs. A job with several services has no price for each one. */
const jobsOf = (period: Period) => sql`
  SELECT customer_payment_amount_cents AS cents, buyer_id, leads.service_type ->> 0 AS service, leads.suburb_id
  FROM lead_purchases CROSS JOIN leads ON leads.id = lead_purchases.lead_id
  WHERE ${takenIn(period)} AND customer_payment_amount_cents > 0 AND ${bookedAt} IS NOT NULL
    AND json_array_length(leads.service_type) = 1`;

/** The statements by key. */
const FIGURE_STATEMENTS: Readonly<Record<FigureKey, (period: Period) => SQL>> = {
  rating: (period) => sql`SELECT avg(stars), count(*), count(DISTINCT business_id) FROM ${reviewsOf(period)}`,
  satisfaction: (period) =>
    sql`SELECT avg(stars >= 4), count(*), count(DISTINCT business_id) FROM ${reviewsOf(period)}`,
  ratedProviders: (period) =>
    sql`SELECT avg(mean >= 4.5), count(*), count(*)
      FROM (SELECT avg(stars) AS mean FROM ${reviewsOf(period)} GROUP BY business_id)`,
  insured: (period) =>
    sql`SELECT avg(kinds = 2), count(*), count(*) FROM (SELECT (
        SELECT count(DISTINCT kind) FROM provider_checks WHERE business_id = users.id AND state = 'valid'
          AND kind IN ('insurance', 'police') AND (ends_on IS NULL OR ends_on > ${period.toDay})) AS kinds
      FROM users WHERE is_active = 1 AND id IN (SELECT buyer_id FROM lead_purchases WHERE ${takenIn(period)}))`,
  jobs: (period) =>
    sql`SELECT count(*), count(*), count(DISTINCT buyer_id) FROM lead_purchases
      WHERE ${takenIn(period)} AND ${completedAt} IS NOT NULL`,
  winRate: (period) =>
    sql`SELECT avg(${bookedAt} IS NOT NULL), count(*), count(DISTINCT buyer_id)
      FROM lead_purchases WHERE ${takenIn(period)}`,
  timeToCall: (period) =>
    sql`WITH times AS MATERIALIZED (SELECT ${firstContactAt} - purchased_at AS ms, buyer_id
        FROM lead_purchases WHERE ${takenIn(period)})
      ${percentile("ms", 50)}`,
  customerCalled: (period) => sql`${requestTimes(period)} ${percentile("called_ms", 50)}`,
  connected: (period) =>
    sql`${requestTimes(period)} SELECT avg(coalesce(taken_ms <= ${DAY_MS}, 0)), count(*), count(DISTINCT buyer_id)
      FROM times`,
  foundWithin: (period) => sql`${requestTimes(period)} ${percentile("taken_ms", 95)}`,
  leads: (period) => sql`SELECT count(*), count(*), 0 FROM leads WHERE ${requestsIn(period)}`,
  locations: (period) =>
    sql`SELECT count(DISTINCT suburb_id), count(DISTINCT suburb_id), count(DISTINCT buyer_id)
      FROM lead_purchases CROSS JOIN leads ON leads.id = lead_purchases.lead_id WHERE ${takenIn(period)}`,
  lowPrice: (period) => sql`WITH times AS MATERIALIZED (${jobsOf(period)}) ${percentile("cents", 10)}`,
};

/** Selects the figure's row if it has enough records. */
function selectFigure(key: FigureKey, period: Period, now: number): SQL {
  const minBusinesses = key === "lowPrice" ? PRICE_MIN_BUSINESSES : 0;
  return sql`WITH figure (value, n, businesses) AS (${FIGURE_STATEMENTS[key](period)})
    SELECT ${key}, value, n, businesses, ${period.fromDay}, ${period.toDay}, ${now} FROM figure
    WHERE n >= ${FIGURE_MIN_RECORDS} AND businesses >= ${minBusinesses}`;
}

/** Selects the median price of each service in each council with enough jobs of enough businesses. */
function selectPrices(period: Period, now: number): SQL {
  return sql`
    WITH ranked AS (
      SELECT cents, buyer_id, service, council, count(*) OVER pair AS n,
        row_number() OVER (PARTITION BY service, council ORDER BY cents) AS place
      FROM (${jobsOf(period)}) AS jobs CROSS JOIN suburbs ON suburbs.id = jobs.suburb_id
      WINDOW pair AS (PARTITION BY service, council))
    SELECT ${PRICE_KEY} || service || ':' || council, min(CASE WHEN place >= (n + 1) / 2 THEN cents END), n,
      count(DISTINCT buyer_id), ${period.fromDay}, ${period.toDay}, ${now}
    FROM ranked GROUP BY service, council
    HAVING n >= ${FIGURE_MIN_RECORDS} AND count(DISTINCT buyer_id) >= ${PRICE_MIN_BUSINESSES}`;
}

/** SQL: rows of prices. Their keys start with PRICE_KEY, and ";" follows ":" in ASCII. */
const isPrice = and(gte(publicFigures.key, PRICE_KEY), lt(publicFigures.key, PRICE_KEY.replace(":", ";")))!;

const isFresh = (now: number) => gte(publicFigures.computedAt, now - FIGURE_MAX_AGE_DAYS * DAY_MS);

const COLUMNS = {
  value: publicFigures.value,
  n: publicFigures.n,
  businesses: publicFigures.businesses,
  fromDay: publicFigures.fromDay,
  toDay: publicFigures.toDay,
};

/** Returns the figures of the claims, without prices. */
export async function readPublicFigures(db: Db, now: number): Promise<PublicFigures> {
  const rows = await db
    .select({ key: publicFigures.key, figure: COLUMNS })
    .from(publicFigures)
    .where(and(inArray(publicFigures.key, FIGURE_KEYS), isFresh(now)));
  return Object.fromEntries(rows.map(({ key, figure }) => [key, figure]));
}

/** Returns a council's prices by service, or a service's prices by council, in alphabetical order. */
export async function readJobPrices(
  db: Db,
  { council, service }: { council?: string | undefined; service?: string | undefined },
  now: number,
): Promise<JobPrice[]> {
  const rows = await db
    .select({ key: publicFigures.key, figure: COLUMNS })
    .from(publicFigures)
    .where(and(isPrice, isFresh(now)))
    .orderBy(publicFigures.key);
  return rows
    .map(({ key, figure }) => {
      const [, ofService, ...ofCouncil] = key.split(":");
      return { ...figure, service: ofService as ServiceId, council: ofCouncil.join(":") };
    })
    .filter((price) => price.council === council || price.service === service);
}

/** Returns the period of the figures: up to the end of yesterday in Sydney. */
function periodAt(now: number): Period {
  const today = sydneyDay(now);
  const fromDay = addDays(today, -FIGURE_DAYS);
  return {
    fromDay,
    toDay: addDays(today, -1),
    from: startOfSydneyDay(fromDay)!,
    to: startOfSydneyDay(today)!,
  };
}

/**
 * Computes one public figure per call, prices last. Replaces the stored figure. Deletes it if it
 * no longer has enough records.
 *
 * @param progress the position in FIGURE_KEYS; null for the first call
 * @returns the next position, or null after the last figure
 */
export async function computeFigure(
  { db }: Context,
  progress: unknown,
  now: number,
): Promise<{ progress: number | null; counts: { figures_computed: number } }> {
  const index = progress === null ? 0 : z.int().parse(progress);
  const period = periodAt(now);
  const key = FIGURE_KEYS[index];
  await db.batch([
    db.delete(publicFigures).where(key ? eq(publicFigures.key, key) : isPrice),
    db.insert(publicFigures).select(key ? selectFigure(key, period, now) : selectPrices(period, now)),
  ]);
  return { progress: key ? index + 1 : null, counts: { figures_computed: 1 } };
}
