import { and, count, desc, eq, gte, inArray, type SQL, sql } from "drizzle-orm";

import { callTimeBetween } from "../../../contract/call-clock.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import {
  CALL_RESULTS,
  CALLED_RESULTS,
  type CallList,
  type CallListItem,
  type CallResult,
  type CallShare,
  COUNTED_RESULTS,
  isCounted,
  isLowShare,
  medianOf,
  type ProviderStanding,
  resultsIn,
  type SlowCallerRule,
  type Standing,
  STANDING_DAYS,
  type StandingPeriod,
} from "../../../contract/standing.ts";
import { businessesOfPerson } from "../../identity/providers/queries.ts";
import { callResult, firstContactAt, hasCountedClock } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";

/** Maximum purchases in a standing: the newest. */
const MAX_SALES = 2_000;

/** SQL: a business's purchases with a call clock, bought since a time. */
function clockedSales(businessId: string, since: number): SQL {
  return and(eq(leadPurchases.buyerId, businessId), hasCountedClock, gte(leadPurchases.purchasedAt, since))!;
}

/** Reads a business's newest purchases with a call clock, and their results. */
function readSales(
  db: Db,
  businessId: string,
  { since, limit, now }: Record<"since" | "limit" | "now", number>,
) {
  return db
    .select({
      purchasedAt: leadPurchases.purchasedAt,
      calledAt: firstContactAt,
      result: callResult(now),
    })
    .from(leadPurchases)
    .where(clockedSales(businessId, since))
    .orderBy(desc(leadPurchases.purchasedAt), desc(leadPurchases.id))
    .limit(limit);
}

/** Maximum purchases behind a public time to call: the newest. Anyone may ask for it at any time. */
const MAX_PUBLIC_SALES = 200;

/** Returns a provider's standing over the last 90 days, from fewer purchases, for their public page. */
export async function readPublicStanding(db: Db, businessId: string, now: number): Promise<Standing> {
  return standingOf(
    await readSales(db, businessId, { since: recentSince(now), limit: MAX_PUBLIC_SALES, now }),
  );
}

/**
 * Returns a provider's standing, over the last 90 days and over all time.
 * @param rule the operator's setting
 */
export async function readStanding(
  db: Db,
  businessId: string,
  rule: SlowCallerRule,
  now: number,
): Promise<ProviderStanding> {
  const sales = await readSales(db, businessId, { since: 0, limit: MAX_SALES, now });
  const since = recentSince(now);
  const recent = standingOf(sales.filter(({ purchasedAt }) => purchasedAt >= since));
  const isLow = (await findSlowCallers(db, [businessId], now)).has(businessId);
  return { recent, total: standingOf(sales), isLow, rule };
}

/** Lists a provider's purchases behind a figure, newest first. */
export async function listCalls(
  db: Db,
  businessId: string,
  filter: { show: CallList; period: StandingPeriod; after: After; limit: number; now: number },
): Promise<CallListItem[]> {
  const { show, period, after, limit, now } = filter;
  const result = callResult(now);
  const rows = await db
    .select({
      id: leadPurchases.id,
      leadId: leadPurchases.leadId,
      customerName: leads.customerName,
      corrected: leadPurchases.corrected,
      suburbName: leads.suburbName,
      serviceType: leads.serviceType,
      tile: leadPurchases.tile,
      purchasedAt: leadPurchases.purchasedAt,
      clockEndsAt: leadPurchases.clockEndsAt,
      calledAt: firstContactAt,
      result,
    })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        clockedSales(businessId, period === "recent" ? recentSince(now) : 0),
        show === "all" ? undefined : inArray(result, [...resultsIn(show)]),
        olderThan(leadPurchases.purchasedAt, leadPurchases.id, after),
      ),
    )
    .orderBy(desc(leadPurchases.purchasedAt), desc(leadPurchases.id))
    .limit(limit);
  return rows.map(({ corrected, clockEndsAt, tile, ...row }) => ({
    ...row,
    tile: tile!,
    customerName: corrected?.name ?? row.customerName,
    clockEndsAt: clockEndsAt!,
    waitMs: waitOf(row),
  }));
}

