import type { Act } from "../../identity/audit/act.ts";
import { and, eq, sql } from "drizzle-orm";

import type { FreeClaimDecision, BadLeadReport, BadLeadReportForm } from "../../../contract/bad-leads.ts";
import { auditEntry } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { badLeadReports, leads } from "../../platform/db/schema.ts";
import { isUniqueViolation } from "../../platform/db/unique.ts";
import { deletePhotos } from "../../leads/photos/commands.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import { recordBadLeadDecision } from "../guarantee/admin-commands.ts";
import { grantFreeClaim, resolveCaseAlert } from "../guarantee/case-commands.ts";
import { hasFreeClaim } from "../guarantee/queries.ts";
import { wasFreeClaim } from "./queries.ts";
import { requireReportable } from "./rules.ts";

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
