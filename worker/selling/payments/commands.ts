import { sql } from "drizzle-orm";

import type { PaymentIntentRequest, SettleRequest, SETTLEMENT_RESULTS } from "../../../contract/payments.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import { sendCommand, refusalError } from "../../exchange/exchange-calls.ts";
import { attentionWhen, raiseAttention } from "../../outbox/commands.ts";
import type { Answer } from "../../exchange/listing.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { mayBeSamePerson } from "../../identity/providers/queries.ts";
import { boughtLead, buyerOfForm, isRemoved, saveBuyer, recordSale } from "../purchases/buy-commands.ts";
import { notifyRoom } from "../../live/room.ts";
import type { PurchasedLeadView } from "../purchases/views.ts";
import { type Buyer, abandonHold, type OpenedHold, secureHold, toOpenedHold } from "./hold-commands.ts";
import { advancePayment, insertOwedRefund, recordIntent, NOT_CREATED } from "./ledger-commands.ts";
import { findPayment, purchaseOfPayment } from "./queries.ts";
import { detectUndoneRefund, refundOwed } from "./refund-commands.ts";
import {
  forExchange,
  type KnownPayment,
  ledgerState,
  toPaymentOrder,
  orderOfPayment,
  owesRefund,
  saleOf,
} from "./rules.ts";
import { type PaymentOrder } from "../../exchange/ports.ts";
import { cancelOrRead, createPayment, readPayment, stripeAccount } from "./stripe.ts";

export type OpenedPayment = OpenedHold & { clientSecret: string };

/**
 * Returns the statement that alerts admins once if a business may belong to the person behind another one. For a
 * business that has not paid yet.
 */
function alertAboutSamePerson(db: Db, businessId: string, now: number) {
  const others = mayBeSamePerson(businessId);
  return attentionWhen(
    db,
    {
      kind: "same_person",
      subjectId: businessId,
      detail: sql`'A new business has the same phone number, ABN or bank account as ' || (SELECT group_concat(id, ', ') FROM ${others})
        || '. If the checked ABN is the same, their free claims, calls and ignored offers count together.'`,
      since: now,
    },
    sql`WHERE EXISTS (SELECT 1 FROM ${others})
      AND NOT EXISTS (SELECT 1 FROM attention WHERE kind = 'same_person' AND subject_id = ${businessId})`,
  );
}

/**
 * Holds a lead for a business and creates its payment. A repeated call, from any window, returns the same hold and
 * payment. If the payment cannot be created, releases the hold if this call made it. A hold that another call made
 * stays, for a retry or until it expires.
 * @param buyer checked in D1 only after the exchange grants the lead, so a losing claim costs D1 nothing
 * @throws DomainError payment_failed, and as `secureHold`
 */
export async function createHoldPayment(
  context: Context,
  scope: BusinessScope,
  request: PaymentIntentRequest,
  claimKey: string | null,
  buyer: Buyer,
): Promise<OpenedPayment> {
  const cards = stripeAccount(context);
  const db = context.db;
  const held = await secureHold(context, scope, request, claimKey, buyer);
  const { order } = held;
  const { leadId, holdId, region } = order;
  const { intent, ...failure } = await createPayment(cards, order);
  if (!intent?.client_secret) {
    // The sweep handles an unclear outcome: it finds the payment's ID and cancels the payment.
    const isUnclear = "reason" in failure && failure.reason === "unclear";
    await abandonHold(context, held, isUnclear ? "pending" : "cancelled", NOT_CREATED);
    throw new DomainError("payment_failed", "We couldn't start the payment. Nothing has been charged.");
  }
  try {
    // The order matters. A payment's secret may leave the server only after both the ledger and the hold record the
    // payment. If the ledger write fails, the payment is not attached, so the lead returns immediately.
    await db.batch([
      recordIntent(db, holdId, intent.id),
      ...(buyer.hasPaid ? [] : [alertAboutSamePerson(db, scope.businessId, Date.now())]),
    ]);
    const attachment = { type: "attach", leadId, holdId, paymentIntentId: intent.id } as const;
    const attached = await sendCommand(context, region, attachment);
    if (!attached.ok) throw refusalError(attached);
  } catch (error) {
    await abandonHold(context, held, "pending", "not_attached");
    const isEnded = error instanceof DomainError && error.code === "hold_ended";
    if (isEnded) await cancelQuietly(context, intent.id, order);
    throw error instanceof DomainError ? error : new DomainError("exchange_unavailable");
  }
  return { ...toOpenedHold(cards, held), clientSecret: intent.client_secret };
}