/** A bought lead with a call clock. Times are in epoch ms. */
type ClockedSale = { purchasedAt: number; calledAt: number | null; result: CallResult };

/** Returns the counted time from the sale to the call, in ms; null without a call. */
function waitOf({ purchasedAt, calledAt }: Pick<ClockedSale, "purchasedAt" | "calledAt">) {
  return calledAt === null ? null : callTimeBetween(purchasedAt, calledAt);
}

const isIn = (results: readonly CallResult[], result: CallResult) => results.includes(result);

/** Adds up the results of bought leads. */
function standingOf(sales: readonly ClockedSale[]): Standing {
  const counts = Object.fromEntries(
    CALL_RESULTS.map((result) => [result, sales.filter((sale) => sale.result === result).length]),
  ) as Record<CallResult, number>;
  const counted = COUNTED_RESULTS.reduce((sum, result) => sum + counts[result], 0);
  const waits = sales
    .filter(({ result }) => isIn(CALLED_RESULTS, result))
    .flatMap((sale) => waitOf(sale) ?? []);
  return {
    ...counts,
    bought: sales.length,
    counted,
    share: counted === 0 ? null : counts.in_time / counted,
    medianMs: medianOf(waits),
  };
}

// The share of recent leads that businesses called in time.

/** Returns the start of the recent standing, epoch ms. */
const recentSince = (now: number) => now - STANDING_DAYS * DAY_MS;

/**
 * Returns the share of recent leads called in time, by business. Businesses without counted leads are missing.
 * @param businessIds at most a page of them
 */
export async function readCallShares(
  db: Db,
  businessIds: readonly string[],
  now: number,
): Promise<Map<string, CallShare>> {
  if (businessIds.length === 0) return new Map();
  const result = callResult(now);
  const rows = await db
    .select({ businessId: leadPurchases.buyerId, result, sales: count() })
    .from(leadPurchases)
    .where(
      and(
        // JSON, because D1 binds at most 100 values.
        sql`${leadPurchases.buyerId} IN (SELECT value FROM json_each(${JSON.stringify(businessIds)}))`,
        hasCountedClock,
        gte(leadPurchases.purchasedAt, recentSince(now)),
      ),
    )
    .groupBy(leadPurchases.buyerId, sql`2`);
  const shares = new Map<string, CallShare>();
  for (const { businessId, result: found, sales } of rows) {
    if (!isCounted(found)) continue;
    const { counted, inTime } = shares.get(businessId) ?? { counted: 0, inTime: 0 };
    shares.set(businessId, {
      counted: counted + sales,
      inTime: inTime + (found === "in_time" ? sales : 0),
    });
  }
  return shares;
}

/** Returns which of these businesses have a low standing. The calls of all businesses of the same person count. */
export async function findSlowCallers(
  db: Db,
  businessIds: readonly string[],
  now: number,
): Promise<Set<string>> {
  const { results } =
    await db.run(sql`SELECT asked.value AS id, users.id AS "of" FROM json_each(${JSON.stringify(businessIds)}) AS asked
    CROSS JOIN users ON users.id IN ${businessesOfPerson(sql`asked.value`)}`);
  const related = results as { id: string; of: string }[];
  const shares = await readCallShares(db, [...new Set(related.map((row) => row.of))], now);
  const isLow = (id: string) => {
    const own = related.flatMap((row) => (row.id === id ? (shares.get(row.of) ?? []) : []));
    const sum = (field: keyof CallShare) => own.reduce((total, share) => total + share[field], 0);
    return isLowShare({ counted: sum("counted"), inTime: sum("inTime") });
  };
  return new Set(businessIds.filter(isLow));
}
