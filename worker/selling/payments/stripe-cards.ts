/** Saved cards at Stripe: one Customer per business, and its cards. */
import { Stripe } from "stripe";

import { customerKey, customerParams } from "./intents.ts";
import { callWithKey, isUnclear, isUnknownToStripe, type StripeAccount } from "./stripe.ts";
import { log } from "../../platform/log.ts";

/**
 * Returns a business's Customer, and creates it with the first card the business saves.
 * @param known the Customer id we have; a new Customer is created when Stripe no longer knows it
 * @returns its id
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
  // Two tabs may save their first card at once.
  const customer = await callWithKey(() => stripe.customers.create(params, options));
  return customer.id;
}

/**
 * Deletes a Customer with every saved card. Its payments stay at Stripe, which must keep them.
 * @throws Stripe's error, unless Stripe no longer knows the Customer
 */
export async function forgetCustomer({ stripe }: StripeAccount, customerId: string): Promise<void> {
  try {
    await stripe.customers.del(customerId);
  } catch (error) {
    if (!isUnknownToStripe(error)) throw error;
  }
}

/** Returns a Customer's cards, or none when Stripe does not know it. @throws Stripe's error */
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
export async function forgetCard({ stripe }: StripeAccount, cardId: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(cardId);
  } catch (error) {
    if (isUnclear(error)) throw error;
  }
}

/**
 * Sets whether a payment's card is saved afterwards.
 * @param customerId the Customer that saves the card; null saves nothing
 * @throws Stripe's error
 */
export async function keepCardOf(
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

/** `declined`: with the bank's message. `asked`: read the payment's state to learn the outcome. */
export type Confirmation = { outcome: "declined"; message: string } | { outcome: "asked" };

/**
 * Pays with a saved card.
 * @param payment `returnUrl`: where a bank returns the buyer from its own page
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
    // Stripe did not answer, or the payment had already been paid or cancelled. Its state tells which.
    log("warn", "confirm_unclear", { error });
  }
  return { outcome: "asked" };
}
