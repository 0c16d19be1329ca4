import { and, asc, desc, eq, gt, inArray, lt, notInArray, sql } from "drizzle-orm";

import type { Region } from "../../contract/regions.ts";
import type { Db } from "../db/client.ts";
import { olderThan } from "../db/paging.ts";
import { leads, pausedRegions } from "../db/schema.ts";
import type { LeadRow } from "./rules.ts";

/** The condition of the partial indexes on leads; written so that SQLite recognises it. */
const onTheMarket = sql`${leads.status} = 'available' AND ${leads.listingState} = 'listed'`;

/**
 * Available leads, newest first.
 * @param after the last lead of the page before (keyset by creation time and id)
 */
export function listAvailable(
  db: Db,
  filter: { regions: Region[]; limit: number; after: { createdAt: number; id: string } | null; now: number },
): Promise<LeadRow[]> {
  const { regions, limit, after, now } = filter;
  return db
    .select()
    .from(leads)
    .where(
      and(
        onTheMarket,
        regions.length ? inArray(leads.region, regions) : undefined,
        gt(leads.expiresAt, now),
        olderThan(leads.createdAt, leads.id, after),
      ),
    )
    .orderBy(desc(leads.createdAt), desc(leads.id))
    .limit(limit);
}

/** A lead by id, with all contact details. The caller has already checked the right to see them. */
export async function findLead(db: Db, id: string): Promise<LeadRow | null> {
  const [row] = await db.select().from(leads).where(eq(leads.id, id));
  return row ?? null;
}

/** The lead of an earlier try with the same submission id. */
export async function findBySubmission(db: Db, submissionId: string): Promise<LeadRow | null> {
  const [row] = await db.select().from(leads).where(eq(leads.submissionId, submissionId));
  return row ?? null;
}

/** Requests that were stored but not listed, oldest first; those of paused regions wait, and of those `without`. */
export function listPending(
  db: Db,
  filter: { before: number; without: Region[]; limit: number },
): Promise<LeadRow[]> {
  return db
    .select()
    .from(leads)
    .where(
      and(
        sql`${leads.listingState} = 'pending'`,
        lt(leads.createdAt, filter.before),
        notInArray(leads.region, db.select({ region: pausedRegions.region }).from(pausedRegions)),
        filter.without.length > 0 ? notInArray(leads.region, filter.without) : undefined,
      ),
    )
    .orderBy(asc(leads.createdAt))
    .limit(filter.limit);
}
