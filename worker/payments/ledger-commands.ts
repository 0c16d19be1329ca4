/** What is written into `payments`, our ledger of what Stripe holds. Every statement may be repeated. */
import { and, countDistinct, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";

import type { Act } from "../audit/act.ts";
import { auditEntry } from "../audit/commands.ts";
import { sessionIsLive } from "../auth/queries.ts";
import type { Db } from "../db/client.ts";
import { rawBatch } from "../db/raw-batch.ts";
import { leadPurchases, payments, users } from "../db/schema.ts";
import {
  CLAIM_KEY_MS,
  LAPSE_WINDOW_MS,
  LAPSES,
  LAPSES_WAIT_MS,
  MAX_NEWCOMER_HOLDS,
} from "../exchange/hold-rules.ts";
import { newId } from "../ids.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { noteHoldLapsed, noteHoldLapsing, notePaidTooLate } from "../outbox/own-lead-commands.ts";
import type { KnownPayment, LedgerRow, NewcomerNetworks } from "./rules.ts";
import type { PaymentOrder } from "../exchange/payment.ts";

/** What has to be true of a buyer at the very moment a payment is opened: a live session, by its token's hash. */
export type LiveBuyer = {
  sessionHash: string;
  mustBeVerified: boolean;
  /** Whether the hold was made for one who has paid before, or whom an operator has verified. */
  isTrusted: boolean;
};

/** What a hold's row is made from. */
export type Entry = PaymentOrder & { userId: string; claimKey: string | null };

/** A hold as it is entered, and when it ends (epoch ms). */
export type NewEntry = Entry & { endsAt: number };

/** That a buyer's session is live, and that they are verified where that is asked for. */
function mayBuy(db: Db, { userId }: Entry, buyer: LiveBuyer, now: number): SQL {
  const live = sessionIsLive(db, buyer.sessionHash, now);
  if (!buyer.mustBeVerified) return live;
  return sql`${live} AND EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND users.is_verified = 1)`;
}

/** That a business may hold for longer, as D1 has it now. */
function isTrusted({ businessId, userId }: Entry): SQL {
  return sql`(EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND (users.is_verified = 1 OR users.is_super_admin = 1))
    OR EXISTS (SELECT 1 FROM paying_businesses WHERE paying_businesses.business_id = ${businessId}))`;
}

/** That a claim key was used for no other lead lately, in no region. */
function isFresh({ businessId, claimKey, leadId }: Entry, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM payments AS other WHERE other.buyer_id = ${businessId}
    AND other.claim_key = ${claimKey} AND other.created_at > ${now - CLAIM_KEY_MS} AND other.lead_id <> ${leadId})`;
}

/** That a business has not just let go of several leads, in whatever regions. */
function isPatient({ businessId }: Entry, now: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM (SELECT count(*) AS n, max(let_go_at) AS latest FROM payments
    WHERE buyer_id = ${businessId} AND let_go_at > ${now - LAPSE_WINDOW_MS})
    WHERE n >= ${LAPSES} AND latest > ${now - LAPSES_WAIT_MS})`;
}

/** That fewer holds than this are open. */
function isBelow(most: number, whose: SQL): SQL {
  return sql`(SELECT count(*) FROM payments AS open WHERE open.slot IS NOT NULL AND ${whose}) < ${most}`;
}

/** That a new provider holds nothing else, and that new providers on its networks hold less than they may together. */
function hasNewcomerPlace({ businessId }: Entry, { by56, by48 }: NewcomerNetworks): SQL {
  const { perBusiness, per56, per48 } = MAX_NEWCOMER_HOLDS;
  return sql.join(
    [
      isBelow(perBusiness, sql`open.buyer_id = ${businessId}`),
      ...(by56 ? [isBelow(per56, sql`open.newcomer_56 = ${by56}`)] : []),
      ...(by48 ? [isBelow(per48, sql`open.newcomer_48 = ${by48}`)] : []),
    ],
    sql` AND `,
  );
}

/**
 * Opens a hold's row and takes one of its business's two slots, in one statement: whoever comes third,
 * from whichever region, finds none, and so does whoever may not buy any more, has let go of too many
 * leads, or used the claim key for another one, by the same statement. With it goes the note that the buyer is
 * to be warned before the hold lapses.
 * @param networks of a new provider, whose places are fewer; null for any other
 * @returns false when no slot was to be had
 */
