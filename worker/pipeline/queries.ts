import { and, asc, desc, eq, gt, gte, isNull, or, type SQL, sql } from "drizzle-orm";

import type { PipelineSort, PipelineTileKey } from "../../contract/pipeline.ts";
import type { Db } from "../platform/db/client.ts";
import { pipelineCounts } from "./tables.ts";
import { leads } from "../platform/db/leads.ts";
import { leadPurchases } from "../platform/db/purchases.ts";
import type { BusinessScope } from "../identity/auth/rules.ts";
import { SOLD_LEAD } from "../selling/purchases/queries.ts";

/** The end of a page: the sort value and the ID. */
export type PipelineKey = { at: number; id: string };

/** The sort column of each order. Each has an index that begins with the business. */
const SORTED_BY: Record<PipelineSort, { column: SQL; isDescending: boolean }> = {
  newest: { column: sql`${leadPurchases.purchasedAt}`, isDescending: true },
  oldest: { column: sql`${leadPurchases.purchasedAt}`, isDescending: false },
  updated: { column: sql`${leadPurchases.updatedAt}`, isDescending: true },
  next: { column: sql`${leadPurchases.nextActionOrder}`, isDescending: false },
};

/**
 * Reads part of a business's pipeline in sorted order, from an index. Reads only the requested rows, regardless of the
 * pipeline's size. The caller applies the other filters.
 * @param tile only this tile's purchases; requires the `newest` or `oldest` order
 * @param after the end of the previous part
 */
export function scanPipeline(
  db: Db,
  scope: BusinessScope,
  range: { tile: PipelineTileKey | null; sort: PipelineSort; after: PipelineKey | null; rows: number },
) {
  const { tile, sort, after, rows } = range;
  const { column, isDescending } = SORTED_BY[sort];
  const direction = isDescending ? desc : asc;
  // SQLite uses the index for row values. With an OR it would scan.
  const beyond = after
    ? sql`(${column}, ${leadPurchases.id}) ${sql.raw(isDescending ? "<" : ">")} (${after.at}, ${after.id})`
    : undefined;
  return db
    .select(SOLD_LEAD)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        eq(leadPurchases.buyerId, scope.businessId),
        isNull(leadPurchases.removedAt),
        tile ? eq(leadPurchases.tile, tile) : undefined,
        beyond,
      ),
    )
    .orderBy(direction(column), direction(leadPurchases.id))
    .limit(rows);
}

/** Counts the purchases per tile. Empty tiles may be missing. */
export function countPurchasesByTile(db: Db, scope: BusinessScope) {
  return db
    .select({ tile: pipelineCounts.tile, purchases: pipelineCounts.purchases })
    .from(pipelineCounts)
    .where(eq(pipelineCounts.businessId, scope.businessId));
}

/** Returns purchases that changed since a given time, oldest change first, including removed purchases. */
export function scanChanges(
  db: Db,
  scope: BusinessScope,
  range: { since: number; after: PipelineKey | null; rows: number },
) {
  const { since, after, rows } = range;
  return db
    .select(SOLD_LEAD)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(
      and(
        eq(leadPurchases.buyerId, scope.businessId),
        gte(leadPurchases.updatedAt, after?.at ?? since),
        after ? or(gt(leadPurchases.updatedAt, after.at), gt(leadPurchases.id, after.id)) : undefined,
      ),
    )
    .orderBy(asc(leadPurchases.updatedAt), asc(leadPurchases.id))
    .limit(rows);
}
