/** Writes to `payments`, the ledger of payments at Stripe. Every statement is safe to repeat. */
import { and, countDistinct, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";

import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { isSessionLive } from "../../identity/auth/queries.ts";
import { isOwnRequest } from "../../leads/queries.ts";
import { type Db, rawBatch } from "../../platform/db/client.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { payments } from "../../platform/db/payments.ts";
import { guaranteeCases, leadPurchases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import {
  LAPSE_WINDOW_MS,
  MAX_LAPSES,
  LAPSES_WAIT_MS,
  MAX_ABANDONED_HOLDS,
  MAX_NEWCOMER_HOLDS,
} from "../../exchange/hold-rules.ts";
import { newId } from "../../platform/ids.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { attentionWhen, enqueue } from "../../outbox/commands.ts";
import {
  CLAIM_KEY_MS,
  type KnownPayment,
  ledgerState,
  type LedgerRow,
  type NewcomerNetworks,
  RECENT_HOLDS_MS,
} from "./rules.ts";
import type { PaymentOrder } from "../../exchange/ports.ts";
import { holdLapsed, holdLapsing, paidTooLate } from "./messages.ts";

/** Conditions on the buyer when a hold is entered in the ledger. `sessionHash` is the hash of the session's token. */
export type LiveBuyer = {
  sessionHash: string;
  mustBeVerified: boolean;
  /** Whether, when the hold was made, the buyer had paid before or an operator had verified the buyer. */
  isTrusted: boolean;
};

/** The order and claim key for a hold's row. */
export type Entry = PaymentOrder & { userId: string; claimKey: string | null };

/** A hold to enter into the ledger, and when it ends (epoch ms). */
export type NewEntry = Entry & { endsAt: number };

/** Condition: the buyer's session is live, and the buyer is verified where that is required. */
function mayBuy(db: Db, { userId }: Entry, buyer: LiveBuyer, now: number): SQL {
  const live = isSessionLive(db, buyer.sessionHash, now);
  if (!buyer.mustBeVerified) return live;
  return sql`${live} AND EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND users.is_verified = 1)`;
}

/** Condition: the buyer is trusted according to D1, and may hold for longer. */
function isTrusted({ userId }: Entry): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE users.id = ${userId}
    AND (users.is_verified = 1 OR users.is_super_admin = 1 OR users.paying_since IS NOT NULL))`;
}

/** Condition: D1 has no sale of the lead. An exchange that was restored to an earlier point offers sold leads again. */
function isUnsold({ leadId }: Entry): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM lead_purchases WHERE lead_id = ${leadId} AND removed_at IS NULL)`;
}

/** Condition: the business has not recently used the claim key for another lead, in any region. */
function isClaimKeyUnused({ businessId, claimKey, leadId }: Entry, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM payments AS other WHERE other.buyer_id = ${businessId}
    AND other.claim_key = ${claimKey} AND other.created_at > ${now - CLAIM_KEY_MS} AND other.lead_id <> ${leadId})`;
}

/** Condition: the business has not recently released several leads, across all regions. */
function hasFewReleases({ businessId }: Entry, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM (SELECT count(*) AS n, max(released_at) AS latest FROM payments
    WHERE buyer_id = ${businessId} AND created_at > ${now - RECENT_HOLDS_MS} AND released_at > ${now - LAPSE_WINDOW_MS})
    WHERE n >= ${MAX_LAPSES} AND latest > ${now - LAPSES_WAIT_MS})`;
}

/** Condition: fewer than `maxOpen` matching holds are open. */
function isBelowLimit(maxOpen: number, condition: SQL): SQL {
  return sql`(SELECT count(*) FROM payments AS open WHERE open.slot IS NOT NULL AND ${condition}) < ${maxOpen}`;
}

