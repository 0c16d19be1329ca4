import type { Act } from "../../identity/audit/act.ts";
import { and, eq, notExists, sql } from "drizzle-orm";

import type { FreeClaimDecision, BadLeadReport, BadLeadReportForm } from "../../../contract/bad-leads.ts";
import { auditWhen } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { badLeadReports } from "../../platform/db/schema.ts";
import { deletePhotos } from "../../leads/photos/commands.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import { recordBadLeadDecision } from "../guarantee/admin-commands.ts";
import { followDecision, grantFreeClaim, resolveCaseAlert } from "../guarantee/case-commands.ts";
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
  const { reason } = form;
  const id = newId("bad");
  const first = notExists(
    db
      .select({ id: badLeadReports.id })
      .from(badLeadReports)
      .where(eq(badLeadReports.purchaseId, purchaseId)),
  );
  const isRemoved = and(first, sql`${!form.hasPhoto}`);
  const [, , [stored]] = await db.batch([
    deletePhotos(
      db,
      sql`purchase_id IS NOT NULL AND purchase_id = ${purchaseId} AND kind = 'report' AND ${isRemoved}`,
    ),
    auditWhen(db, first, actor, {
      at: now,
      action: "bad_lead.report",
      subjectType: "purchase",
      subjectId: purchaseId,
      after: { reportId: id, reason },
      requestId,
    }),
    db
      .insert(badLeadReports)
      .values({
        id,
        purchaseId,
        leadId: purchase.leadId,
        buyerId: scope.businessId,
        reason,
        note: form.note ?? null,
        createdAt: now,
      })
      .onConflictDoNothing({ target: badLeadReports.purchaseId })
      .returning(),
  ]);
  if (!stored) throw new DomainError("bad_lead_reported", "You've already reported this lead.");
  return { id, purchaseId, reason, state: stored.state, answer: null, createdAt: now };
}

/**
 * Grants or rejects an open report. A granted report gives the business one free claim. The payment is not refunded.
 * @returns the business that reported the bad lead, and its purchase, to notify the business's windows
 * @throws DomainError not_found, bad_lead_answered
 */
export async function answerBadLeadReport(
  db: Db,
  id: string,
  { decision, answer }: FreeClaimDecision,
  by: Act,
): Promise<{ buyerId: string; purchaseId: string }> {
  const { actor, now, requestId } = by;
  const open = and(eq(badLeadReports.id, id), eq(badLeadReports.state, "open"));
  const isOpen = sql`EXISTS (SELECT 1 FROM ${badLeadReports} WHERE ${open})`;
  const [report] = await db.select().from(badLeadReports).where(eq(badLeadReports.id, id));
  if (!report) throw new DomainError("not_found", "Report not found");
  const { purchaseId } = report;
  // The order matters: the log, the case and the free claim require an open report, and the update closes it.
  const isGranted = and(isOpen, sql`${decision === "granted"}`)!;
  const [, , , , [row]] = await db.batch([
    auditWhen(db, isOpen, actor, {
      at: now,
      action: decision === "granted" ? "bad_lead.grant" : "bad_lead.refuse",
      subjectType: "bad_lead_report",
      subjectId: id,
      before: { state: "open" },
      after: { state: decision },
      requestId,
    }),
    recordBadLeadDecision(db, report, { decision, answer, answeredAt: now, byUserId: actor.userId }, isOpen),
    grantFreeClaim(db, purchaseId, isGranted, now),
    resolveCaseAlert(db, report.leadId, now, isGranted),
    db
      .update(badLeadReports)
      .set({ state: decision, answer: answer ?? null, answeredAt: now })
      .where(open)
      .returning({ buyerId: badLeadReports.buyerId, purchaseId: badLeadReports.purchaseId }),
    ...followDecision(db, purchaseId, by),
  ]);
  if (row) return row;
  throw new DomainError("bad_lead_answered", "Someone has already answered this report.");
}