/** Cancels a payment after its hold has ended. If Stripe does not respond, the sweep retries. */
async function cancelQuietly(context: Context, intentId: string, order: PaymentOrder): Promise<void> {
  try {
    const payment = await cancelPayment(context, intentId, order);
    if (payment) await settlePayment(context, payment);
  } catch (error) {
    log("warn", "cancel_left_to_sweep", { error });
  }
}

/**
 * Cancels a payment, or reads its state if it cannot be cancelled.
 * @param order the order that the payment was created for
 * @returns null if the payment does not belong to this deployment
 * @throws Stripe's error if the state is unknown
 */
export function cancelPayment(
  context: Context,
  intentId: string,
  order: PaymentOrder,
): Promise<KnownPayment | null> {
  return cancelOrRead(stripeAccount(context), intentId, order);
}

/**
 * Records a payment's outcome in the ledger, and refunds what is owed.
 *
 * @param answer the exchange's decision about this payment
 * @returns false if the ledger already has a later reading; the caller must read the payment again
 * @throws D1's errors; the caller may retry
 */
export async function recordPayment(
  context: Context,
  payment: KnownPayment,
  answer: Answer,
): Promise<boolean> {
  const db = context.db;
  const now = Date.now();
  const { paymentIntentId, leadId } = payment;
  if (payment.isMissing) await reportMissing(db, payment, now);
  const isOwed = owesRefund(answer) && !payment.isRefunded;
  if (isOwed) await insertOwedRefund(db, payment, now);
  const state = isOwed ? "refund_pending" : ledgerState(payment);
  const update = await advancePayment(db, payment, state, now);
  if (update === "overtaken") return false;
  if (update === "unchanged" && (state === "succeeded" || state === "refund_pending" || state === "disputed"))
    await detectUndoneRefund(context, paymentIntentId, state, now);
  if (!isOwed) {
    const sale = saleOf(payment, answer);
    // Notify the business here as well: a slow bank may respond after the buyer's window has stopped waiting.
    if (sale) await notifyRoom(context, sale, sale.purchaseId);
    return true;
  }
  if (!answer.ok && answer.reason === "refund_mismatch") {
    const detail = `Payment ${paymentIntentId} differs from its hold, so we're refunding it`;
    await raiseAttention(db, "payment_mismatch", leadId, detail, now);
  }
  await refundOwed(context, paymentIntentId, now);
  return true;
}

/**
 * Alerts the admins that Stripe does not know a payment in the ledger. The lead is back on the market, and an admin
 * should find the cause.
 */
async function reportMissing(db: Db, { paymentIntentId, leadId }: KnownPayment, now: number): Promise<void> {
  const detail = `Stripe has no record of payment ${paymentIntentId}. Did its keys or DEPLOYMENT change while it was open?`;
  await raiseAttention(db, "payment_missing", leadId, detail, now);
}

/**
 * The result for a payment when D1 refuses the purchase because another provider has the lead. The payment is refunded.
 * The admins have already been alerted.
 */
const UNDELIVERABLE: Answer = { ok: false, reason: "refund_late" };

/**
 * Refunds a sale after D1 refused its purchase.
 * @throws Stripe's or D1's error; the caller may retry
 */
export async function refundSale(context: Context, intentId: string, order: PaymentOrder): Promise<void> {
  const payment = await readPayment(stripeAccount(context), intentId, order);
  if (payment) await recordPayment(context, payment, UNDELIVERABLE);
}

/**
 * Maximum reads of one payment while concurrent reads overtake each other. After that, the next event or the nightly
 * run records the outcome.
 */
const MAX_READS = 4;

/**
 * Returns a payment's sale from D1 as an exchange's answer, in case the exchange lost the sale. Null if D1 has no sale.
 */
async function findSaleInD1(
  context: Context,
  { paymentIntentId, holdId }: KnownPayment,
): Promise<Answer | null> {
  const purchase = await purchaseOfPayment(context.db, paymentIntentId);
  if (!purchase) return null;
  const { id: purchaseId, leadId, buyerId, boughtByUserId, mode, amountPaidCents, purchasedAt } = purchase;
  const sale = {
    purchaseId,
    businessId: buyerId,
    userId: boughtByUserId,
    mode,
    amountCents: amountPaidCents,
    soldAt: purchasedAt,
    holdId,
    paymentIntentId,
  };
  return {
    ok: true,
    repeated: true,
    listing: {
      leadId,
      // Older than any version in D1, so writing this listing does not change the lead.
      generation: 0,
      version: 0,
      state: "sold",
      priceCents: amountPaidCents,
      listedAt: purchasedAt,
      expiresAt: purchasedAt,
      sale,
      hold: null,
      departure: null,
      rescue: null,
    },
  };
}

