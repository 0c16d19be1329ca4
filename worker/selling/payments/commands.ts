import type { PaymentIntentRequest, SettleRequest, SETTLED_AS } from "../../../contract/payments.ts";
import type { Db } from "../../platform/db/client.ts";
import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { log } from "../../platform/log.ts";
import { askExchange, refusalError } from "../../exchange/asking.ts";
import { raiseAttention } from "../../outbox/attention-commands.ts";
import type { Answer } from "../../exchange/listing.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { boughtLead, buyerOfForm, isRemoved, nameBuyer, recordSale } from "../purchases/buy-commands.ts";
import { notifyRoom } from "../../live/room.ts";
import type { PurchasedLeadView } from "../purchases/views.ts";
import { type Buyer, abandonHold, type OpenedHold, secureHold, shownHold } from "./hold-commands.ts";
import { followPayment, insertOwed, noteIntent, NOT_CREATED } from "./ledger-commands.ts";
import { findPayment, purchaseOfPayment } from "./queries.ts";
import { noticeUndoneRefund, refundOwed } from "./refund-commands.ts";
import {
  forExchange,
  type KnownPayment,
  ledgerState,
  toPaymentOrder,
  orderOfPayment,
  owesRefund,
  saleOf,
} from "./rules.ts";
import { type PaymentOrder } from "../../exchange/payment.ts";
import { cancelOrRead, createPayment, readPayment, stripeAccount } from "./stripe.ts";

export type OpenedPayment = OpenedHold & { clientSecret: string };

/**
 * Creates the payment for a lead, and holds the lead first unless the business already does. Asking again, from
 * any window, returns the same hold and payment. If the payment cannot be created, a hold that this call made is
 * given up. A hold that another call made stays, for a retry or until it expires.
 * @param buyer checked in D1 only after the exchange grants the lead, so a losing claim costs D1 nothing
 * @throws DomainError payment_failed, and what `secureHold` throws
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
    // The sweep handles an unclear outcome: it finds the payment's id and cancels the payment.
    const isUnclear = "reason" in failure && failure.reason === "unclear";
    await abandonHold(context, held, isUnclear ? "pending" : "cancelled", NOT_CREATED);
    throw new DomainError("payment_failed", "The payment could not be started. Nothing has been charged.");
  }
  try {
    // The order matters. A secret may leave the server only for a payment that ledger and hold both know. A
    // payment the ledger could not record is attached to no hold, so its lead returns at once.
    await noteIntent(db, holdId, intent.id);
    const attachment = { type: "attach", leadId, holdId, paymentIntentId: intent.id } as const;
    const attached = await askExchange(context, region, attachment);
    if (!attached.ok) throw refusalError(attached);
  } catch (error) {
    await abandonHold(context, held, "pending", "not_attached");
    const isEnded = error instanceof DomainError && error.code === "hold_ended";
    if (isEnded) await cancelQuietly(context, intent.id, order);
    throw error instanceof DomainError ? error : new DomainError("exchange_unavailable");
  }
  return { ...shownHold(cards, held), clientSecret: intent.client_secret };
}

/** Cancels a payment that has lost its hold. If Stripe does not answer, the sweep cancels it. */
async function cancelQuietly(context: Context, intentId: string, order: PaymentOrder): Promise<void> {
  try {
    const payment = await cancelPayment(context, intentId, order);
    if (payment) await settlePayment(context, payment);
  } catch (error) {
    log("warn", "cancel_left_to_sweep", { error });
  }
}

/**
 * Cancels a payment, or reads its state when it cannot be cancelled.
 * @param order what it was made for
 * @returns null when it is not ours
 * @throws Stripe's error when the state is unknown
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
 * @param answer the exchange's answer about this payment
 * @returns false when the ledger already has a later reading; the caller has to ask Stripe again
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
  if (isOwed) await insertOwed(db, payment, now);
  const state = isOwed ? "refund_pending" : ledgerState(payment);
  const following = await followPayment(db, payment, state, now);
  if (following === "overtaken") return false;
  if (
    following === "unchanged" &&
    (state === "succeeded" || state === "refund_pending" || state === "disputed")
  )
    await noticeUndoneRefund(context, paymentIntentId, state, now);
  if (!isOwed) {
    const sale = saleOf(payment, answer);
    // Notify even when no window asked: the bank may have taken its time.
    if (sale) await notifyRoom(context, sale, sale.purchaseId);
    return true;
  }
  if (!answer.ok && answer.reason === "refund_mismatch") {
    const detail = `Payment ${paymentIntentId} differs from its hold and is being refunded`;
    await raiseAttention(db, "payment_mismatch", leadId, detail, now);
  }
  await refundOwed(context, paymentIntentId, now);
  return true;
}

/**
 * Reports to the admins that Stripe does not know a payment of ours. Its lead is free again, and an admin should
 * find out why.
 */
