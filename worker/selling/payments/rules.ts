import type { Stripe } from "stripe";
import { type Region } from "../../../contract/regions.ts";
import type { UserRow } from "../../platform/session.ts";
import type { payments } from "../../platform/db/schema.ts";
import type { Answer } from "../../exchange/listing.ts";
import type { Payment, PaymentOrder } from "../../exchange/payment.ts";

export type LedgerRow = typeof payments.$inferSelect;

/** A payment as read from Stripe. */
export type KnownPayment = Payment & {
  region: Region;
  /** Stripe's code for the last decline. */
  lastError: string | null;
  /** How much was refunded or is on its way back. */
  refundedCents: number;
  /** It was refunded in full. */
  isRefunded: boolean;
  /** The ledger has it and Stripe does not: the keys belong to another account or mode. */
  isMissing: boolean;
  /** The cardholder disputes it, or has won the dispute. */
  isDisputed: boolean;
  /** A dispute ended in our favour, and we have the money. */
  isDisputeWon: boolean;
  /** The bank is waiting for the buyer to authenticate (3-D Secure). */
  needsAction: boolean;
  /** The card it was paid with, for the receipt. */
  card: { brand: string; last4: string } | null;
  /** When Stripe was asked and when it had answered (epoch ms). The reading is true of some moment in between. */
  asked: number;
  answered: number;
};

export function toPaymentOrder({ holdId, leadId, region, buyerId, amountCents }: LedgerRow): PaymentOrder {
  return { holdId, leadId, region, businessId: buyerId, amountCents };
}

export function orderOfPayment(payment: KnownPayment): PaymentOrder {
  const { holdId, leadId, region, businessId, amountCents } = payment;
  return { holdId, leadId, region, businessId, amountCents };
}

/**
 * Returns a payment as the exchange should see it. A payment refunded before the lead was sold buys nothing, like
 * one that was never made.
 */
export function forExchange(payment: KnownPayment): KnownPayment {
  return payment.isRefunded ? { ...payment, status: "cancelled" } : payment;
}

/** Whether an event comes from our key's mode: test or live. */
export function isOurMode(event: Stripe.Event, secretKey: string): boolean {
  return event.livemode === /^[sr]k_live_/.test(secretKey);
}

export function saleOf(payment: Payment, answer: Answer) {
  if (!answer.ok) return null;
  const { sale } = answer.listing;
  return sale?.holdId === payment.holdId && sale.paymentIntentId === payment.paymentIntentId ? sale : null;
}

/** Whether the exchange refused a completed payment, so that it must be refunded. */
export function owesRefund(answer: Answer): boolean {
  return !answer.ok && (answer.reason === "refund_late" || answer.reason === "refund_mismatch");
}

/** Returns the ledger state of a payment that owes no refund. */
export function ledgerState(payment: KnownPayment): LedgerRow["state"] {
  if (payment.status === "cancelled" || payment.status === "processing") return payment.status;
  if (payment.status === "open") return "pending";
  // A payment refunded in full cannot be lost to a dispute any more.
  if (payment.isRefunded) return "refunded";
  return payment.isDisputed ? "disputed" : "succeeded";
}

/** A new provider's networks as keyed hashes; null where no network is counted. */
export type NewcomerNetworks = { by56: string | null; by48: string | null };

/**
 * Whether a buyer is trusted: they have paid before, or an operator has verified them. Paying is also the only way
 * to save a card. Any other account can be created in a minute, and its holds keep leads off the market.
 */
export function isTrusted(user: Pick<UserRow, "isVerified" | "isSuperAdmin" | "payingSince">): boolean {
  return user.payingSince !== null || user.isVerified || user.isSuperAdmin;
}