export async function takeSlot(
  db: Db,
  order: NewEntry,
  buyer: LiveBuyer,
  networks: NewcomerNetworks | null,
  now: number,
): Promise<boolean> {
  const { holdId, leadId, region, businessId, userId, amountCents, claimKey } = order;
  const enter = sql`
    INSERT INTO payments (id, hold_id, lead_id, region, buyer_id, user_id, state, slot, newcomer_56, newcomer_48, amount_cents, claim_key, created_at, updated_at)
    SELECT ${newId("pay")}, ${holdId}, ${leadId}, ${region}, ${businessId}, ${userId}, 'pending', slots.slot,
           ${networks?.by56 ?? null}, ${networks?.by48 ?? null}, ${amountCents}, ${claimKey}, ${now}, ${now}
    FROM (SELECT 1 AS slot UNION ALL SELECT 2) AS slots
    WHERE NOT EXISTS (SELECT 1 FROM payments AS taken WHERE taken.buyer_id = ${businessId} AND taken.slot = slots.slot)
      AND NOT EXISTS (SELECT 1 FROM payments AS same WHERE same.hold_id = ${holdId})
      AND ${mayBuy(db, order, buyer, now)}
      ${buyer.isTrusted ? sql`AND ${isTrusted(order)}` : sql``}
      ${networks ? sql`AND ${hasNewcomerPlace(order, networks)}` : sql``}
      ${claimKey ? sql`AND ${isFresh(order, now)}` : sql``}
      AND ${isPatient(order, now)}
    ORDER BY slots.slot LIMIT 1
    RETURNING id`;
  const [entered] = await rawBatch(db, [enter, noteHoldLapsing(db, order, now)]);
  return entered!.length > 0;
}

/** The last error of a hold whose payment Stripe did not make: it may be tried again until the hold ends. */
export const NOT_CREATED = "not_created";

/**
 * Whether a hold's row is open, for a buyer who may still buy and a claim key that is this lead's: one
 * statement for who comes back for the payment of a hold they have.
 */
export async function isEntered(db: Db, order: Entry, buyer: LiveBuyer, now: number): Promise<boolean> {
  const { holdId, claimKey } = order;
  const { results } = await db.run(sql`
    SELECT id FROM payments WHERE hold_id = ${holdId} AND slot IS NOT NULL
      AND ${mayBuy(db, order, buyer, now)}
      ${claimKey ? sql`AND ${isFresh(order, now)}` : sql``}`);
  return results.length > 0;
}

/** Notes that the payment of an open hold could not be made, unless another call has made it meanwhile. */
export async function noteNotCreated(db: Db, holdId: string): Promise<void> {
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

/** A hold that came to nothing; `hasLapsed`: by its time, and not because its buyer closed it. */
export type LetGo = { holdId: string; leadId: string; hasLapsed: boolean };

/**
 * Notes that a hold came to nothing by its buyer's own doing. Who let its time run out may be looking elsewhere, and
 * is told.
 * @returns how many businesses have let go of its lead by now
 */
export async function noteLetGo(db: Db, { holdId, leadId, hasLapsed }: LetGo, now: number): Promise<number> {
  const [, [held]] = await db.batch([
    db
      .update(payments)
      .set({ letGoAt: now })
      .where(and(eq(payments.holdId, holdId), isNull(payments.letGoAt), isNull(payments.succeededAt))),
    db
      .select({ businesses: countDistinct(payments.buyerId) })
      .from(payments)
      .where(and(eq(payments.leadId, leadId), isNotNull(payments.letGoAt))),
    ...(hasLapsed ? [noteHoldLapsed(db, { holdId, leadId }, now)] : []),
  ]);
  return held!.businesses;
}

/** Whether a business holds a lead. */
export async function hasOpenRow(db: Db, businessId: string): Promise<boolean> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.buyerId, businessId), sql`slot IS NOT NULL`));
  return rows.length > 0;
}

/** Notes the payment's id before its secret may leave the server, so that no payment is unknown to us. */
export async function noteIntent(db: Db, holdId: string, intentId: string): Promise<void> {
  await db
    .update(payments)
    .set({ stripePaymentIntentId: intentId, lastError: sql`nullif(${payments.lastError}, ${NOT_CREATED})` })
    .where(eq(payments.holdId, holdId));
}

/** A payment that takes no slot any more: its networks are forgotten. */
const NO_SLOT = { slot: null, newcomer56: null, newcomer48: null } as const;

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
    .set({ state, ...NO_SLOT, lastError, updatedAt: now })
    .where(and(eq(payments.holdId, holdId), eq(payments.state, "pending")));
}

