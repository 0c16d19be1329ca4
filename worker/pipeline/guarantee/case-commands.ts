/** Statements about a case of the guarantee, for the rules and for the people who decide it. */
import { and, eq, isNull, sql } from "drizzle-orm";

import { type GuaranteeRule, type GuaranteeState, isAnnounced } from "../../../contract/guarantee.ts";
import type { Act } from "../../identity/audit/act.ts";
import { auditEntry, SYSTEM_ACTOR } from "../../identity/audit/commands.ts";
import { attentionWhen } from "../../outbox/attention-commands.ts";
import { enqueue } from "../../outbox/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention, freeClaims, guaranteeCases } from "../../platform/db/schema.ts";
import { newId } from "../../platform/ids.ts";
import { followFreeClaim } from "../reviews/commands.ts";
import { freeClaimDecided, guaranteeDecision } from "./messages.ts";

/** The columns that identify a case. */
export type CaseIds = Pick<typeof guaranteeCases.$inferSelect, "purchaseId" | "leadId" | "buyerId">;

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
    .values({ id: newId("crd"), buyerId, purchaseId, priceCents, createdAt: now })
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
