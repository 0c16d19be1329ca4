import { and, asc, desc, inArray, type SQL, sql } from "drizzle-orm";

import { REGION_SLUGS, type Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { leadPurchases, leads, payments } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { withTimeout } from "../../platform/timeout.ts";

/** Leads that D1 offers in a region, for a check whether the exchange knows them. */
export type OfferSample = { region: Region; leadIds: string[] };

/**
 * Returns the oldest and the newest lead that D1 offers in each region, of the leads created before a given time. The
 * oldest alone may have been listed after the exchange lost its storage.
 */
export async function sampleOffers(db: Db, before: number): Promise<OfferSample[]> {
  const first = (order: SQL) => sql`(SELECT ${leads.id} FROM ${leads}
    WHERE ${leads.status} = 'available' AND ${leads.listingState} = 'listed'
      AND ${leads.region} = regions.value AND ${leads.createdAt} < ${before}
    ORDER BY ${order} LIMIT 1)`;
  const rows = await db.all<{ region: Region; oldest: string | null; newest: string }>(sql`
    SELECT regions.value AS region, ${first(asc(leads.createdAt))} AS oldest, ${first(desc(leads.createdAt))} AS newest
    FROM json_each(${JSON.stringify(REGION_SLUGS)}) AS regions`);
  return rows.flatMap(({ region, oldest, newest }) =>
    oldest === null ? [] : [{ region, leadIds: [...new Set([oldest, newest])] }],
  );
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
export async function hasLostLead(context: Context, { region, leadIds }: OfferSample): Promise<boolean> {
  return (await withTimeout(exchangeOf(context, region)!.statesOf(leadIds))).length < leadIds.length;
}
