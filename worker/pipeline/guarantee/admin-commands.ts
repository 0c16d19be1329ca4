/** The decisions of admins about cases of the guarantee, and the contests that ask for one. */
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";

import type { FreeClaimDecision } from "../../../contract/bad-leads.ts";
import type { ContestForm } from "../../../contract/guarantee.ts";
import type { Act } from "../../identity/audit/act.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { Db } from "../../platform/db/client.ts";
import { badLeadReports, guaranteeCases } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import {
  followDecision,
  grantFreeClaim,
  hasCase,
  logDecision,
  raiseCaseAlert,
  resolveCaseAlert,
} from "./case-commands.ts";
import { CONTESTABLE, isOpenCase } from "./queries.ts";

/**
 * Returns the statement that records an admin's decision about a bad-lead report as a case. A granted case stays. A refused
 * report changes no case that a rule or a person has yet to decide.
 */
export function recordBadLeadDecision(
  db: Db,
  {
    purchaseId,
    leadId,
    buyerId,
  }: Pick<typeof badLeadReports.$inferSelect, "purchaseId" | "leadId" | "buyerId">,
  decided: {
    decision: "granted" | "refused";
    answer: string | null | undefined;
    answeredAt: number;
    byUserId: string;
  },
  when: SQL,
) {
  const { decision, answer = null, answeredAt, byUserId } = decided;
  const row = {
    rule: "bad_lead_report",
    state: decision,
    answer,
    answeredAt,
    answeredByUserId: byUserId,
  } as const;
  return db
    .insert(guaranteeCases)
    .select(
      db
        .select({
          purchaseId: sql`${purchaseId}`.as("purchase_id"),
          leadId: sql`${leadId}`.as("lead_id"),
          buyerId: sql`${buyerId}`.as("buyer_id"),
          rule: sql`${row.rule}`.as("rule"),
          state: sql`${row.state}`.as("state"),
          dueAt: sql`NULL`.as("due_at"),
          contestedAt: sql`NULL`.as("contested_at"),
          contestNote: sql`NULL`.as("contest_note"),
          answer: sql`${answer}`.as("answer"),
          answeredAt: sql`${answeredAt}`.as("answered_at"),
          answeredByUserId: sql`${byUserId}`.as("answered_by_user_id"),
          createdAt: sql`${answeredAt}`.as("created_at"),
          updatedAt: sql`${answeredAt}`.as("updated_at"),
        })
        .from(sql`(SELECT 1)`)
        .where(when),
    )
    .onConflictDoUpdate({
      target: guaranteeCases.purchaseId,
      set: { ...row, dueAt: null, updatedAt: answeredAt },
      setWhere:
        decision === "granted"
          ? sql`${guaranteeCases.state} <> 'granted'`
          : inArray(guaranteeCases.state, [...CONTESTABLE]),
    });
}

/**
 * Contests a decision, for a person to decide once more.
 * @throws DomainError not_found, not_contestable
 */
export async function contestCase(
  db: Db,
  scope: BusinessScope,
  purchaseId: string,
  { note }: ContestForm,
  by: Act,
): Promise<void> {
  const { now } = by;
  const own = and(eq(guaranteeCases.purchaseId, purchaseId), eq(guaranteeCases.buyerId, scope.businessId))!;
  const [row] = await db.select().from(guaranteeCases).where(own);
  if (!row) throw new DomainError("not_found", "Purchase not found");
  const can = and(own, inArray(guaranteeCases.state, [...CONTESTABLE]), isNull(guaranteeCases.contestedAt))!;
  const isThis = hasCase(db, can);
  const detail = "A business contests a decision under the guarantee. Please decide again.";
  const [, , written] = await db.batch([
    logDecision(db, row, "contest", isThis, by),
    raiseCaseAlert(db, { leadId: row.leadId, detail, since: now }, isThis),
    db
      .update(guaranteeCases)
      .set({ state: "contested", contestedAt: now, contestNote: note, dueAt: null, updatedAt: now })
      .where(can)
      .returning({ id: guaranteeCases.purchaseId }),
  ]);
  if (written.length === 0) throw new DomainError("not_contestable", "You can't contest this any more.");
}

/**
 * Decides a case that waits for a person.
 * @returns the business, to notify its windows
 * @throws DomainError not_found, bad_lead_answered
 */
export async function answerCase(
  db: Db,
  purchaseId: string,
  { decision, answer }: FreeClaimDecision,
  by: Act,
): Promise<{ buyerId: string; purchaseId: string }> {
  const { now } = by;
  const [row] = await db.select().from(guaranteeCases).where(eq(guaranteeCases.purchaseId, purchaseId));
  if (!row) throw new DomainError("not_found", "Case not found");
  const open = and(eq(guaranteeCases.purchaseId, purchaseId), isOpenCase)!;
  const isThis = hasCase(db, open);
  const isGranted = decision === "granted";
  const results = await db.batch([
    logDecision(db, row, isGranted ? "grant" : "refuse", isThis, by),
    grantFreeClaim(db, purchaseId, and(isThis, sql`${isGranted}`)!, now),
    resolveCaseAlert(db, row.leadId, now),
    db
      .update(badLeadReports)
      .set({ state: decision, answer: answer ?? null, answeredAt: now })
      .where(and(eq(badLeadReports.purchaseId, purchaseId), isThis, sql`${row.rule === "bad_lead_report"}`)),
    db
      .update(guaranteeCases)
      .set({
        state: decision,
        answer: answer ?? null,
        answeredAt: now,
        answeredByUserId: by.actor.userId,
        dueAt: null,
        updatedAt: now,
      })
      .where(open)
      .returning({ buyerId: guaranteeCases.buyerId, purchaseId: guaranteeCases.purchaseId }),
    ...followDecision(db, purchaseId, by),
  ]);
  const [written] = results[4];
  if (!written) throw new DomainError("bad_lead_answered", "Someone has already decided this.");
  return written;
}