async function reportMissing(db: Db, { paymentIntentId, leadId }: KnownPayment, now: number): Promise<void> {
  const detail = `Stripe does not know payment ${paymentIntentId}: were its keys or DEPLOYMENT changed while it was open?`;
  await raiseAttention(db, "payment_missing", leadId, detail, now);
}

/**
 * The answer for a payment whose purchase D1 refused, because another provider has the lead there. The payment is
 * refunded. Admins have already been alerted to the conflict.
 */
const UNDELIVERABLE: Answer = { ok: false, reason: "refund_late" };

/**
 * Refunds a sale after D1 refused its purchase.
 * @throws Stripe's or D1's error; the caller may retry
 */
export async function payBackSale(context: Context, intentId: string, order: PaymentOrder): Promise<void> {
  const payment = await readPayment(stripeAccount(context), intentId, order);
  if (payment) await recordPayment(context, payment, UNDELIVERABLE);
}

/**
 * Maximum readings of one payment while concurrent readings overtake it. The next event or the nightly run records
 * the rest.
 */
const MAX_READS = 4;

/**
 * Returns a payment's sale from D1, in the form of an exchange's answer, for an exchange that has lost it. Null
 * when there is no sale.
 */
async function saleInD1(context: Context, { paymentIntentId, holdId }: KnownPayment): Promise<Answer | null> {
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
      // Older than any version in D1, so it changes no lead.
      generation: 0,
      version: 0,
      state: "sold",
      priceCents: amountPaidCents,
      listedAt: purchasedAt,
      expiresAt: purchasedAt,
      sale,
      hold: null,
      departure: null,
    },
  };
}

/**
 * Sends the exchange a payment's status, and records the purchase if it is sold.
 * @throws DomainError exchange_unavailable; D1's errors
 */
async function settleInExchange(context: Context, payment: KnownPayment): Promise<Answer> {
  const { region } = payment;
  let answer = await askExchange(context, region, { type: "settle", ...forExchange(payment) });
  // An exchange that has lost its storage has lost its sales too. D1 still has them, and their payments are not
  // refunded.
  if (!answer.ok && answer.reason === "refund_late") answer = (await saleInD1(context, payment)) ?? answer;
  if (!answer.ok || !saleOf(payment, answer)) return answer;
  // Record the purchase first, because the buyer is waiting for it. The exchange's outbox is the fallback.
  const outcome = await recordSale(context, region, answer.listing, null);
  return outcome === "conflict" ? UNDELIVERABLE : answer;
}

/**
 * Updates exchange, purchase and ledger to a payment's current state. Safe to repeat, in any order.
 * @param ledger `later`: a buyer is waiting and sees no ledger error once the lead is sold to them; the nightly
 *   reconciliation finds what is missing. `now`: the caller can ask again, as Stripe does
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
      // The status has changed since, so the exchange has to learn it too.
      if (next.status !== latest.status) answer = await settleInExchange(context, next);
      latest = next;
    }
  } catch (error) {
    if (ledger === "now" || !saleOf(latest, answer)) throw error;
    log("warn", "ledger_left_to_sweep", { leadId: payment.leadId, error });
  }
  return answer;
}

export type SettledHold = { status: (typeof SETTLED_AS)[number]; purchase: PurchasedLeadView | null };

function unsoldAs({ status, needsAction }: KnownPayment): SettledHold["status"] {
  if (status === "succeeded") return "refunded";
  return status === "open" && needsAction ? "action_needed" : status;
}

/**
 * Settles a hold when the browser returns from paying: reads the payment from Stripe itself.
 * @throws DomainError not_found, payments_unavailable, exchange_unavailable, details_delayed
 */
export async function settleHold(
  context: Context,
  scope: BusinessScope,
  { holdId, buyer: form }: SettleRequest,
): Promise<SettledHold> {
  const db = context.db;
  const row = await findPayment(db, scope, holdId);
  if (!row) throw new DomainError("not_found", "No such purchase");
  const cards = stripeAccount(context);
  const intentId = row.stripePaymentIntentId;
  const payment = intentId ? await readPayment(cards, intentId, toPaymentOrder(row)) : null;
  // A hold without a slot in the ledger has ended. A payment that is attached to no hold is never offered to a buyer.
  const isOver = row.state === "cancelled" || (!intentId && row.slot === null);
  if (!payment) return { status: isOver ? "cancelled" : "open", purchase: null };
  const answer = await settlePayment(context, payment, "later");
  const sale = saleOf(payment, answer);
  if (!answer.ok || !sale) {
    return { status: unsoldAs(payment), purchase: null };
  }
  // The business has since removed this purchase from its pipeline, so the details are not returned again.
  if (await isRemoved(db, scope, sale.purchaseId)) throw new DomainError("lead_closed");
  const buyer = form ? buyerOfForm(form) : null;
  if (buyer) await nameBuyer(db, scope, sale.purchaseId, buyer).catch(() => {});
  const nobody = { name: "", email: null, phone: null, company: null };
  return {
    status: "sold",
    purchase: await boughtLead(context, scope, answer.listing, sale, buyer ?? nobody),
  };
}
