/** Statements about a case of the guarantee, for the rules and for the people who decide it. */
import { and, eq, exists, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import { type AnnouncedState, DECISION_TITLES, type GuaranteeRule } from "../../../contract/guarantee.ts";
import type { Act } from "../../identity/audit/act.ts";
import { auditWhen, SYSTEM_ACTOR } from "../../identity/audit/commands.ts";
import { attentionWhen } from "../../outbox/attention-commands.ts";
import { enqueue, toDevices } from "../../outbox/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import {
  attention,
  freeClaims,
  guaranteeCases,
  leadPurchases,
  leads,
  pushDevices,
  users,
} from "../../platform/db/schema.ts";
import { newId } from "../../platform/ids.ts";
import { followFreeClaim } from "../reviews/commands.ts";

/** SQL: a case matches `where`. */
export const hasCase = (db: Db, where: SQL) =>
  exists(db.select({ id: guaranteeCases.purchaseId }).from(guaranteeCases).where(where));

/** Returns the act of an admin, or of a sweep at a time. */
const toAct = (by: Act | number) =>
  typeof by === "number" ? { actor: SYSTEM_ACTOR, now: by, requestId: null } : by;

/** Returns the statement that logs a decision about a case, if the case matches `where`. */
export function logDecision(
  db: Db,
  { purchaseId, rule }: { purchaseId: string; rule: GuaranteeRule },
  action: string,
  where: SQL,
  by: Act | number,
) {
  const { actor, now, requestId } = toAct(by);
  const entry = { at: now, action: `guarantee.${action}`, subjectType: "purchase", subjectId: purchaseId };
  return auditWhen(db, where, actor, { ...entry, after: { rule }, requestId });
}

/** Returns the statement that gives a business a free claim for a purchase, or gives a revoked one back. */
export function grantFreeClaim(db: Db, purchaseId: string, when: SQL, now: number) {
  return db
    .insert(freeClaims)
    .select(
      db
        .select({
          id: sql`${newId("crd")}`.as("id"),
          buyerId: leadPurchases.buyerId,
          purchaseId: leadPurchases.id,
          priceCents: leads.priceCents,
          createdAt: sql`${now}`.as("created_at"),
          revokedAt: sql`NULL`.as("revoked_at"),
          usedForLeadId: sql`NULL`.as("used_for_lead_id"),
          usedAt: sql`NULL`.as("used_at"),
          finishedAt: sql`NULL`.as("finished_at"),
        })
        .from(leadPurchases)
        .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
        .where(and(eq(leadPurchases.id, purchaseId), when)),
    )
    .onConflictDoUpdate({ target: freeClaims.purchaseId, set: { revokedAt: null } });
}

/** The kind of alert for a case that waits for a person. */
const ATTENTION = "guarantee_review";

/** Returns the statement that alerts the admins to a case that waits for one of them. */
export const raiseCaseAlert = (
  db: Db,
  { leadId, detail, since }: { leadId: string; detail: string; since: number },
  when: SQL,
) => attentionWhen(db, { kind: ATTENTION, subjectId: leadId, detail, since }, sql`WHERE ${when}`);

/** Returns the statement that resolves the alert for a case. */
export const resolveCaseAlert = (db: Db, leadId: string, now: number, when?: SQL) =>
  db
    .update(attention)
    .set({ resolvedAt: now })
    .where(
      and(eq(attention.kind, ATTENTION), eq(attention.subjectId, leadId), isNull(attention.resolvedAt), when),
    );

/**
 * Returns the statements that follow a decision about a case: they email and alert the business, if the batch has just
 * decided it, and hide or show the review.
 */
export function followDecision(db: Db, purchaseId: string, by: Act | number) {
  const act = toAct(by);
  const { now } = act;
  const isNew = and(
    eq(guaranteeCases.purchaseId, purchaseId),
    eq(guaranteeCases.updatedAt, now),
    inArray(guaranteeCases.state, Object.keys(DECISION_TITLES) as AnnouncedState[]),
  );
  const subject = { purchaseId, at: now };
  const payload = sql`json_object('purchaseId', ${guaranteeCases.purchaseId}, 'kind', ${guaranteeCases.state})`;
  const toMailbox = {
    channel: "email" as const,
    from: sql`${guaranteeCases} INNER JOIN ${users} ON ${users.id} = ${guaranteeCases.buyerId}`,
    where: and(isNew, eq(users.isActive, true), isNotNull(users.email)),
    recipient: sql`lower(${users.email})`,
    userId: sql`${users.id}`,
  };
  const toPhones = toDevices(
    isNew,
    sql`${guaranteeCases} INNER JOIN ${pushDevices} ON ${pushDevices.userId} = ${guaranteeCases.buyerId}`,
  );
  const leadId = sql`${guaranteeCases.leadId}`;
  return [
    enqueue(db, "guarantee_decision", { to: toMailbox, subject, payload }, now),
    enqueue(db, "free_claim_decided", { to: toPhones, subject, payload, leadId }, now),
    ...followFreeClaim(db, purchaseId, act),
  ] as const;
}
