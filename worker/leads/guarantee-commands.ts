/**
 * Opens cases of the guarantee, and schedules them for re-evaluation. Each statement runs in the batch of the change that
 * causes it. The sweep in worker/pipeline/guarantee decides the cases that are due.
 */
import { and, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";

import type { GuaranteeRule } from "../../contract/guarantee.ts";
import { firstContactAt } from "../platform/db/call-result.ts";
import type { Db } from "../platform/db/client.ts";
import { guaranteeCases, leadPurchases } from "../platform/db/schema.ts";

/**
 * SQL: the guarantee covers a purchase. The business paid for it, without a dispute, and still has it. Its customer's
 * request was not passed on because no call came.
 */
export const isGuaranteed = sql`lead_purchases.mode IN ('stripe', 'direct') AND lead_purchases.amount_paid_cents > 0
  AND lead_purchases.payment_status NOT IN ('refunded', 'disputed') AND lead_purchases.removed_at IS NULL
  AND lead_purchases.call_clock ->> '$.rescuedAt' IS NULL`;

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

/** Returns the statement that schedules a decided case for re-evaluation. @param of selects the purchase */
function rescheduleCase(db: Db, of: SQL, now: number, condition?: SQL) {
  // A single value, because with IN SQLite may scan the cases. No two kept purchases have one lead or one payment.
  const purchase = db
    .select({ id: leadPurchases.id })
    .from(leadPurchases)
    .where(and(of, isNull(leadPurchases.removedAt)))
    .limit(1);
  return (
    db
      .update(guaranteeCases)
      // Changes `updatedAt`, or a sweep that is deciding the case would clear the new `dueAt`.
      .set({ dueAt: now, updatedAt: sql`max(${guaranteeCases.updatedAt} + 1, ${now})` })
      .where(
        and(
          sql`${guaranteeCases.purchaseId} = ${purchase}`,
          // A customer who was asked keeps their 48 hours. The sweep reads the facts then.
          inArray(guaranteeCases.state, ["capped", "granted"]),
          condition,
        ),
      )
  );
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

/** Returns the statement that makes the sweep take back the free claim for a refunded or disputed payment. */
export function recheckRefundedCase(db: Db, paymentIntentId: string, now: number) {
  const of = and(
    eq(leadPurchases.paymentIntentId, paymentIntentId),
    inArray(leadPurchases.paymentStatus, ["refunded", "disputed"]),
  )!;
  return rescheduleCase(db, of, now);
}