/** Ends the row of a hold that a person ended. Money that comes all the same is still noted, and goes back. */
export function abandonRow(db: Db, holdId: string, lastError: string, now: number) {
  return db
    .update(payments)
    .set({ state: "cancelled", ...NO_SLOT, lastError, updatedAt: now })
    .where(and(eq(payments.holdId, holdId), inArray(payments.state, ["pending", "processing"])));
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

/** A time later than this was written by a clock that was wrong, and orders nothing. */
const CLOCKS_APART_MS = 5_000;

/**
 * `followed`: the ledger says so now. `unchanged`: there was nothing to change. `overtaken`: what Stripe
 * told somebody else, after it was asked here, is written already, and it may be the newer word.
 */
export type Following = "followed" | "unchanged" | "overtaken";

/**
 * Follows a payment's life, never backwards; only a dispute that was won leads back to `succeeded`. Of two
 * readings at once, such as two webhooks', the older one never replaces the newer.
 */
export async function followPayment(
  db: Db,
  payment: KnownPayment,
  state: LedgerRow["state"],
  now: number,
): Promise<Following> {
  const { paymentIntentId, asked, answered } = payment;
  const isThis = eq(payments.stripePaymentIntentId, paymentIntentId);
  const follow = db
    .update(payments)
    .set({
      state,
      ...(isOver(state) && NO_SLOT),
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
        isThis,
        or(lte(payments.readAtStripeAt, asked), gt(payments.readAtStripeAt, now + CLOCKS_APART_MS)),
        inArray(payments.state, payment.isDisputeWon ? [...BEFORE[state], "disputed"] : BEFORE[state]),
      ),
    )
    .returning({ id: payments.id });
  const [rows] = await db.batch([follow, flagPurchase(db, paymentIntentId, now)]);
  if (rows.length > 0) return "followed";
  const [row] = await db.select({ readAt: payments.readAtStripeAt }).from(payments).where(isThis);
  const isOvertaken = row && row.readAt > asked && row.readAt <= now + CLOCKS_APART_MS;
  return isOvertaken ? "overtaken" : "unchanged";
}

/** The row of a payment that the ledger says was paid back; null when it does not say so. */
export async function notedAsRefunded(db: Db, intentId: string): Promise<LedgerRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.stripePaymentIntentId, intentId), eq(payments.state, "refunded")));
  return row ?? null;
}

/**
 * Shows on a purchase how its payment stands in the ledger: paid back, disputed, or neither any more. The lead
 * stays sold. It goes into the batch that writes the ledger: an answer of D1 that is lost leaves both or none.
 */
function flagPurchase(db: Db, paymentIntentId: string, now: number) {
  const status = sql`(SELECT CASE WHEN ${payments.state} IN ('refunded', 'disputed') THEN ${payments.state} ELSE 'completed' END
    FROM ${payments} WHERE ${payments.stripePaymentIntentId} = ${paymentIntentId})`;
  return db
    .update(leadPurchases)
    .set({ paymentStatus: status, updatedAt: now })
    .where(
      and(
        eq(leadPurchases.paymentIntentId, paymentIntentId),
        isNull(leadPurchases.removedAt),
        sql`${leadPurchases.paymentStatus} <> ${status}`,
      ),
    );
}

/**
 * Notes that a payment was not paid back after all.
 * @param refundedCents what of it did go back
 */
export async function noteRefundUndone(
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
    flagPurchase(db, intentId, now),
  ]);
}

/** A payment we owe back but may have no row of, e.g. a second one made for the same hold; its buyer is told. */
export async function insertOwed(db: Db, payment: KnownPayment, now: number): Promise<void> {
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
    notePaidTooLate(db, { paymentIntentId, leadId, businessId }, now),
  ]);
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

/** A payment we owe back, and how it is called at Stripe. */
type Debt = { id: string; intentId: string };

/** Notes that a payment we owe back has gone back. @param refundedCents how much that was in all */
export async function noteRefunded(
  db: Db,
  { id, intentId }: Debt,
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
    flagPurchase(db, intentId, now),
  ]);
}

/** Notes why a payment we owe back could not go back yet. */
export async function noteRefundFailed(db: Db, id: string, error: string): Promise<void> {
  await db
    .update(payments)
    .set({ lastError: error })
    .where(and(eq(payments.id, id), eq(payments.state, "refund_pending")));
}

/** Notes that a payment we owe back is with the card's bank: what becomes of it is decided there. */
export async function noteWithBank(
  db: Db,
  { id, intentId }: Debt,
  error: string,
  now: number,
): Promise<void> {
  await db.batch([
    db
      .update(payments)
      .set({ state: "disputed", lastError: error, updatedAt: now })
      .where(and(eq(payments.id, id), eq(payments.state, "refund_pending"))),
    flagPurchase(db, intentId, now),
  ]);
}

/**
 * Writes with which words the buyer agreed that the card of a payment is kept, before it is.
 * @param word `consent`: null takes the agreement back
 */
export async function noteConsent(
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

/** Notes who a business is at Stripe; of two who learn it at once both learnt the same. */
export async function noteCustomer(db: Db, scope: BusinessScope, customerId: string): Promise<void> {
  await db.update(users).set({ stripeCustomerId: customerId }).where(eq(users.id, scope.businessId));
}
