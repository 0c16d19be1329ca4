import type { Stripe } from "stripe";
import { type Region } from "../../contract/regions.ts";
import type { UserRow } from "../platform/session.ts";
import type { payments } from "../db/schema.ts";
import type { Answer } from "../exchange/listing.ts";
import type { Payment, PaymentOrder } from "../exchange/payment.ts";

export type LedgerRow = typeof payments.$inferSelect;

/** What we know of a payment after asking Stripe. */
export type KnownPayment = Payment & {
  region: Region;
  /** The card's last refusal. */
  lastError: string | null;
  /** How much of it was paid back, or is on its way back. */
  refundedCents: number;
  /** All of it was paid back. */
  isRefunded: boolean;
  /** Our books name it and Stripe does not know it: the keys are another account's, or the mode's. */
  isMissing: boolean;
  /** The card's owner wants the money back, or has got it. */
  isDisputed: boolean;
  /** It was disputed, and that ended in our favour: the money is here. */
  isDisputeWon: boolean;
  /** The bank waits for the buyer's own word (3-D Secure). */
  needsAction: boolean;
  /** What it was paid with, for the receipt. */
  card: { brand: string; last4: string } | null;
  /** When Stripe was asked and when it had answered (epoch ms): what it said is true of some moment in between. */
  asked: number;
  answered: number;
};

/** The order a row of the ledger was opened for. */
export function orderOf({ holdId, leadId, region, buyerId, amountCents }: LedgerRow): PaymentOrder {
  return { holdId, leadId, region, businessId: buyerId, amountCents };
}

/** What a payment of ours was made for. */
export function orderOfPayment(payment: KnownPayment): PaymentOrder {
  const { holdId, leadId, region, businessId, amountCents } = payment;
  return { holdId, leadId, region, businessId, amountCents };
}

/**
 * A payment as the exchange is to see it: money that went back before the lead was given buys nothing,
 * just as money that never came.
 */
export function forExchange(payment: KnownPayment): KnownPayment {
  return payment.isRefunded ? { ...payment, status: "cancelled" } : payment;
}

/** Whether an event comes from the mode our key belongs to: test or live. */
export function isOurMode(event: Stripe.Event, secretKey: string): boolean {
  return event.livemode === /^[sr]k_live_/.test(secretKey);
}

/** The sale a payment made; null when it made none. */
export function saleOf(payment: Payment, answer: Answer) {
  if (!answer.ok) return null;
  const { sale } = answer.listing;
  return sale?.holdId === payment.holdId && sale.paymentIntentId === payment.paymentIntentId ? sale : null;
}

/** Whether the exchange refused a payment that was made: the money goes back. */
export function owesRefund(answer: Answer): boolean {
  return !answer.ok && (answer.reason === "refund_late" || answer.reason === "refund_mismatch");
}

/** What the ledger says of a payment that owes no refund. */
export function ledgerState(payment: KnownPayment): LedgerRow["state"] {
  if (payment.status === "cancelled" || payment.status === "processing") return payment.status;
  if (payment.status === "open") return "pending";
  // What has gone back in full cannot be taken in a dispute any more.
  if (payment.isRefunded) return "refunded";
  return payment.isDisputed ? "disputed" : "succeeded";
}

/** A new provider's networks as keyed hashes; null where there is none to count. */
export type NewcomerNetworks = { by56: string | null; by48: string | null };

/**
 * Whether a buyer has shown that they mean it: they have paid before, which is also the only way to keep a
 * card, or an operator knows them. Everybody else can be made up in a minute, and a lead they hold is off
 * the market for the others.
 */
export function isTrusted(buyer: {
  user: Pick<UserRow, "isVerified" | "isSuperAdmin">;
  hasPaid: boolean;
}): boolean {
  return buyer.hasPaid || buyer.user.isVerified || buyer.user.isSuperAdmin;
}
