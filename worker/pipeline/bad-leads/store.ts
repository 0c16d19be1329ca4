import { and, desc, eq, sql } from "drizzle-orm";

import {
  type AdminBadLead,
  BAD_LEAD_REPORT_DAYS,
  type BadLeadReport,
  type BadLeadReportForm,
  type BadLeadState,
  type FreeClaimDecision,
} from "../../../contract/bad-leads.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { deletePhotos } from "../../leads/photos/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { leads } from "../../platform/db/leads.ts";
import { freeClaims } from "../../platform/db/payments.ts";
import { badLeadReports, leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";
import { isUniqueViolation } from "../../platform/db/unique.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { grantFreeClaim, recordBadLeadDecision, resolveCaseAlert } from "../guarantee/case-commands.ts";
import { BOUGHT_LEAD_COLUMNS, hasFreeClaim } from "../guarantee/queries.ts";

/**
 * Reports a bought lead as a bad lead, for an admin to decide. A purchase can be reported only once.
 * @throws DomainError not_found, bad_lead_not_bought, bad_lead_too_late, bad_lead_reported
 */
export async function reportBadLead(
  db: Db,
  scope: BusinessScope,
  purchaseId: string,
  form: BadLeadReportForm,
  { actor, now, requestId }: Act,
): Promise<BadLeadReport> {
  const purchase = await findPurchase(db, scope, purchaseId);
  if (!purchase) throw new DomainError("not_found", "Purchase not found");
  requireReportable(purchase, await wasFreeClaim(db, purchase), now);
  if (await hasFreeClaim(db, purchaseId))
    throw new DomainError("bad_lead_reported", "You already have a free claim for this lead.");
  const { reason, note = null, hasPhoto } = form;
  const { leadId } = purchase;
  const report = {
    id: newId("bad"),
    purchaseId,
    leadId,
    buyerId: scope.businessId,
    reason,
    note,
    createdAt: now,
  };
  const reportPhoto = sql`purchase_id IS NOT NULL AND purchase_id = ${purchaseId} AND kind = 'report'`;
  try {
    const [[stored]] = await db.batch([
      db.insert(badLeadReports).values(report).returning(),
      auditEntry(db, actor, {
        at: now,
        action: "bad_lead.report",
        subjectType: "purchase",
        subjectId: purchaseId,
        after: { reportId: report.id, reason },
        requestId,
      }),
      ...(hasPhoto ? [] : [deletePhotos(db, reportPhoto)]),
    ]);
    return { id: report.id, purchaseId, reason, state: stored!.state, answer: null, createdAt: now };
  } catch (error) {
    if (!isUniqueViolation(error, "bad_lead_reports.purchase_id")) throw error;
    throw new DomainError("bad_lead_reported", "You've already reported this lead.");
  }
}

/**
 * Grants or rejects an open report. A granted report gives the business one free claim. The payment is not refunded.
 * @returns the business that reported the bad lead, and its purchase, to notify the business's windows
 * @throws DomainError not_found, bad_lead_answered
 */
export function answerBadLeadReport(
  db: Db,
  id: string,
  { decision, answer = null }: FreeClaimDecision,
  by: Act,
): Promise<{ buyerId: string; purchaseId: string }> {
  const { actor, now, requestId } = by;
  const isGranted = decision === "granted";
  return retryIfChanged(async () => {
    const [found] = await db
      .select({ report: badLeadReports, priceCents: leads.priceCents })
      .from(badLeadReports)
      .innerJoin(leads, eq(leads.id, badLeadReports.leadId))
      .where(eq(badLeadReports.id, id));
    if (!found) throw new DomainError("not_found", "Report not found");
    const { report, priceCents } = found;
    if (report.state !== "open")
      throw new DomainError("bad_lead_answered", "Someone has already answered this report.");
    const { purchaseId, leadId, buyerId } = report;
    const ids = { purchaseId, leadId, buyerId };
    const recorded = await recordBadLeadDecision(db, ids, decision, answer, by);
    const open = and(eq(badLeadReports.id, id), eq(badLeadReports.state, "open"));
    await guardedBatch(db, { from: badLeadReports, where: and(open, recorded.isSame) }, [
      db
        .update(badLeadReports)
        .set({ state: decision, answer, decidedAt: now })
        .where(eq(badLeadReports.id, id)),
      auditEntry(db, actor, {
        at: now,
        action: isGranted ? "bad_lead.grant" : "bad_lead.refuse",
        subjectType: "bad_lead_report",
        subjectId: id,
        before: { state: "open" },
        after: { state: decision },
        requestId,
      }),
      ...(isGranted ? [grantFreeClaim(db, ids, priceCents, now), resolveCaseAlert(db, leadId, now)] : []),
      // After the free claim, because the review follows it.
      ...recorded.statements,
    ]);
    return { buyerId, purchaseId };
  });
}

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
async function wasFreeClaim(db: Db, purchase: PurchaseRow): Promise<boolean> {
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

/**
 * Requires that a purchase may be reported as a bad lead.
 * @param wasFreeClaim whether the lead was claimed with a free claim, which counts as bought
 * @throws DomainError bad_lead_not_bought, bad_lead_too_late
 */
function requireReportable(
  purchase: Pick<PurchaseRow, "mode" | "purchasedAt">,
  wasFreeClaim: boolean,
  now: number,
): void {
  const isBought = purchase.mode === "stripe" || purchase.mode === "direct" || wasFreeClaim;
  if (!isBought) throw new DomainError("bad_lead_not_bought", "You can only report leads you bought.");
  if (now - purchase.purchasedAt > BAD_LEAD_REPORT_DAYS * DAY_MS) {
    throw new DomainError(
      "bad_lead_too_late",
      `You can only report a lead within ${BAD_LEAD_REPORT_DAYS} days of buying it.`,
    );
  }
}
