import type { Act } from "../../identity/audit/act.ts";
import { and, eq, notExists, sql } from "drizzle-orm";

import type { FreeClaimDecision, DudReport, DudReportForm } from "../../../contract/duds.ts";
import { auditWhen } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { dudReports } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import { recordDudDecision } from "../guarantee/admin-commands.ts";
import { followDecision, grantFreeClaim, resolveCaseAlert } from "../guarantee/case-commands.ts";
import { hasFreeClaim } from "../guarantee/queries.ts";
import { wasFreeClaim } from "./queries.ts";
import { requireReportable } from "./rules.ts";

/**
 * Reports a bought lead as a dud, for an admin to decide. A purchase can be reported only once.
 * @throws DomainError not_found, dud_not_bought, dud_too_late, dud_reported
 */
export async function reportDud(
  db: Db,
  scope: BusinessScope,
  purchaseId: string,
  form: DudReportForm,
  { actor, now, requestId }: Act,
): Promise<DudReport> {
  const purchase = await findPurchase(db, scope, purchaseId);
  if (!purchase) throw new DomainError("not_found", "Purchase not found");
  requireReportable(purchase, await wasFreeClaim(db, purchase), now);
  if (await hasFreeClaim(db, purchaseId))
    throw new DomainError("dud_reported", "You already have a free claim for this lead.");
  const { reason } = form;
  const id = newId("dud");
  const first = notExists(
    db.select({ id: dudReports.id }).from(dudReports).where(eq(dudReports.purchaseId, purchaseId)),
  );
  const [, [stored]] = await db.batch([
    auditWhen(db, first, actor, {
      at: now,
      action: "dud.report",
      subjectType: "purchase",
      subjectId: purchaseId,
      after: { reportId: id, reason },
      requestId,
    }),
    db
      .insert(dudReports)
      .values({
        id,
        purchaseId,
        leadId: purchase.leadId,
        buyerId: scope.businessId,
        reason,
        note: form.note ?? null,
        createdAt: now,
      })
      .onConflictDoNothing({ target: dudReports.purchaseId })
      .returning(),
  ]);
  if (!stored) throw new DomainError("dud_reported", "You've already reported this lead.");
  return { id, purchaseId, reason, state: stored.state, answer: null, createdAt: now };
}

/**
 * Grants or rejects an open report. A granted report gives the business one free claim. The payment is not refunded.
 * @returns the business that reported the dud, and its purchase, to notify the business's windows
 * @throws DomainError not_found, dud_answered
 */
export async function answerDud(
  db: Db,
  id: string,
  { decision, answer }: FreeClaimDecision,
  by: Act,
): Promise<{ buyerId: string; purchaseId: string }> {
  const { actor, now, requestId } = by;
  const open = and(eq(dudReports.id, id), eq(dudReports.state, "open"));
  const isOpen = sql`EXISTS (SELECT 1 FROM ${dudReports} WHERE ${open})`;
  const [report] = await db.select().from(dudReports).where(eq(dudReports.id, id));
  if (!report) throw new DomainError("not_found", "Report not found");
  const { purchaseId } = report;
  // The order matters: the log, the case and the free claim require an open report, and the update closes it.
  const isGranted = and(isOpen, sql`${decision === "granted"}`)!;
  const [, , , , [row]] = await db.batch([
    auditWhen(db, isOpen, actor, {
      at: now,
      action: decision === "granted" ? "dud.grant" : "dud.refuse",
      subjectType: "dud_report",
      subjectId: id,
      before: { state: "open" },
      after: { state: decision },
      requestId,
    }),
    recordDudDecision(db, report, { decision, answer, answeredAt: now, byUserId: actor.userId }, isOpen),
    grantFreeClaim(db, purchaseId, isGranted, now),
    resolveCaseAlert(db, report.leadId, now, isGranted),
    db
      .update(dudReports)
      .set({ state: decision, answer: answer ?? null, answeredAt: now })
      .where(open)
      .returning({ buyerId: dudReports.buyerId, purchaseId: dudReports.purchaseId }),
    ...followDecision(db, purchaseId, by),
  ]);
  if (row) return row;
  throw new DomainError("dud_answered", "Someone has already answered this report.");
}
