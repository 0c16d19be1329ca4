/** Opens and decides cases of the guarantee, by rule or by an admin. */

import { and, eq, inArray, isNull, ne, sql, type SQL } from "drizzle-orm";

import type { FreeClaimDecision } from "../../../contract/bad-leads.ts";
import {
  type ContestForm,
  type GuaranteeRule,
  type GuaranteeState,
  isAnnounced,
} from "../../../contract/guarantee.ts";
import { type Act, auditEntry, SYSTEM_ACTOR } from "../../identity/audit/store.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { attentionWhen, enqueue } from "../../outbox/commands.ts";
import { firstContactAt } from "../../platform/db/call-result.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { leads } from "../../platform/db/leads.ts";
import { attention } from "../../platform/db/messages.ts";
import { freeClaims } from "../../platform/db/payments.ts";
import { badLeadReports, guaranteeCases, leadPurchases } from "../../platform/db/purchases.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { rescheduleCase } from "../../selling/payments/ledger-commands.ts";
import { followFreeClaim } from "../reviews/commands.ts";
import { freeClaimDecided, guaranteeDecision } from "./messages.ts";
import { CONTESTABLE, isGuaranteed, isOpenState, toCase } from "./queries.ts";

/** The columns that identify a case. */
type CaseIds = Pick<typeof guaranteeCases.$inferSelect, "purchaseId" | "leadId" | "buyerId">;

/** Returns the guard of a batch that decides a case: it is as we read it. */
export function caseAsRead({
  purchaseId,
  state,
  updatedAt,
}: Pick<typeof guaranteeCases.$inferSelect, "purchaseId" | "state" | "updatedAt">) {
  const where = and(
    eq(guaranteeCases.purchaseId, purchaseId),
    eq(guaranteeCases.state, state),
    eq(guaranteeCases.updatedAt, updatedAt),
  );
  return { from: guaranteeCases, where };
}

/** Returns the act of an admin, or of a sweep at a time. */
const toAct = (by: Act | number) =>
  typeof by === "number" ? { actor: SYSTEM_ACTOR, now: by, requestId: null } : by;

/** Returns the statement that logs a decision about a case. */
export function logDecision(
  db: Db,
  { purchaseId, rule }: { purchaseId: string; rule: GuaranteeRule },
  action: string,
  by: Act | number,
) {
  const { actor, now, requestId } = toAct(by);
  const entry = { at: now, action: `guarantee.${action}`, subjectType: "purchase", subjectId: purchaseId };
  return auditEntry(db, actor, { ...entry, after: { rule }, requestId });
}

/** Returns the statement that changes a case. */
export const changeCase = (
  db: Db,
  purchaseId: string,
  change: Partial<typeof guaranteeCases.$inferInsert>,
  now: number,
) =>
  db
    .update(guaranteeCases)
    .set({ dueAt: null, ...change, updatedAt: now })
    .where(eq(guaranteeCases.purchaseId, purchaseId));

/** Returns the statement that gives a business a free claim for a purchase, or gives a revoked one back. */
export const grantFreeClaim = (db: Db, { purchaseId, buyerId }: CaseIds, priceCents: number, now: number) =>
  db
    .insert(freeClaims)
    .values({ id: newId("clm"), buyerId, purchaseId, priceCents, createdAt: now })
    .onConflictDoUpdate({ target: freeClaims.purchaseId, set: { revokedAt: null } });

/** The kind of alert for a case that waits for a person. */
const ATTENTION = "guarantee_review";

/** Returns the statement that alerts the admins to a case that waits for one of them. */
export const raiseCaseAlert = (db: Db, leadId: string, detail: string, now: number) =>
  attentionWhen(db, { kind: ATTENTION, subjectId: leadId, detail, since: now }, sql`WHERE true`);

/** Returns the statement that resolves the alert for a case. */
export const resolveCaseAlert = (db: Db, leadId: string, now: number) =>
  db
    .update(attention)
    .set({ resolvedAt: now })
    .where(and(eq(attention.kind, ATTENTION), eq(attention.subjectId, leadId), isNull(attention.resolvedAt)));

