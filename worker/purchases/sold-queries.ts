/** Purchases, as selling and the pipeline find one. */
import { and, eq, isNotNull, isNull } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { type After, olderThan } from "../db/paging.ts";
import { leadPurchases, leads } from "../db/schema.ts";
import type { BusinessScope } from "../auth/rights.ts";
import type { PurchaseRow, SoldLead } from "./rules.ts";

/** Keeps a selection to a business's own purchases, without removed ones. */
export function mine(scope: BusinessScope, after: After) {
  return and(
    eq(leadPurchases.buyerId, scope.businessId),
    isNull(leadPurchases.removedAt),
    olderThan(leadPurchases.purchasedAt, leadPurchases.id, after),
  );
}

/** One purchase of a business; null when it is not theirs, which nobody outside can tell from not existing. */
export async function findPurchase(db: Db, scope: BusinessScope, id: string): Promise<PurchaseRow | null> {
  const [row] = await db
    .select()
    .from(leadPurchases)
    .where(and(eq(leadPurchases.id, id), mine(scope, null)));
  return row ?? null;
}

/** Whether a business had this purchase once and it was removed. */
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

/** A purchase of whichever business, with its lead. For super admins only: it knows no scope. */
export async function findSoldLead(db: Db, id: string): Promise<SoldLead | null> {
  const [row] = await db
    .select({ purchase: leadPurchases, lead: leads })
    .from(leadPurchases)
    .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
    .where(eq(leadPurchases.id, id));
  return row ?? null;
}