/** Condition: a new provider holds no other lead, and new providers on its networks are below their shared limit. */
function isWithinNewcomerLimits({ businessId }: Entry, { by56, by48 }: NewcomerNetworks): SQL {
  const { perBusiness, per56, per48 } = MAX_NEWCOMER_HOLDS;
  return sql.join(
    [
      isBelowLimit(perBusiness, sql`open.buyer_id = ${businessId}`),
      ...(by56 ? [isBelowLimit(per56, sql`open.newcomer_56 = ${by56}`)] : []),
      ...(by48 ? [isBelowLimit(per48, sql`open.newcomer_48 = ${by48}`)] : []),
    ],
    sql` AND `,
  );
}

/**
 * Inserts a hold's row and takes one of the business's two slots, in one statement. Refuses a third hold, in any
 * region, because both slots are taken. Also refuses a buyer who may no longer buy or has released too many leads. Also
 * refuses a claim key that was used for another lead, and a lead that D1 knows is sold. The same batch enqueues the warning that the hold is about to
 * expire.
 * @param networks a new provider's networks, which lower its limit; null for any other buyer
 * @returns false if the hold did not get a slot
 */
export async function takeSlot(
  db: Db,
  order: NewEntry,
  buyer: LiveBuyer,
  networks: NewcomerNetworks | null,
  now: number,
): Promise<boolean> {
  const { holdId, leadId, region, businessId, userId, amountCents, claimKey, endsAt } = order;
  const insertRow = sql`
    INSERT INTO payments (id, hold_id, lead_id, region, buyer_id, user_id, state, slot, newcomer_56, newcomer_48, amount_cents, claim_key, created_at, updated_at)
    SELECT ${newId("pay")}, ${holdId}, ${leadId}, ${region}, ${businessId}, ${userId}, 'pending', slots.slot,
           ${networks?.by56 ?? null}, ${networks?.by48 ?? null}, ${amountCents}, ${claimKey}, ${now}, ${now}
    FROM (SELECT 1 AS slot UNION ALL SELECT 2) AS slots
    WHERE NOT EXISTS (SELECT 1 FROM payments AS taken WHERE taken.buyer_id = ${businessId} AND taken.slot = slots.slot)
      AND NOT EXISTS (SELECT 1 FROM payments AS same WHERE same.hold_id = ${holdId})
      AND ${isUnsold(order)}
      AND NOT ${isOwnRequest(businessId, leadId)}
      AND ${mayBuy(db, order, buyer, now)}
      ${buyer.isTrusted ? sql`AND ${isTrusted(order)}` : sql``}
      ${networks ? sql`AND ${isWithinNewcomerLimits(order, networks)}` : sql``}
      ${claimKey ? sql`AND ${isClaimKeyUnused(order, now)}` : sql``}
      AND ${hasFewReleases(order, now)}
    ORDER BY slots.slot LIMIT 1
    RETURNING id`;
  const warning = enqueue(db, holdLapsing, { holdId, leadId, endsAt }, now);
  const [entered] = await rawBatch(db, [insertRow, warning]);
  return entered!.length > 0;
}

/** The `lastError` of a hold whose payment Stripe did not create. The buyer may retry until the hold ends. */
export const NOT_CREATED = "not_created";

/**
 * Returns whether a hold's row is open, the buyer may still buy and the claim key belongs to this lead. Uses one
 * statement, for a repeated call about an existing hold.
 */
export async function isHoldCurrent(db: Db, order: Entry, buyer: LiveBuyer, now: number): Promise<boolean> {
  const { holdId, claimKey } = order;
  const { results } = await db.run(sql`
    SELECT id FROM payments WHERE hold_id = ${holdId} AND slot IS NOT NULL
      AND ${mayBuy(db, order, buyer, now)}
      ${claimKey ? sql`AND ${isClaimKeyUnused(order, now)}` : sql``}`);
  return results.length > 0;
}

/** Records that an open hold's payment could not be created, unless another call has since created it. */
export async function recordCreationFailure(db: Db, holdId: string): Promise<void> {
  await db
    .update(payments)
    .set({ lastError: NOT_CREATED })
    .where(
      and(
        eq(payments.holdId, holdId),
        eq(payments.state, "pending"),
        isNotNull(payments.slot),
        isNull(payments.stripePaymentIntentId),
      ),
    );
}

