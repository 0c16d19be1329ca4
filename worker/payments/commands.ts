import type { PaymentIntentRequest, SettleRequest, SETTLED_AS } from "../../contract/payments.ts";
import { type Db, database } from "../db/client.ts";
import { exchangeOf } from "../durable-objects/stubs.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { log } from "../log.ts";
import { askExchange, askMarketOf, refusalError } from "../exchange/asking.ts";
import { raiseAttention } from "../exchange/commands.ts";
import type { Answer, Hold } from "../exchange/listing.ts";
import type { BusinessScope } from "../middleware/access.ts";
import { boughtLead, buyerOfForm, nameBuyer, recordSale } from "../purchases/buy-commands.ts";
import { notifyRoom } from "../purchases/commands.ts";
import type { PurchasedLead } from "../purchases/rules.ts";
import {
  closeRow,
  flagPurchase,
  followPayment,
  hasRow,
  insertOwed,
  type LiveBuyer,
  noteIntent,
  takeSlot,
} from "./ledger-commands.ts";
import { findPayment } from "./queries.ts";
import { noticeUndoneRefund, refundOwed } from "./refund-commands.ts";
import { type KnownPayment, ledgerState, owesRefund, type PaymentOrder, saleOf } from "./rules.ts";
import { cancelOrRead, createPayment, readPayment, till } from "./stripe.ts";

/** What the browser needs to pay. */
export type OpenedPayment = {
  clientSecret: string;
  publishableKey: string;
  /** Where to get Stripe.js; null for Stripe's own. */
  scriptUrl: string | null;
  holdId: string;
  holdExpiresAt: number;
  /** Clocks in browsers are not trusted. */
  serverNow: number;
  amountCents: number;
};

/** Lets go of a hold that came to nothing through no fault of its buyer's. */
async function giveUp(env: Env, order: PaymentOrder, state: "cancelled" | "pending", why: string) {
  const { leadId, holdId, region } = order;
  try {
    const answer = await askExchange(env, region, (exchange) => exchange.release(leadId, holdId, "failed"));
    // Another call of the same business got its payment attached: hold and slot are in use.
    if (answer.ok && answer.listing.hold?.holdId === holdId) return;
    await closeRow(database(env.DB), holdId, state, why, Date.now());
  } catch (error) {
    // The alarm ends the hold and the sweep the row.
    log("warn", "give_up_failed", { leadId, error });
  }
}

async function holdLead(
  env: Env,
  scope: BusinessScope,
  request: PaymentIntentRequest,
  claimKey: string | null,
): Promise<{ hold: Hold; order: PaymentOrder & { userId: string } }> {
  const { leadId, amount: amountCents } = request;
  const { businessId, userId } = scope;
  const { answer, region } = await askMarketOf(env, leadId, (exchange) =>
    exchange.hold({ leadId, businessId, userId, amountCents, claimKey }),
  );
  if (!answer.ok) throw refusalError(answer);
  const { hold } = answer.listing;
  if (!hold) throw new DomainError("already_bought", "You bought this lead; it is in your pipeline.");
  const order = { leadId, region, holdId: hold.holdId, businessId, userId: hold.userId };
  return { hold, order: { ...order, amountCents: hold.amountCents } };
}

/** Who buys, and how to ask D1 whether they still may. */
export type Buyer = LiveBuyer & { mayBuy: () => Promise<boolean> };

/**
 * Opens a hold's row for a buyer who may still buy, all in one statement; only a no is asked about.
 * @returns why not, or null. @throws D1's errors
 */
async function enterLedger(
  db: Db,
  order: PaymentOrder & { userId: string },
  buyer: Buyer,
): Promise<DomainError | null> {
  if (await takeSlot(db, order, buyer, Date.now())) return null;
  if (!(await buyer.mayBuy())) return new DomainError("unauthenticated");
  if (await hasRow(db, order.holdId)) return null;
  return new DomainError("too_many_holds", "Finish or close one of your two open purchases first.");
}

