/** The share of recent leads that businesses called in time. The whole standing is in worker/pipeline/standing. */
import { and, count, gte, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import { type CallShare, isCounted, isLowShare, STANDING_DAYS } from "../../../contract/standing.ts";
import { callResult, hasCountedClock } from "../../platform/db/call-result.ts";
import { businessesOfPerson } from "../../identity/providers/queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases } from "../../platform/db/schema.ts";

/** Returns the start of the recent standing, epoch ms. */
export const recentSince = (now: number) => now - STANDING_DAYS * DAY_MS;

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
