import { sql } from "drizzle-orm";

import { REGION_SLUGS, type Region } from "../../contract/regions.ts";
import type { Db } from "../db/client.ts";
import { leads } from "../db/schema.ts";

/** The oldest lead that D1 offers in each region, of those created before a moment. */
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
