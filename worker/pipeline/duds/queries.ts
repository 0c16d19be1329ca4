import { and, desc, eq } from "drizzle-orm";

import type { AdminDud, DudReport, DudState } from "../../../contract/duds.ts";
import type { Db } from "../../platform/db/client.ts";
import { type After, olderThan } from "../../platform/db/paging.ts";
import { freeClaims, dudReports, leadPurchases, leads, users } from "../../platform/db/schema.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { BOUGHT_LEAD_COLUMNS } from "../guarantee/queries.ts";

const reportColumns = {
  id: dudReports.id,
  purchaseId: dudReports.purchaseId,
  reason: dudReports.reason,
  state: dudReports.state,
  answer: dudReports.answer,
  createdAt: dudReports.createdAt,
};

/** Returns a business's newest reports. */
export async function listReports(db: Db, scope: BusinessScope): Promise<DudReport[]> {
  return db
    .select(reportColumns)
    .from(dudReports)
    .where(eq(dudReports.buyerId, scope.businessId))
    .orderBy(desc(dudReports.createdAt))
    .limit(200);
}

/** Returns whether a purchase was made with a free claim. */
export async function wasFreeClaim(db: Db, purchase: PurchaseRow): Promise<boolean> {
  const rows = await db
    .select({ id: freeClaims.id })
    .from(freeClaims)
    .where(and(eq(freeClaims.usedForLeadId, purchase.leadId), eq(freeClaims.buyerId, purchase.buyerId)));
  return rows.length > 0;
}

/** Returns all businesses' reports in one state, newest first. */
export async function listDuds(
  db: Db,
  filter: { state: DudState; after: After; limit: number },
): Promise<AdminDud[]> {
  const { state, after, limit } = filter;
  return db
    .select({
      ...reportColumns,
      ...BOUGHT_LEAD_COLUMNS,
      note: dudReports.note,
      answeredAt: dudReports.answeredAt,
    })
    .from(dudReports)
    .innerJoin(leadPurchases, eq(leadPurchases.id, dudReports.purchaseId))
    .innerJoin(leads, eq(leads.id, dudReports.leadId))
    .innerJoin(users, eq(users.id, dudReports.buyerId))
    .where(and(eq(dudReports.state, state), olderThan(dudReports.createdAt, dudReports.id, after)))
    .orderBy(desc(dudReports.createdAt), desc(dudReports.id))
    .limit(limit);
}
