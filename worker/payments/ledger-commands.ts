/** What is written into `payments`, our ledger of what Stripe holds. Every statement may be repeated. */
import { and, eq, inArray, isNull, sql } from "drizzle-orm";

import { type Actor, auditEntry } from "../audit/commands.ts";
import { sessionIsLive } from "../auth/queries.ts";
import type { Db } from "../db/client.ts";
import { leadPurchases, payments, users } from "../db/schema.ts";
import { newId } from "../ids.ts";
import type { BusinessScope } from "../middleware/access.ts";
import type { KnownPayment, LedgerRow, PaymentOrder } from "./rules.ts";

/** What has to be true of a buyer at the very moment a payment is opened: a live session, by its token's hash. */
export type LiveBuyer = { sessionHash: string; mustBeVerified: boolean };

/**
 * Opens a hold's row and takes one of its business's two slots, in one statement: whoever comes third,
 * from whichever region, finds none, and so does whoever may not buy any more, by the same statement.
 * @returns false when no slot was to be had
 */
export async function takeSlot(
  db: Db,
  order: PaymentOrder & { userId: string },
  buyer: LiveBuyer,
  now: number,
): Promise<boolean> {
  const { holdId, leadId, region, businessId, userId, amountCents } = order;
  const { results } = await db.run(sql`
    INSERT INTO payments (id, hold_id, lead_id, region, buyer_id, user_id, state, slot, amount_cents, created_at, updated_at)
    SELECT ${newId("pay")}, ${holdId}, ${leadId}, ${region}, ${businessId}, ${userId}, 'pending', slots.slot,
           ${amountCents}, ${now}, ${now}
    FROM (SELECT 1 AS slot UNION ALL SELECT 2) AS slots
    WHERE NOT EXISTS (SELECT 1 FROM payments AS taken WHERE taken.buyer_id = ${businessId} AND taken.slot = slots.slot)
      AND NOT EXISTS (SELECT 1 FROM payments AS same WHERE same.hold_id = ${holdId})
      AND ${sessionIsLive(db, buyer.sessionHash, now)}
      AND EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND users.is_verified >= ${Number(buyer.mustBeVerified)})
    ORDER BY slots.slot LIMIT 1
    RETURNING id`);
  return results.length > 0;
}

/** Whether a hold has a row, such as from a second tab of the same business. */
export async function hasRow(db: Db, holdId: string): Promise<boolean> {
  const rows = await db.select({ id: payments.id }).from(payments).where(eq(payments.holdId, holdId));
  return rows.length > 0;
}

/** Notes the payment's id before its secret may leave the server, so that no payment is unknown to us. */
export async function noteIntent(db: Db, holdId: string, intentId: string): Promise<void> {
  await db.update(payments).set({ stripePaymentIntentId: intentId }).where(eq(payments.holdId, holdId));
}

/** Frees the slot of a hold that came to nothing. `pending` rows are asked about by the sweep. */
export async function closeRow(
  db: Db,
  holdId: string,
  state: "cancelled" | "pending",
  lastError: string,
  now: number,
): Promise<void> {
  await db
    .update(payments)
    .set({ state, slot: null, lastError, updatedAt: now })
    .where(and(eq(payments.holdId, holdId), eq(payments.state, "pending")));
}

/** States from which a payment may still come to each state; never back from what is final. */
const BEFORE: Record<LedgerRow["state"], LedgerRow["state"][]> = {
  pending: ["pending"],
  processing: ["pending", "processing"],
  succeeded: ["pending", "processing", "cancelled", "succeeded"],
  cancelled: ["pending", "processing"],
  refund_pending: ["pending", "processing", "cancelled", "succeeded"],
  refunded: ["pending", "processing", "cancelled", "succeeded", "refund_pending", "disputed"],
  disputed: ["pending", "processing", "succeeded"],
};

const isOver = (state: LedgerRow["state"]) => state !== "pending" && state !== "processing";

/** Follows a payment's life, never backwards; only a dispute that was won leads back to `succeeded`. @returns whether anything was there to change */
export async function followPayment(
  db: Db,
  payment: KnownPayment,
  state: LedgerRow["state"],
  now: number,
): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({
      state,
      ...(isOver(state) && { slot: null }),
      ...(payment.lastError && { lastError: payment.lastError }),
      ...(payment.card && { cardBrand: payment.card.brand, cardLast4: payment.card.last4 }),
      ...(payment.status === "succeeded" && { succeededAt: sql`coalesce(${payments.succeededAt}, ${now})` }),
      ...(state === "refunded" && { refundedAt: sql`coalesce(${payments.refundedAt}, ${now})` }),
      updatedAt: now,
    })
    .where(
      and(
        eq(payments.stripePaymentIntentId, payment.paymentIntentId),
        inArray(payments.state, payment.isDisputeWon ? [...BEFORE[state], "disputed"] : BEFORE[state]),
      ),
    )
    .returning({ id: payments.id });
  return rows.length > 0;
}