/**
 * Sets a lead aside for a business and makes the payment for it. Asking again, from wherever, returns
 * the same hold and the same payment.
 * @param buyer asked about once the lead is theirs: whoever loses needs no D1
 * @throws DomainError payments_unavailable, unauthenticated, lead_taken, lead_closed, lead_not_found, price_changed,
 *   hold_waiting, hold_ended, key_reused, already_bought, too_many_holds, payment_failed,
 *   exchange_unavailable
 */
export async function openPayment(
  env: Env,
  scope: BusinessScope,
  request: PaymentIntentRequest,
  claimKey: string | null,
  buyer: Buyer,
): Promise<OpenedPayment> {
  const cards = till(env);
  const db = database(env.DB);
  const { hold, order } = await holdLead(env, scope, request, claimKey);
  const { leadId, holdId, region } = order;
  const refusal = await enterLedger(db, order, buyer).catch((error: unknown) => {
    log("warn", "ledger_unavailable", { leadId, error });
    return new DomainError("exchange_unavailable");
  });
  if (refusal) {
    await giveUp(env, order, "cancelled", refusal.code);
    throw refusal;
  }
  const { intent, ...failure } = await createPayment(cards, order);
  if (!intent?.client_secret) {
    // What is unclear stays in the sweep's hands: it learns the payment's id and cancels it.
    const isUnclear = "reason" in failure && failure.reason === "unclear";
    await giveUp(env, order, isUnclear ? "pending" : "cancelled", "not_created");
    throw new DomainError("payment_failed", "The payment could not be started. Nothing has been charged.");
  }
  try {
    // In this order: a secret that left the server belongs to a payment that ledger and hold know, and a
    // payment the ledger could not note is attached to no hold, so that its lead returns at once.
    await noteIntent(db, holdId, intent.id);
    const attached = await askExchange(env, region, (exchange) => exchange.attach(leadId, holdId, intent.id));
    if (!attached.ok) throw refusalError(attached);
  } catch (error) {
    await giveUp(env, order, "pending", "not_attached");
    const isEnded = error instanceof DomainError && error.code === "hold_ended";
    if (isEnded) await cancelQuietly(env, intent.id);
    throw error instanceof DomainError ? error : new DomainError("exchange_unavailable");
  }
  return {
    clientSecret: intent.client_secret,
    publishableKey: cards.publishableKey,
    scriptUrl: cards.scriptUrl,
    holdId,
    holdExpiresAt: hold.endsAt,
    serverNow: Date.now(),
    amountCents: hold.amountCents,
  };
}

/** Cancels a payment that no hold wants any more; if Stripe does not answer, the sweep does it. */
async function cancelQuietly(env: Env, intentId: string): Promise<void> {
  try {
    const payment = await cancelPayment(env, intentId);
    if (payment) await settlePayment(env, payment);
  } catch (error) {
    log("warn", "cancel_left_to_sweep", { error });
  }
}

/**
 * Cancels a payment, or finds out what became of it.
 * @returns null when it is none of ours
 * @throws Stripe's error when that is not known
 */
export function cancelPayment(env: Env, intentId: string): Promise<KnownPayment | null> {
  return cancelOrRead(till(env), intentId);
}

/**
 * Writes into the ledger what a payment came to, and pays back what is owed.
 * @param answer the exchange's word about this payment
 * @throws D1's errors, for the caller to try again
 */
