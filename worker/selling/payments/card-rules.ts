/** Rules for the expiry of saved cards. No I/O. */
import type { Stripe } from "stripe";

import type { CardExpiry } from "../../../contract/payments.ts";
import { sydneyMonth } from "../../../contract/sydney-time.ts";

/**
 * Returns the last month in which a card is valid, such as "2026-11". The card is valid until the end of that month.
 */
export const lastMonthOf = ({ expYear, expMonth }: { expYear: number; expMonth: number }): string =>
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
