import { and, desc, eq, sql } from "drizzle-orm";

import type { AdminBadLead, BadLeadReport, BadLeadState } from "../../../contract/bad-leads.ts";
import type { Db } from "../../platform/db/client.ts";
import { type After, olderThan } from "../../platform/db/paging.ts";
import { freeClaims, badLeadReports, leadPurchases, leads, users } from "../../platform/db/schema.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { BOUGHT_LEAD_COLUMNS } from "../guarantee/queries.ts";

const reportColumns = {
  id: badLeadReports.id,
  purchaseId: badLeadReports.purchaseId,
  reason: badLeadReports.reason,
  state: badLeadReports.state,
  answer: badLeadReports.answer,
  createdAt: badLeadReports.createdAt,
};

/** SQL: the photo that came with a report, if any. */
const photoId = sql<string | null>`(SELECT id FROM photos
  WHERE purchase_id IS NOT NULL AND purchase_id = ${badLeadReports.purchaseId} AND kind = 'report')`;

/** Returns a business's newest reports. */
export async function listReports(db: Db, scope: BusinessScope): Promise<BadLeadReport[]> {
  return db
    .select(reportColumns)
    .from(badLeadReports)
    .where(eq(badLeadReports.buyerId, scope.businessId))
    .orderBy(desc(badLeadReports.createdAt))
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
export async function listBadLeads(
  db: Db,
  filter: { state: BadLeadState; after: After; limit: number },
): Promise<AdminBadLead[]> {
  const { state, after, limit } = filter;
  return db
    .select({
      ...reportColumns,
      ...BOUGHT_LEAD_COLUMNS,
      note: badLeadReports.note,
      photoId,
      decidedAt: badLeadReports.decidedAt,
    })
    .from(badLeadReports)
    .innerJoin(leadPurchases, eq(leadPurchases.id, badLeadReports.purchaseId))
    .innerJoin(leads, eq(leads.id, badLeadReports.leadId))
    .innerJoin(users, eq(users.id, badLeadReports.buyerId))
    .where(
      and(eq(badLeadReports.state, state), olderThan(badLeadReports.createdAt, badLeadReports.id, after)),
    )
    .orderBy(desc(badLeadReports.createdAt), desc(badLeadReports.id))
    .limit(limit);
}
