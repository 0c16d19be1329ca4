/** Saved cards at Stripe: one Customer per business, and its cards. */

import { Stripe } from "stripe";

import type { Context } from "../../platform/context.ts";
import { log } from "../../platform/log.ts";
import { customerKey, customerParams } from "./intents.ts";
import { distinctCards, expiryOf } from "./rules.ts";
import { callWithKey, isUnclear, isUnknownToStripe, type StripeAccount, stripeAccount } from "./stripe.ts";

/**
 * Returns the id of a business's Customer. Creates the Customer if needed.
 * @param known the stored Customer id; a new Customer is created if Stripe no longer has this Customer
 * @returns the Customer's id
 * @throws Stripe's error
 */
export async function ensureCustomer(
  { stripe, deployment }: StripeAccount,
  businessId: string,
  known: string | null,
): Promise<string> {
  if (known) {
    try {
      const customer = await stripe.customers.retrieve(known);
      if (!customer.deleted) return known;
    } catch (error) {
      if (!isUnknownToStripe(error)) throw error;
    }
  }
  const options = { idempotencyKey: customerKey(businessId, known) };
  const params = customerParams(businessId, deployment);
  // Two tabs may create the Customer at the same time.
  const customer = await callWithKey(() => stripe.customers.create(params, options));
  return customer.id;
}

/**
 * Deletes a Customer with every saved card. The payments stay at Stripe, which must retain them.
 * @throws Stripe's error, unless the Customer no longer exists
 */
export async function deleteCustomer({ stripe }: StripeAccount, customerId: string): Promise<void> {
  try {
    await stripe.customers.del(customerId);
  } catch (error) {
    if (!isUnknownToStripe(error)) throw error;
  }
}

/** Returns a Customer's cards. Returns an empty list if Stripe does not know the Customer. @throws Stripe's error */
export async function listCards(
  { stripe }: StripeAccount,
  customerId: string,
): Promise<Stripe.PaymentMethod[]> {
  try {
    const { data } = await stripe.paymentMethods.list({ customer: customerId, type: "card", limit: 50 });
    return data;
  } catch (error) {
    if (isUnknownToStripe(error)) return [];
    throw error;
  }
}

/** Deletes a saved card. Safe to repeat. @throws Stripe's error */
export async function detachCard({ stripe }: StripeAccount, cardId: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(cardId);
  } catch (error) {
    if (isUnclear(error)) throw error;
  }
}

/**
 * Sets whether a payment's card is saved afterwards.
 * @param customerId the Customer to save the card to; null: do not save the card
 * @throws Stripe's error
 */
export async function saveCardOf(
  { stripe }: StripeAccount,
  intentId: string,
  customerId: string | null,
): Promise<void> {
  await stripe.paymentIntents.update(
    intentId,
    customerId
      ? // For purchases that the buyer makes in person, not for charges while the buyer is away.
        { customer: customerId, setup_future_usage: "on_session" }
      : { setup_future_usage: "" },
  );
}

/** `declined`: with the bank's message. `asked`: the outcome is unknown; read the payment to find out. */
type Confirmation = { outcome: "declined"; message: string } | { outcome: "asked" };

/**
 * Pays with a saved card.
 * @param payment `returnUrl`: where the bank's page redirects the buyer afterwards
 */
export async function confirmWithCard(
  { stripe }: StripeAccount,
  payment: { intentId: string; customerId: string; cardId: string; returnUrl: string },
): Promise<Confirmation> {
  const { intentId, customerId, cardId, returnUrl } = payment;
  try {
    await stripe.paymentIntents.update(intentId, { customer: customerId, setup_future_usage: "" });
    await stripe.paymentIntents.confirm(intentId, {
      payment_method: cardId,
      return_url: returnUrl,
      use_stripe_sdk: true,
    });
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError)
      return { outcome: "declined", message: error.message };
    // Stripe did not respond, or the payment was already paid or cancelled. The caller reads the payment's state.
    log("warn", "confirm_unclear", { error });
  }
  return { outcome: "asked" };
}

// Finds which of a business's saved cards expire at the end of this month, according to Stripe.

/** A saved card: Stripe's ID, the brand and the last four digits. */
type ExpiringCard = { id: string; brand: string; last4: string };

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