/**
 * Replaces a refusal of an exchange by D1's sale. An exchange that lost its storage, or was restored to an earlier point, also lost its sales. If D1 has the sale, the payment must not be refunded.
 */
export async function preferSaleInD1(
  context: Context,
  payment: KnownPayment,
  answer: Answer,
): Promise<Answer> {
  if (answer.ok || answer.reason !== "refund_late") return answer;
  return (await findSaleInD1(context, payment)) ?? answer;
}

/**
 * Sends a payment's status to the exchange, and records the purchase if the lead is sold.
 * @throws DomainError exchange_unavailable; D1's errors
 */
async function settleInExchange(context: Context, payment: KnownPayment): Promise<Answer> {
  const { region } = payment;
  const settled = await sendCommand(context, region, { type: "settle", ...forExchange(payment) });
  const answer = await preferSaleInD1(context, payment, settled);
  if (!answer.ok || !saleOf(payment, answer)) return answer;
  // Record the purchase first, because the buyer is waiting. The exchange's outbox is the fallback.
  const outcome = await recordSale(context, region, answer.listing, null);
  return outcome === "conflict" ? UNDELIVERABLE : answer;
}

/**
 * Updates the exchange, purchase and ledger to a payment's current state. Safe to repeat, in any order.
 * @param ledger `later`: ignores ledger errors after a sale, because the buyer is waiting; the nightly reconciliation
 *   repairs the ledger. `now`: throws ledger errors, because the caller can retry, as Stripe does
 * @throws DomainError exchange_unavailable; D1's errors
 */
export async function settlePayment(
  context: Context,
  payment: KnownPayment,
  ledger: "now" | "later" = "now",
): Promise<Answer> {
  let latest = payment;
  let answer = await settleInExchange(context, latest);
  try {
    for (let reads = 1; !(await recordPayment(context, latest, answer)) && reads < MAX_READS; reads++) {
      const next = await readPayment(
        stripeAccount(context),
        payment.paymentIntentId,
        orderOfPayment(payment),
      );
      if (!next) break;
      // The status has changed since then, so update the exchange too.
      if (next.status !== latest.status) answer = await settleInExchange(context, next);
      latest = next;
    }
  } catch (error) {
    if (ledger === "now" || !saleOf(latest, answer)) throw error;
    log("warn", "ledger_left_to_sweep", { leadId: payment.leadId, error });
  }
  return answer;
}

export type SettledHold = { status: (typeof SETTLEMENT_RESULTS)[number]; purchase: PurchasedLeadView | null };

function unsoldStatus({ status, needsAction }: KnownPayment): SettledHold["status"] {
  if (status === "succeeded") return "refunded";
  return status === "open" && needsAction ? "action_needed" : status;
}

/**
 * Settles a hold after the buyer has paid in the browser. Reads the payment's status from Stripe.
 * @throws DomainError not_found, payments_unavailable, exchange_unavailable, details_delayed
 */
export async function settleHold(
  context: Context,
  scope: BusinessScope,
  { holdId, buyer: form }: SettleRequest,
): Promise<SettledHold> {
  const db = context.db;
  const row = await findPayment(db, scope, holdId);
  if (!row) throw new DomainError("not_found", "We can't find that purchase. Please reload the page.");
  const cards = stripeAccount(context);
  const intentId = row.stripePaymentIntentId;
  const payment = intentId ? await readPayment(cards, intentId, toPaymentOrder(row)) : null;
  // A hold without a slot in the ledger has ended. A buyer can only pay a payment that is attached to a hold.
  const isOver = row.state === "cancelled" || (!intentId && row.slot === null);
  if (!payment) return { status: isOver ? "cancelled" : "open", purchase: null };
  const answer = await settlePayment(context, payment, "later");
  const sale = saleOf(payment, answer);
  if (!answer.ok || !sale) {
    return { status: unsoldStatus(payment), purchase: null };
  }
  // The purchase has since been removed from the business's pipeline, so do not return the details again.
  if (await isRemoved(db, scope, sale.purchaseId)) throw new DomainError("lead_closed");
  const buyer = form ? buyerOfForm(form) : null;
  if (buyer) await saveBuyer(db, scope, sale.purchaseId, buyer).catch(() => {});
  const noBuyer = { name: "", email: null, phone: null, company: null };
  return {
    status: "sold",
    purchase: await boughtLead(context, scope, answer.listing, sale, buyer ?? noBuyer),
  };
}
