import { asc, desc, type SQL, sql } from "drizzle-orm";

import { REGION_SLUGS, type Region } from "../../../contract/regions.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { withTimeout } from "../../platform/timeout.ts";

/** Leads that D1 offers in a region, for a check whether the exchange knows them. */
export type OfferSample = { region: Region; leadIds: string[] };

/** SQL: the first lead that D1 offers in a region, in this order. */
const first = (order: SQL) => sql`(SELECT ${leads.id} FROM ${leads}
  WHERE ${leads.status} = 'available' AND ${leads.listingState} = 'listed'
    AND ${leads.region} = regions.value
  ORDER BY ${order} LIMIT 1)`;

/**
 * Returns the oldest and the newest lead that D1 offers in each region. The oldest alone may have been listed after the
 * exchange lost its storage.
 */
export async function sampleOffers(db: Db): Promise<OfferSample[]> {
  const rows = await db.all<{ region: Region; oldest: string | null; newest: string }>(sql`
    SELECT regions.value AS region, ${first(asc(leads.createdAt))} AS oldest, ${first(desc(leads.createdAt))} AS newest
    FROM json_each(${JSON.stringify(REGION_SLUGS)}) AS regions`);
  return rows.flatMap(({ region, oldest, newest }) =>
    oldest === null ? [] : [{ region, leadIds: [...new Set([oldest, newest])] }],
  );
}

/** Returns whether an exchange does not know a lead that D1 offers. Does not retry. */
export async function hasLostLead(context: Context, { region, leadIds }: OfferSample): Promise<boolean> {
  return (await withTimeout(exchangeOf(context, region)!.recordsOf(leadIds))).length < leadIds.length;
}