/**
 * Returns the statements that follow a decision about a case: they email and alert the business, and hide or show the
 * review.
 */
export function followDecision(
  db: Db,
  { purchaseId, leadId, buyerId }: CaseIds,
  state: GuaranteeState,
  by: Act | number,
) {
  const act = toAct(by);
  const decision = { purchaseId, leadId, buyerId, state, at: act.now };
  const messages = isAnnounced(state)
    ? [enqueue(db, guaranteeDecision, decision, act.now), enqueue(db, freeClaimDecided, decision, act.now)]
    : [];
  return [...messages, ...followFreeClaim(db, purchaseId, act)];
}

// The decisions of admins about cases of the guarantee, and the contests that ask for one.

/**
 * Returns the statements that record an admin's decision about a bad-lead report as a case, and the condition that the
 * case is as read. A granted case stays. A refused report changes no case that a rule or a person has yet to decide.
 */
export async function recordBadLeadDecision(
  db: Db,
  ids: CaseIds,
  decision: "granted" | "refused",
  answer: string | null,
  by: Act,
) {
  const { now, actor } = by;
  const ofCase = eq(guaranteeCases.purchaseId, ids.purchaseId);
  const [known] = await db.select().from(guaranteeCases).where(ofCase);
  const isSame = sql`(SELECT state FROM guarantee_cases WHERE purchase_id = ${ids.purchaseId}) IS ${known?.state ?? null}`;
  const isKept =
    known && (decision === "granted" ? known.state === "granted" : !CONTESTABLE.includes(known.state));
  const decided = { answer, decidedAt: now, decidedByUserId: actor.userId, updatedAt: now };
  const set = { rule: "bad_lead_report", state: decision, dueAt: null, ...decided } as const;
  const record = db
    .insert(guaranteeCases)
    .values({ ...ids, ...set, createdAt: now })
    .onConflictDoUpdate({ target: guaranteeCases.purchaseId, set });
  const statements = isKept
    ? followFreeClaim(db, ids.purchaseId, by)
    : [record, ...followDecision(db, ids, decision, by)];
  return { isSame, statements };
}

/**
 * Contests a decision, for a person to decide once more.
 * @throws DomainError not_found, not_contestable
 */
export function contestCase(
  db: Db,
  scope: BusinessScope,
  purchaseId: string,
  { note }: ContestForm,
  by: Act,
): Promise<void> {
  const { now } = by;
  const own = and(eq(guaranteeCases.purchaseId, purchaseId), eq(guaranteeCases.buyerId, scope.businessId));
  const detail = "A business contests a decision under the guarantee. Please decide again.";
  return retryIfChanged(async () => {
    const [row] = await db.select().from(guaranteeCases).where(own);
    if (!row) throw new DomainError("not_found", "Purchase not found");
    if (!toCase(row).canContest) throw new DomainError("not_contestable", "You can't contest this any more.");
    await guardedBatch(db, caseAsRead(row), [
      changeCase(db, purchaseId, { state: "contested", contestedAt: now, contestNote: note }, now),
      logDecision(db, row, "contest", by),
      raiseCaseAlert(db, row.leadId, detail, now),
    ]);
  });
}

/**
 * Decides a case that waits for a person.
 * @returns the business, to notify its windows
 * @throws DomainError not_found, bad_lead_answered
 */
