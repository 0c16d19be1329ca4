import type { PaymentIntentRequest, SettleRequest, SETTLED_AS } from "../../contract/payments.ts";
import { type Db, database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { DomainError } from "../errors.ts";
import { log } from "../log.ts";
import { askExchange, refusalError } from "../exchange/asking.ts";
import { raiseAttention } from "../outbox/attention-commands.ts";
import type { Answer } from "../exchange/listing.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { boughtLead, buyerOfForm, isRemoved, nameBuyer, recordSale } from "../purchases/buy-commands.ts";
import { notifyRoom } from "../live/room.ts";
import type { PurchasedLead } from "../purchases/views.ts";
import { type Buyer, giveUp, type OpenedHold, secureHold, shownHold } from "./hold-commands.ts";
import { followPayment, insertOwed, noteIntent, NOT_CREATED } from "./ledger-commands.ts";
import { findPayment, purchaseOfPayment } from "./queries.ts";
import { noticeUndoneRefund, refundOwed } from "./refund-commands.ts";
import {
  forExchange,
  type KnownPayment,
  ledgerState,
  orderOf,
  orderOfPayment,
  owesRefund,
  saleOf,
} from "./rules.ts";
import { type PaymentOrder } from "../exchange/payment.ts";
import { cancelOrRead, createPayment, readPayment, stripeAccount } from "./stripe.ts";

/** What the browser needs to pay. */
export type OpenedPayment = OpenedHold & { clientSecret: string };

/**
 * Makes the payment for a lead, which it sets aside for the business unless that was done before. Asking
 * again, from wherever, returns the same hold and the same payment. A payment that cannot be made gives up
 * a hold of this call's own; one that another call made stands, for the next try or until its time is over.
 * @param buyer asked about once the lead is theirs: whoever loses needs no D1
 * @throws DomainError payment_failed, and what `secureHold` throws
 */
export async function openPayment(
  env: Env,
  scope: BusinessScope,
  request: PaymentIntentRequest,
  claimKey: string | null,
  buyer: Buyer,
): Promise<OpenedPayment> {
  const cards = stripeAccount(env);
  const db = database(env.DB);
  const held = await secureHold(env, scope, request, claimKey, buyer);
  const { order } = held;
  const { leadId, holdId, region } = order;
  const { intent, ...failure } = await createPayment(cards, order);
  if (!intent?.client_secret) {
    // What is unclear stays in the sweep's hands: it learns the payment's id and cancels it.
    const isUnclear = "reason" in failure && failure.reason === "unclear";
    await giveUp(env, held, isUnclear ? "pending" : "cancelled", NOT_CREATED);
    throw new DomainError("payment_failed", "The payment could not be started. Nothing has been charged.");
  }
  try {
    // In this order: a secret that left the server belongs to a payment that ledger and hold know, and a
    // payment the ledger could not note is attached to no hold, so that its lead returns at once.
    await noteIntent(db, holdId, intent.id);
    const attached = await askExchange(env, region, (exchange) => exchange.attach(leadId, holdId, intent.id));
    if (!attached.ok) throw refusalError(attached);
  } catch (error) {
    await giveUp(env, held, "pending", "not_attached");
    const isEnded = error instanceof DomainError && error.code === "hold_ended";
    if (isEnded) await cancelQuietly(env, intent.id, order);
    throw error instanceof DomainError ? error : new DomainError("exchange_unavailable");
  }
  return { ...shownHold(cards, held), clientSecret: intent.client_secret };
}

/** Cancels a payment that no hold wants any more; if Stripe does not answer, the sweep does it. */
async function cancelQuietly(env: Env, intentId: string, order: PaymentOrder): Promise<void> {
  try {
    const payment = await cancelPayment(env, intentId, order);
    if (payment) await settlePayment(env, payment);
  } catch (error) {
    log("warn", "cancel_left_to_sweep", { error });
  }
}

/**
 * Cancels a payment, or finds out what became of it.
 * @param order what it was made for
 * @returns null when it is none of ours
 * @throws Stripe's error when that is not known
 */
export function cancelPayment(env: Env, intentId: string, order: PaymentOrder): Promise<KnownPayment | null> {
  return cancelOrRead(stripeAccount(env), intentId, order);
}

/**
 * Writes into the ledger what a payment came to, and pays back what is owed.
 * @param answer the exchange's word about this payment
 * @returns false when what Stripe told somebody else meanwhile stands there already: it has to be asked again
 * @throws D1's errors, for the caller to try again
 */
export async function recordPayment(env: Env, payment: KnownPayment, answer: Answer): Promise<boolean> {
  const db = database(env.DB);
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
    await noticeUndoneRefund(env, paymentIntentId, state, now);
  if (!isOwed) {
    const sale = saleOf(payment, answer);
    // Also when nobody's window asked: the bank may have taken its time.
    if (sale) await notifyRoom(env, sale, sale.purchaseId);
    return true;
  }
  if (!answer.ok && answer.reason === "refund_mismatch") {
    const detail = `Payment ${paymentIntentId} differs from its hold and is being refunded`;
    await raiseAttention(db, "payment_mismatch", leadId, detail, now);
  }
  await refundOwed(env, paymentIntentId, now);
  return true;
}

/** Says that a payment of ours is unknown to Stripe: its lead is free again, and a person should look why. */
async function reportMissing(db: Db, { paymentIntentId, leadId }: KnownPayment, now: number): Promise<void> {
  const detail = `Stripe does not know payment ${paymentIntentId}: were its keys or DEPLOYMENT changed while it was open?`;
  await raiseAttention(db, "payment_missing", leadId, detail, now);
}

/**
 * A payment for which D1 refused the purchase, because the lead stands with somebody else there: the money
 * goes back. Admins have been told of the conflict.
 */
const UNDELIVERABLE: Answer = { ok: false, reason: "refund_late" };

/**
 * Pays back a sale whose purchase D1 refused.
 * @throws Stripe's or D1's error, for the caller to try again
 */
export async function payBackSale(env: Env, intentId: string, order: PaymentOrder): Promise<void> {
  const payment = await readPayment(stripeAccount(env), intentId, order);
  if (payment) await recordPayment(env, payment, UNDELIVERABLE);
}

/** Readings of one payment that cross each other are repeated at most so often; the next event or night has the rest. */
const MOST_READINGS = 4;

/** Writes the ledger, asking Stripe again while somebody else's reading crosses ours. */
async function recordLatest(env: Env, payment: KnownPayment, answer: Answer): Promise<void> {
  let latest: KnownPayment | null = payment;
  for (let reading = 1; latest; reading++) {
    if ((await recordPayment(env, latest, answer)) || reading === MOST_READINGS) return;
    latest = await readPayment(stripeAccount(env), payment.paymentIntentId, orderOfPayment(payment));
    // What has become of it meanwhile is for the exchange to hear as well.
    if (latest && latest.status !== payment.status) return void (await settlePayment(env, latest));
  }
}

/** The sale that a payment made, as D1 has it, in the words of an exchange that has forgotten it; null for none. */
async function saleInD1(env: Env, { paymentIntentId, holdId }: KnownPayment): Promise<Answer | null> {
  const purchase = await purchaseOfPayment(database(env.DB), paymentIntentId);
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
      // Older than anything D1 has been told: it changes no lead.
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
 * Brings exchange, purchase and ledger to where a payment is, however often and in whatever order.
 * @param ledger `later`: a buyer is waiting and is not told of an error once the lead is theirs; the night's
 *   reconciliation finds what is missing. `now`: whoever asks can ask again, as Stripe does
 * @throws DomainError exchange_unavailable; D1's errors
 */
export async function settlePayment(
  env: Env,
  payment: KnownPayment,
  ledger: "now" | "later" = "now",
): Promise<Answer> {
  const { region } = payment;
  let answer = await askExchange(env, region, (exchange) => exchange.settle(forExchange(payment)));
  // An exchange that has lost its storage knows nothing of its sales; D1 does, and such money is not given back.
  if (!answer.ok && answer.reason === "refund_late") answer = (await saleInD1(env, payment)) ?? answer;
  // The purchase first: it is what the buyer is waiting for. Its outbox is the fallback.
  if (answer.ok && saleOf(payment, answer)) {
    const outcome = await recordSale(env, region, answer.listing, null);
    if (outcome === "conflict") answer = UNDELIVERABLE;
  }
  try {
    await recordLatest(env, payment, answer);
  } catch (error) {
    if (ledger === "now" || !saleOf(payment, answer)) throw error;
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
  const cards = stripeAccount(env);
  const intentId = row.stripePaymentIntentId;
  const payment = intentId ? await readPayment(cards, intentId, orderOf(row)) : null;
  // A hold that has lost its place in the ledger is over, and a payment attached to none is offered to nobody.
  const isOver = row.state === "cancelled" || (!intentId && row.slot === null);
  if (!payment) return { status: isOver ? "cancelled" : "open", purchase: null };
  const answer = await settlePayment(env, payment, "later");
  const sale = saleOf(payment, answer);
  if (!answer.ok || !sale) {
    return { status: unsoldAs(payment), purchase: null };
  }
  // Bought, and taken out of this business's pipeline since: its details are not given again.
  if (await isRemoved(db, scope, sale.purchaseId)) throw new DomainError("lead_closed");
  const buyer = form ? buyerOfForm(form) : null;
  if (buyer) await nameBuyer(db, scope, sale.purchaseId, buyer).catch(() => {});
  const nobody = { name: "", email: null, phone: null, company: null };
  return {
    status: "sold",
    purchase: await boughtLead(env, scope, answer.listing, sale, buyer ?? nobody),
  };
}