export async function recordPayment(env: Env, payment: KnownPayment, answer: Answer): Promise<void> {
  const db = database(env.DB);
  const now = Date.now();
  if (!owesRefund(answer) || payment.isRefunded) {
    const state = ledgerState(payment);
    const isFollowed = await followPayment(db, payment, state, now);
    const isUndone =
      !isFollowed &&
      state === "succeeded" &&
      (await noticeUndoneRefund(env, payment.paymentIntentId, state, now));
    if (state === "refunded" || state === "disputed") await flagPurchase(db, payment, state, now);
    else if (payment.isDisputeWon || isUndone) await flagPurchase(db, payment, "completed", now);
    const sale = saleOf(payment, answer);
    // Also when nobody's window asked: the bank may have taken its time.
    if (sale) await notifyRoom(env, sale, sale.purchaseId);
    return;
  }
  await insertOwed(db, payment, now);
  if (!(await followPayment(db, payment, "refund_pending", now)))
    await noticeUndoneRefund(env, payment.paymentIntentId, "refund_pending", now);
  if (!answer.ok && answer.reason === "refund_mismatch") {
    const detail = `Payment ${payment.paymentIntentId} differs from its hold and is being refunded`;
    await raiseAttention(db, "payment_mismatch", payment.leadId, detail, now);
  }
  await refundOwed(env, payment.paymentIntentId, now);
}

/**
 * Brings exchange, purchase and ledger to where a payment is, however often and in whatever order.
 * @throws DomainError exchange_unavailable; D1's errors
 */
export async function settlePayment(env: Env, payment: KnownPayment): Promise<Answer> {
  const { region } = payment;
  const answer = await askExchange(env, region, (exchange) => exchange.settle(payment));
  // The purchase first: it is what the buyer is waiting for. Its outbox is the fallback.
  if (answer.ok && saleOf(payment, answer)) await recordSale(env, region, answer.listing, null);
  try {
    await recordPayment(env, payment, answer);
  } catch (error) {
    // Whoever has bought is not told of an error: the sweep brings the ledger up to date.
    if (!saleOf(payment, answer)) throw error;
    log("warn", "ledger_left_to_sweep", { leadId: payment.leadId, error });
  }
  return answer;
}

export type Settled = { status: (typeof SETTLED_AS)[number]; purchase: PurchasedLead | null };

/** What to call a payment that did not make a sale. */
function unsoldAs({ status, needsAction }: KnownPayment): Settled["status"] {
  if (status === "succeeded") return "refunded";
  return status === "open" && needsAction ? "action_needed" : status;
}

/**
 * The browser is back from paying: asks Stripe itself what became of the payment.
 * @throws DomainError not_found, payments_unavailable, exchange_unavailable, details_delayed
 */
export async function settleHold(
  env: Env,
  scope: BusinessScope,
  { holdId, buyer: form }: SettleRequest,
): Promise<Settled> {
  const db = database(env.DB);
  const row = await findPayment(db, scope, holdId);
  if (!row) throw new DomainError("not_found", "No such purchase");
  const cards = till(env);
  const payment = row.stripePaymentIntentId ? await readPayment(cards, row.stripePaymentIntentId) : null;
  if (!payment) return { status: row.state === "cancelled" ? "cancelled" : "open", purchase: null };
  const answer = await settlePayment(env, payment);
  const sale = saleOf(payment, answer);
  if (!answer.ok || !sale) {
    return { status: unsoldAs(payment), purchase: null };
  }
  const buyer = form ? buyerOfForm(form) : null;
  if (buyer) await nameBuyer(db, scope, sale.purchaseId, buyer).catch(() => {});
  const nobody = { name: "", email: null, phone: null, company: null };
  return {
    status: "sold",
    purchase: await boughtLead(env, scope, answer.listing, sale, buyer ?? nobody),
  };
}

/**
 * The buyer closed the dialog. The lead returns once it is certain that nothing can be paid any more.
 * @throws DomainError not_found, exchange_unavailable
 */
export async function closeHold(env: Env, scope: BusinessScope, holdId: string): Promise<void> {
  const db = database(env.DB);
  const row = await findPayment(db, scope, holdId);
  if (!row || !exchangeOf(env, row.region)) throw new DomainError("not_found", "No such purchase");
  await askExchange(env, row.region, (exchange) => exchange.release(row.leadId, holdId, "closed"));
  if (!row.stripePaymentIntentId) await closeRow(db, holdId, "pending", "closed", Date.now());
}