export function answerCase(
  db: Db,
  purchaseId: string,
  { decision, answer = null }: FreeClaimDecision,
  by: Act,
): Promise<{ buyerId: string; purchaseId: string }> {
  const { now } = by;
  const decided = { state: decision, answer, decidedAt: now };
  return retryIfChanged(async () => {
    const [found] = await db
      .select({ row: guaranteeCases, priceCents: leads.priceCents })
      .from(guaranteeCases)
      .innerJoin(leads, eq(leads.id, guaranteeCases.leadId))
      .where(eq(guaranteeCases.purchaseId, purchaseId));
    if (!found) throw new DomainError("not_found", "Case not found");
    const { row, priceCents } = found;
    if (!isOpenState(row.state))
      throw new DomainError("bad_lead_answered", "Someone has already decided this.");
    const ofReport = and(eq(badLeadReports.purchaseId, purchaseId), sql`${row.rule} = 'bad_lead_report'`);
    await guardedBatch(db, caseAsRead(row), [
      changeCase(db, purchaseId, { ...decided, decidedByUserId: by.actor.userId }, now),
      logDecision(db, row, decision === "granted" ? "grant" : "refuse", by),
      ...(decision === "granted" ? [grantFreeClaim(db, row, priceCents, now)] : []),
      resolveCaseAlert(db, row.leadId, now),
      db.update(badLeadReports).set(decided).where(ofReport),
      ...followDecision(db, row, decision, by),
    ]);
    return { buyerId: row.buyerId, purchaseId };
  });
}

// Opens cases, and schedules them for re-evaluation. Each statement runs in the batch of the change that causes it. The
// sweep in commands.ts decides the cases that are due.

type NewCase = {
  /** Selects the purchase, such as by its lead. */
  of: SQL;
  rule: GuaranteeRule;
  state?: "waiting" | "asked";
  /** When the sweep decides. Epoch ms. */
  dueAt: SQL | number;
};

/**
 * Returns the statement that opens a case, if the guarantee covers the purchase. An undecided case, and one that a rule
 * refused, moves to the new rule. A decision by a person stays.
 */
export function openCase(db: Db, { of, rule, state = "waiting", dueAt }: NewCase, now: number) {
  return db
    .insert(guaranteeCases)
    .select(
      db
        .select({
          purchaseId: leadPurchases.id,
          leadId: leadPurchases.leadId,
          buyerId: leadPurchases.buyerId,
          rule: sql`${rule}`.as("rule"),
          state: sql`${state}`.as("state"),
          dueAt: sql`${dueAt}`.as("due_at"),
          contestedAt: sql`NULL`.as("contested_at"),
          contestNote: sql`NULL`.as("contest_note"),
          answer: sql`NULL`.as("answer"),
          decidedAt: sql`NULL`.as("decided_at"),
          decidedByUserId: sql`NULL`.as("decided_by_user_id"),
          createdAt: sql`${now}`.as("created_at"),
          updatedAt: sql`${now}`.as("updated_at"),
        })
        .from(leadPurchases)
        .where(and(of, isGuaranteed)),
    )
    .onConflictDoUpdate({
      target: guaranteeCases.purchaseId,
      set: {
        rule,
        state,
        dueAt: sql`excluded.due_at`,
        createdAt: now,
        updatedAt: sql`max(${guaranteeCases.updatedAt} + 1, ${now})`,
      },
      setWhere: and(
        inArray(guaranteeCases.state, ["waiting", "asked", "refused"]),
        isNull(guaranteeCases.decidedAt),
        isNull(guaranteeCases.contestedAt),
        // The customer is asked about the calls once.
        sql`${rule} <> 'no_answer'`,
      ),
    });
}

/**
 * Returns the statement that opens a case for a request that its customer withdraws or deletes, if the call clock is
 * running and the buyer has not called or texted.
 */
export function openWithdrawnCase(db: Db, leadId: string, now: number) {
  const of = and(
    eq(leadPurchases.leadId, leadId),
    sql`lead_purchases.clock_ends_at >= ${now}`,
    sql`${firstContactAt} IS NULL`,
  )!;
  return openCase(db, { of, rule: "withdrawn", dueAt: now }, now);
}

/**
 * Returns the statement that schedules a decision by rule for re-evaluation.
 * @param of selects the purchase, with the condition under which the caller's own change applies
 */
export function recheckCase(db: Db, of: SQL, now: number) {
  // If the case was contested, a person has decided.
  return rescheduleCase(
    db,
    of,
    now,
    and(ne(guaranteeCases.rule, "bad_lead_report"), isNull(guaranteeCases.contestedAt)),
  );
}