/** An abandoned hold. `hasLapsed`: it expired, rather than its buyer closing it. */
export type AbandonedHold = { holdId: string; leadId: string; hasLapsed: boolean };

/**
 * Records that the buyer abandoned a hold. If the hold expired, notifies the buyer, who may not be watching. Alerts the
 * admins in the same batch if several businesses have abandoned the lead. The request may be fake, or providers may be
 * blocking real buyers.
 */
export async function markAbandoned(
  db: Db,
  { holdId, leadId, hasLapsed }: AbandonedHold,
  now: number,
): Promise<void> {
  const businesses = countDistinct(payments.buyerId);
  const detail = sql`${businesses} || ' businesses reserved this lead and released it again'`;
  await db.batch([
    db
      .update(payments)
      .set({ releasedAt: now })
      .where(and(eq(payments.holdId, holdId), isNull(payments.releasedAt), isNull(payments.succeededAt))),
    attentionWhen(
      db,
      { kind: "held_in_vain", subjectId: leadId, detail, since: now },
      sql`FROM ${payments} WHERE ${payments.leadId} = ${leadId} AND ${payments.releasedAt} IS NOT NULL
        HAVING ${businesses} >= ${MAX_ABANDONED_HOLDS}`,
    ),
    ...(hasLapsed ? [enqueue(db, holdLapsed, { holdId, leadId }, now)] : []),
  ]);
}

export async function hasOpenRow(db: Db, businessId: string): Promise<boolean> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.buyerId, businessId), sql`slot IS NOT NULL`));
  return rows.length > 0;
}

/**
 * Records the payment's ID. Must run before the payment's secret leaves the server, so that the ledger knows every payment.
 */
export function recordIntent(db: Db, holdId: string, intentId: string) {
  return db
    .update(payments)
    .set({ stripePaymentIntentId: intentId, lastError: sql`nullif(${payments.lastError}, ${NOT_CREATED})` })
    .where(eq(payments.holdId, holdId));
}

/** Releases the slot and deletes the stored networks. */
export const NO_SLOT = { slot: null, newcomer56: null, newcomer48: null } as const;

/** Releases the slot of an ended hold. The sweep checks `pending` rows with Stripe. */
export async function closeRow(
  db: Db,
  holdId: string,
  state: "cancelled" | "pending",
  lastError: string,
  now: number,
): Promise<void> {
  await db
    .update(payments)
    .set({ state, ...NO_SLOT, lastError, updatedAt: now })
    .where(and(eq(payments.holdId, holdId), eq(payments.state, "pending")));
}

/** Cancels the row of a hold that an operator released. A payment that succeeds later is recorded and refunded. */
export function abandonRow(db: Db, holdId: string, lastError: string, now: number) {
  return db
    .update(payments)
    .set({ state: "cancelled", ...NO_SLOT, lastError, updatedAt: now })
    .where(and(eq(payments.holdId, holdId), inArray(payments.state, ["pending", "processing"])));
}

/** The states from which a payment may enter each state. A payment never leaves a final state. */
const ALLOWED_FROM: Record<LedgerRow["state"], LedgerRow["state"][]> = {
  pending: ["pending"],
  processing: ["pending", "processing"],
  succeeded: ["pending", "processing", "cancelled", "succeeded"],
  cancelled: ["pending", "processing"],
  refund_pending: ["pending", "processing", "cancelled", "succeeded"],
  refunded: ["pending", "processing", "cancelled", "succeeded", "refund_pending", "disputed"],
  disputed: ["pending", "processing", "succeeded"],
};

/** Returns whether a payment in this state has ended. */
export const hasEnded = (state: LedgerRow["state"]) => state !== "pending" && state !== "processing";

/** A stored time further in the future than this comes from a wrong clock and is ignored when ordering readings. */
const MAX_CLOCK_SKEW_MS = 5_000;

/**
 * `followed`: the ledger now has this state. `unchanged`: there was nothing to change. `overtaken`: another caller's
 * reading finished after this reading began, and may be newer.
 */
export type LedgerUpdate = "followed" | "unchanged" | "overtaken";

