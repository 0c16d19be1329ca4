/** Finds which of a business's saved cards expire at the end of this month, according to Stripe. */
import type { Stripe } from "stripe";

import type { Context } from "../../platform/context.ts";
import { distinctCards, expiryOf } from "./card-rules.ts";
import { stripeAccount } from "./stripe.ts";
import { listCards } from "./stripe-cards.ts";

/** A saved card: Stripe's ID, the brand and the last four digits. */
export type ExpiringCard = { id: string; brand: string; last4: string };

const toExpiringCard = ({ id, card }: Stripe.PaymentMethod): ExpiringCard => ({
  id,
  brand: card!.brand,
  last4: card!.last4,
});

/**
 * Finds a Customer's cards that expire at the end of this month.
 * @param now epoch ms
 * @returns the expiring cards, and the latest card that stays valid after this month
 * @throws Stripe's error; DomainError payments_unavailable if Stripe is not set up
 */
export async function findExpiringCards(
  context: Context,
  customerId: string,
  now: number,
): Promise<{ cards: ExpiringCard[]; validCard: ExpiringCard | null }> {
  const methods = distinctCards(await listCards(stripeAccount(context), customerId));
  const cardsInState = (state: ReturnType<typeof expiryOf>) =>
    methods
      .filter(({ card }) => expiryOf({ expYear: card!.exp_year, expMonth: card!.exp_month }, now) === state)
      .map(toExpiringCard);
  return { cards: cardsInState("this_month"), validCard: cardsInState("later")[0] ?? null };
}
