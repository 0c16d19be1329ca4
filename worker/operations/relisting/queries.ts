import { and, inArray, sql } from "drizzle-orm";

import { REGION_SLUGS, type Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, payments } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { inTime } from "../../platform/patience.ts";

/** Returns the oldest lead that D1 offers in each region, of the leads created before a given time. */
export async function oldestOffered(db: Db, before: number): Promise<{ region: Region; leadId: string }[]> {
  const rows = await db.all<{ region: Region; leadId: string | null }>(sql`
    SELECT regions.value AS region, (
      SELECT ${leads.id} FROM ${leads}
      WHERE ${leads.status} = 'available' AND ${leads.listingState} = 'listed'
        AND ${leads.region} = regions.value AND ${leads.createdAt} < ${before}
      ORDER BY ${leads.createdAt} LIMIT 1
    ) AS leadId
    FROM json_each(${JSON.stringify(REGION_SLUGS)}) AS regions`);
  return rows.flatMap(({ region, leadId }) => (leadId === null ? [] : [{ region, leadId }]));
}

/** Returns the leads that, according to D1, were bought or paid for. */
export async function soldOf(db: Db, ids: string[]): Promise<Set<string>> {
  const [bought, paid] = await db.batch([
    db.select({ id: leadPurchases.leadId }).from(leadPurchases).where(inArray(leadPurchases.leadId, ids)),
    db
      .select({ id: payments.leadId })
      .from(payments)
      // The plus keeps SQLite from using the index on state: nearly all payments have this state.
      .where(and(inArray(payments.leadId, ids), sql`+${payments.state} IN ('succeeded', 'disputed')`)),
  ]);
  return new Set([...bought, ...paid].map(({ id }) => id));
}

/** Returns whether an exchange does not know a lead that D1 has offered for a while. Does not retry. */
export async function hasForgotten(context: Context, region: Region, leadId: string): Promise<boolean> {
  return (await inTime(exchangeOf(context, region)!.statesOf([leadId]))).length === 0;
}