/** Whether the ledger says that a payment was paid back. */
export async function isNotedAsRefunded(db: Db, intentId: string): Promise<boolean> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.stripePaymentIntentId, intentId), eq(payments.state, "refunded")));
  return rows.length > 0;
}

/** Notes that a payment was not paid back after all. */
export async function noteRefundUndone(
  db: Db,
  intentId: string,
  state: "refund_pending" | "succeeded",
  now: number,
): Promise<void> {
  await db
    .update(payments)
    .set({ state, refundedAt: null, updatedAt: now })
    .where(and(eq(payments.stripePaymentIntentId, intentId), eq(payments.state, "refunded")));
}

/** Flags the purchase of a payment that was paid back, is disputed, or no longer is. The lead stays sold. */
export async function flagPurchase(
  db: Db,
  payment: KnownPayment,
  paymentStatus: "refunded" | "disputed" | "completed",
  now: number,
): Promise<void> {
  await db
    .update(leadPurchases)
    .set({ paymentStatus, updatedAt: now })
    .where(
      and(
        eq(leadPurchases.leadId, payment.leadId),
        eq(leadPurchases.buyerId, payment.businessId),
        eq(leadPurchases.mode, "stripe"),
        isNull(leadPurchases.removedAt),
      ),
    );
}

/** A payment we owe back but have no row of, e.g. a second one made for the same hold. */
export async function insertOwed(db: Db, payment: KnownPayment, now: number): Promise<void> {
  const { paymentIntentId, holdId, leadId, region, businessId, amountCents } = payment;
  await db
    .insert(payments)
    .values({
      id: newId("pay"),
      holdId: `${holdId}:${paymentIntentId}`,
      leadId,
      region,
      buyerId: businessId,
      userId: businessId,
      stripePaymentIntentId: paymentIntentId,
      state: "refund_pending",
      amountCents,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing();
}

/** The refunds we owe, of one payment. */
export async function owedRefund(db: Db, intentId: string): Promise<LedgerRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.stripePaymentIntentId, intentId), eq(payments.state, "refund_pending")));
  return row ?? null;
}

/**
 * Stores that a refund is being tried now; of several who try at once one gets through.
 * @returns a key that names this attempt and no other; null when somebody else is at it
 */
export async function claimRefund(db: Db, row: LedgerRow, now: number): Promise<string | null> {
  const at = Math.max(now, row.updatedAt + 1);
  const claimed = await db
    .update(payments)
    .set({ updatedAt: at })
    .where(
      and(
        eq(payments.id, row.id),
        eq(payments.state, "refund_pending"),
        eq(payments.updatedAt, row.updatedAt),
      ),
    )
    .returning({ id: payments.id });
  return claimed.length > 0 ? `refund_${row.id}_${at}` : null;
}

/** Notes how an attempt to refund ended. */
export async function endRefund(db: Db, id: string, error: string | null, now: number): Promise<void> {
  await db
    .update(payments)
    .set(error === null ? { state: "refunded", lastError: null, refundedAt: now } : { lastError: error })
    .where(and(eq(payments.id, id), eq(payments.state, "refund_pending")));
}

/**
 * Writes with which words the buyer agreed that the card of a payment is kept, before it is.
 * @param word `consent`: null takes the agreement back
 */
export async function noteConsent(
  db: Db,
  scope: BusinessScope,
  actor: Actor,
  word: { holdId: string; consent: string | null; now: number },
): Promise<void> {
  const { holdId, consent, now: at } = word;
  await db.batch([
    db
      .update(payments)
      .set({ saveCardConsent: consent })
      .where(and(eq(payments.holdId, holdId), eq(payments.buyerId, scope.businessId))),
    auditEntry(db, actor, {
      at,
      action: consent ? "card.consent" : "card.take_back_consent",
      subjectType: "user",
      subjectId: scope.businessId,
      after: { holdId, consent },
    }),
  ]);
}

/** Notes who a business is at Stripe; of two who learn it at once both learnt the same. */
export async function noteCustomer(db: Db, scope: BusinessScope, customerId: string): Promise<void> {
  await db.update(users).set({ stripeCustomerId: customerId }).where(eq(users.id, scope.businessId));
}