/**
 * Moves a payment's row to a later state, never backwards. Only a won dispute returns to `succeeded`. An older reading
 * never replaces a newer one, for example from concurrent webhooks.
 */
export async function advancePayment(
  db: Db,
  payment: KnownPayment,
  state: LedgerRow["state"],
  now: number,
): Promise<LedgerUpdate> {
  const { paymentIntentId, asked, answered } = payment;
  const ofPayment = eq(payments.stripePaymentIntentId, paymentIntentId);
  const updateRow = db
    .update(payments)
    .set({
      state,
      ...(hasEnded(state) && NO_SLOT),
      ...(payment.lastError && { lastError: payment.lastError }),
      ...(payment.card && { cardBrand: payment.card.brand, cardLast4: payment.card.last4 }),
      ...(payment.status === "succeeded" && { succeededAt: sql`coalesce(${payments.succeededAt}, ${now})` }),
      refundedCents: payment.refundedCents,
      ...(state === "refunded" && { refundedAt: sql`coalesce(${payments.refundedAt}, ${now})` }),
      readAtStripeAt: answered,
      updatedAt: now,
    })
    .where(
      and(
        ofPayment,
        or(lte(payments.readAtStripeAt, asked), gt(payments.readAtStripeAt, now + MAX_CLOCK_SKEW_MS)),
        inArray(
          payments.state,
          payment.isDisputeWon ? [...ALLOWED_FROM[state], "disputed"] : ALLOWED_FROM[state],
        ),
      ),
    )
    .returning({ id: payments.id });
  const [rows] = await db.batch([updateRow, ...flagPurchase(db, paymentIntentId, now)]);
  if (rows.length > 0) return "followed";
  const [row] = await db.select({ readAt: payments.readAtStripeAt }).from(payments).where(ofPayment);
  const isOvertaken = row && row.readAt > asked && row.readAt <= now + MAX_CLOCK_SKEW_MS;
  return isOvertaken ? "overtaken" : "unchanged";
}

/**
 * Gives a ledger row the state that Stripe reports, also against the usual order of states. Only the reconciliation does
 * that, after it has read the payment again. Compare-and-set on the row's state.
 */
export async function forceState(db: Db, row: LedgerRow, payment: KnownPayment, now: number): Promise<void> {
  const state = ledgerState(payment);
  const { answered, refundedCents, paymentIntentId } = payment;
  await db.batch([
    db
      .update(payments)
      .set({
        state,
        refundedCents,
        ...(hasEnded(state) && NO_SLOT),
        readAtStripeAt: answered,
        updatedAt: now,
      })
      .where(and(eq(payments.id, row.id), eq(payments.state, row.state))),
    ...flagPurchase(db, paymentIntentId, now),
  ]);
}

export async function findRefundedRow(db: Db, intentId: string): Promise<LedgerRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.stripePaymentIntentId, intentId), eq(payments.state, "refunded")));
  return row ?? null;
}

/**
 * Returns the statement that schedules a decided case of the guarantee for re-evaluation.
 * @param of selects the purchase
 * @param condition a further condition
 */
