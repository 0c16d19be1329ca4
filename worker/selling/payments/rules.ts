import type { Stripe } from "stripe";

import { DAY_MS } from "../../../contract/durations.ts";
import type { CardExpiry } from "../../../contract/payments.ts";
import type { Region } from "../../../contract/regions.ts";
import { sydneyMonth } from "../../../contract/sydney-time.ts";
import type { Answer } from "../../exchange/listing.ts";
import type { Payment, PaymentOrder } from "../../exchange/ports.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { payments } from "../../platform/db/payments.ts";

/** A claim key stays bound to one lead for this long. */
export const CLAIM_KEY_MS = DAY_MS;

/** A hold lasts minutes, so all recent releases are of holds from this time. It bounds the payments that are read. */
export const RECENT_HOLDS_MS = DAY_MS;

export type LedgerRow = typeof payments.$inferSelect;

/** A payment as read from Stripe. */
export type KnownPayment = Payment & {
  region: Region;
  /** Stripe's code for the last decline. */
  lastError: string | null;
  /** The amount that was refunded or is being refunded, in cents. */
  refundedCents: number;
  /** Whether the payment was refunded in full. */
  isRefunded: boolean;
  /**
   * Whether Stripe does not have a payment that the ledger has, e.g. because the keys belong to another account or
   * mode.
   */
  isMissing: boolean;
  /** Whether the payment is disputed, or the cardholder won the dispute. */
  isDisputed: boolean;
  /** Whether every dispute ended in our favour. */
  isDisputeWon: boolean;
  /** Whether the bank is waiting for the buyer to authenticate (3-D Secure). */
  needsAction: boolean;
  /** The card used, for the receipt. */
  card: { brand: string; last4: string } | null;
  /** When the request to Stripe was sent and when it was answered (epoch ms). The reading was taken in between. */
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

/** Returns a payment as the exchange should see it: a fully refunded payment counts as cancelled. */
export function forExchange(payment: KnownPayment): KnownPayment {
  return payment.isRefunded ? { ...payment, status: "cancelled" } : payment;
}

/** Returns whether an event's mode, test or live, matches the key's. */
export function isOurMode(event: Stripe.Event, secretKey: string): boolean {
  return event.livemode === /^[sr]k_live_/.test(secretKey);
}

export function saleOf(payment: Payment, answer: Answer) {
  if (!answer.ok) return null;
  const { sale } = answer.listing;
  return sale?.holdId === payment.holdId && sale.paymentIntentId === payment.paymentIntentId ? sale : null;
}

/** Returns whether the exchange refused a completed payment, which must then be refunded. */
export function owesRefund(answer: Answer): boolean {
  return !answer.ok && (answer.reason === "refund_late" || answer.reason === "refund_mismatch");
}

/** Returns the ledger state of a payment, unless a refund is owed. */
export function ledgerState(payment: KnownPayment): LedgerRow["state"] {
  if (payment.status === "cancelled" || payment.status === "processing") return payment.status;
  if (payment.status === "open") return "pending";
  // A full refund takes precedence over a dispute.
  if (payment.isRefunded) return "refunded";
  return payment.isDisputed ? "disputed" : "succeeded";
}

/** A new provider's networks as keyed hashes; null: no limit for this network size. */
export type NewcomerNetworks = { by56: string | null; by48: string | null };

/**
 * Returns whether a buyer is trusted: the buyer has paid before, or an operator has verified the buyer. Paying is also
 * the only way to save a card. Other accounts are easy to create and could block leads with holds.
 */
export function isTrusted(user: Pick<UserRow, "isVerified" | "isSuperAdmin" | "payingSince">): boolean {
  return user.payingSince !== null || user.isVerified || user.isSuperAdmin;
}

// Rules for the expiry of saved cards. No I/O.

/**
 * Returns the last month in which a card is valid, such as "2026-11". The card is valid until the end of that month.
 */
const lastMonthOf = ({ expYear, expMonth }: { expYear: number; expMonth: number }): string =>
  `${expYear}-${String(expMonth).padStart(2, "0")}`;

/**
 * Compares a card's last month with the current month in Sydney.
 * @param now epoch ms
 */
export function expiryOf(card: { expYear: number; expMonth: number }, now: number): CardExpiry {
  const [last, month] = [lastMonthOf(card), sydneyMonth(now)];
  return last < month ? "over" : last === month ? "this_month" : "later";
}

/** Returns saved cards without duplicates, latest first. Keeps the later copy of a card saved twice. */
export function distinctCards(methods: readonly Stripe.PaymentMethod[]): Stripe.PaymentMethod[] {
  const distinct = new Map<string, Stripe.PaymentMethod>();
  for (const method of methods.toSorted((a, b) => a.created - b.created)) {
    if (!method.card) continue;
    const key = method.card.fingerprint ?? method.id;
    distinct.delete(key); // a map keeps an overwritten entry's old position
    distinct.set(key, method);
  }
  return [...distinct.values()].toReversed();
}
