/** Until when a kept card pays. Without I/O. */
import type { Stripe } from "stripe";

import type { CardExpiry } from "../../contract/payments.ts";
import { sydneyMonth } from "../../contract/sydney-time.ts";

/** The month up to whose last day a card pays, such as "2026-11". */
export const lastMonthOf = ({ expYear, expMonth }: { expYear: number; expMonth: number }): string =>
  `${expYear}-${String(expMonth).padStart(2, "0")}`;

/**
 * How a card's last month stands to the one we are in, by Sydney's calendar.
 * @param now epoch ms
 */
export function expiryOf(card: { expYear: number; expMonth: number }, now: number): CardExpiry {
  const [last, month] = [lastMonthOf(card), sydneyMonth(now)];
  return last < month ? "over" : last === month ? "this_month" : "later";
}

/** Kept cards as Stripe lists them, each once: a card that was kept twice is the later one. The latest first. */
export function distinctCards(methods: readonly Stripe.PaymentMethod[]): Stripe.PaymentMethod[] {
  const distinct = new Map<string, Stripe.PaymentMethod>();
  for (const method of methods.toSorted((a, b) => a.created - b.created)) {
    if (!method.card) continue;
    const key = method.card.fingerprint ?? method.id;
    distinct.delete(key); // a map keeps an overwritten entry's old place
    distinct.set(key, method);
  }
  return [...distinct.values()].toReversed();
}
