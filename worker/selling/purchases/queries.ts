/** Queries for purchases that both selling and the pipeline use. */
import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";
import { leads } from "../../platform/db/leads.ts";
import { freeClaims } from "../../platform/db/payments.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { pick, SOLD_LEAD_COLUMNS } from "../../leads/views.ts";
import type { PurchaseRow, SoldLead } from "./rules.ts";

/**
 * A purchase with its lead, to select from a join. D1 returns at most 100 columns, and the two whole tables have more.
 */
export const SOLD_LEAD = { purchase: leadPurchases, lead: pick(getTableColumns(leads), SOLD_LEAD_COLUMNS) };

/** Selects a business's own purchases, excluding removed ones. */
export function ownedBy(scope: BusinessScope, after: After) {
  return and(
    eq(leadPurchases.buyerId, scope.businessId),
    isNull(leadPurchases.removedAt),
    olderThan(leadPurchases.purchasedAt, leadPurchases.id, after),
  );
}

/** Returns one purchase of a business; null if it does not exist, was removed or belongs to another business. */
export async function findPurchase(db: Db, scope: BusinessScope, id: string): Promise<PurchaseRow | null> {
  const [row] = await db
    .select()
    .from(leadPurchases)
    .where(and(eq(leadPurchases.id, id), ownedBy(scope, null)));
  return row ?? null;
}

/** Returns whether this purchase was removed from the business's pipeline. */
export async function wasRemoved(db: Db, scope: BusinessScope, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(
      and(
        eq(leadPurchases.id, id),
        eq(leadPurchases.buyerId, scope.businessId),
        isNotNull(leadPurchases.removedAt),
      ),
    );
  return rows.length > 0;
}

/** Returns a purchase of any business, with its lead. For super admins only, because it does not check the scope. */
export async function findSoldLead(db: Db, id: string): Promise<SoldLead | null> {
  const [row] = await db
    .select(SOLD_LEAD)
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(eq(leadPurchases.id, id));
  return row ?? null;
}

/** Repeats the condition of the partial index, or SQLite does not use it. */
export const isUnfinished = (before: number) =>
  sql`${freeClaims.usedAt} < ${before} AND ${freeClaims.usedAt} IS NOT NULL AND ${freeClaims.finishedAt} IS NULL`;

/** Returns unfinished claims by free claim that started before a given time, oldest first. */
export function listUnfinishedClaims(db: Db, before: number, limit: number) {
  return db
    .select({
      id: freeClaims.id,
      buyerId: freeClaims.buyerId,
      leadId: freeClaims.usedForLeadId,
      usedAt: freeClaims.usedAt,
    })
    .from(freeClaims)
    .where(isUnfinished(before))
    .orderBy(asc(freeClaims.usedAt))
    .limit(limit);
}