export function rescheduleCase(db: Db, of: SQL, now: number, condition?: SQL) {
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

/** Returns the statement that makes the sweep take back the free claim for a refunded or disputed payment. */
export function recheckRefundedCase(db: Db, paymentIntentId: string, now: number) {
  const of = and(
    eq(leadPurchases.paymentIntentId, paymentIntentId),
    inArray(leadPurchases.paymentStatus, ["refunded", "disputed"]),
  )!;
  return rescheduleCase(db, of, now);
}

/**
 * Copies a payment's ledger state to its purchase: refunded, disputed or completed. The lead stays sold, but a refund or
 * a dispute takes its free claim back. Use it in the batch that writes the ledger, so that all writes succeed or none
 * does.
 */
export function flagPurchase(db: Db, paymentIntentId: string, now: number) {
  const status = sql`(SELECT CASE WHEN ${payments.state} IN ('refunded', 'disputed') THEN ${payments.state} ELSE 'completed' END
    FROM ${payments} WHERE ${payments.stripePaymentIntentId} = ${paymentIntentId})`;
  return [
    db
      .update(leadPurchases)
      .set({ paymentStatus: status, updatedAt: nextUpdatedAt(now) })
      .where(
        and(
          eq(leadPurchases.paymentIntentId, paymentIntentId),
          isNull(leadPurchases.removedAt),
          sql`${leadPurchases.paymentStatus} <> ${status}`,
        ),
      ),
    recheckRefundedCase(db, paymentIntentId, now),
  ] as const;
}

/**
 * Records that a refund was undone.
 * @param refundedCents the amount actually refunded
 */
export async function recordUndoneRefund(
  db: Db,
  intentId: string,
  to: { state: "refund_pending" | "succeeded" | "disputed"; refundedCents: number; now: number },
): Promise<void> {
  const { state, refundedCents, now } = to;
  await db.batch([
    db
      .update(payments)
      .set({ state, refundedCents, refundedAt: null, updatedAt: now })
      .where(and(eq(payments.stripePaymentIntentId, intentId), eq(payments.state, "refunded"))),
    ...flagPurchase(db, intentId, now),
  ]);
}

/**
 * Records a payment that must be refunded but may have no row, such as a second payment for one hold. Notifies the
 * buyer.
 */
export async function insertOwedRefund(db: Db, payment: KnownPayment, now: number): Promise<void> {
  const { paymentIntentId, holdId, leadId, region, businessId, amountCents } = payment;
  await db.batch([
    db
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
      .onConflictDoNothing(),
    enqueue(db, paidTooLate, { paymentIntentId, leadId, businessId }, now),
  ]);
}

export async function findOwedRefund(db: Db, intentId: string): Promise<LedgerRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.stripePaymentIntentId, intentId), eq(payments.state, "refund_pending")));
  return row ?? null;
}

/**
 * Claims a refund attempt. Only one of several concurrent callers succeeds.
 * @returns an idempotency key for this attempt only; null if another caller has claimed the attempt
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

/** A payment that must be refunded: our id and Stripe's id. */
type OwedRefund = { id: string; intentId: string };

/** Records that a payment was refunded. @param refundedCents the total refunded */
export async function recordRefunded(
  db: Db,
  { id, intentId }: OwedRefund,
  refundedCents: number,
  now: number,
): Promise<void> {
  await db.batch([
    db
      .update(payments)
      .set({
        state: "refunded",
        lastError: null,
        refundedAt: now,
        refundedCents,
      })
      .where(and(eq(payments.id, id), eq(payments.state, "refund_pending"))),
    ...flagPurchase(db, intentId, now),
  ]);
}

export async function recordRefundFailed(db: Db, id: string, error: string): Promise<void> {
  await db
    .update(payments)
    .set({ lastError: error })
    .where(and(eq(payments.id, id), eq(payments.state, "refund_pending")));
}

/** Records that the card's bank has withdrawn the payment in a dispute. The bank decides the outcome. */
export async function recordBankWithdrawal(
  db: Db,
  { id, intentId }: OwedRefund,
  error: string,
  now: number,
): Promise<void> {
  await db.batch([
    db
      .update(payments)
      .set({ state: "disputed", lastError: error, updatedAt: now })
      .where(and(eq(payments.id, id), eq(payments.state, "refund_pending"))),
    ...flagPurchase(db, intentId, now),
  ]);
}

/**
 * Records the text of the buyer's consent to save a payment's card. Call it before the card is saved.
 * @param consent null withdraws the consent
 */
export async function recordConsent(
  db: Db,
  scope: BusinessScope,
  { holdId, consent }: { holdId: string; consent: string | null },
  { actor, now: at, requestId }: Act,
): Promise<void> {
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
      requestId,
    }),
  ]);
}

/** Records a business's Customer at Stripe. Concurrent calls record the same id. */
export async function recordCustomer(db: Db, scope: BusinessScope, customerId: string): Promise<void> {
  await db.update(users).set({ stripeCustomerId: customerId }).where(eq(users.id, scope.businessId));
}
