/** The part of Stripe that keeps cards: a Customer per business, and its cards. */
import { Stripe } from "stripe";

import { customerKey, customerParams } from "./intents.ts";
import { callWithKey, isUnclear, isUnknownToStripe, type StripeAccount } from "./stripe.ts";
import { log } from "../log.ts";

/**
 * The Customer of a business, made with the first card it keeps.
 * @param known the one we know of; it is made anew when Stripe does not know it any more
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
  // Two tabs may both be about to keep the first card.
  const customer = await callWithKey(() => stripe.customers.create(params, options));
  return customer.id;
}

/**
 * Deletes a Customer with every card it keeps. Its payments stay at Stripe, which has to keep them.
 * @throws Stripe's error, unless it does not know the Customer any more
 */
export async function forgetCustomer({ stripe }: StripeAccount, customerId: string): Promise<void> {
  try {
    await stripe.customers.del(customerId);
  } catch (error) {
    if (!isUnknownToStripe(error)) throw error;
  }
}

/** A Customer's cards; none when Stripe does not know them. @throws Stripe's error */
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

/** Forgets a card. Forgetting it twice is as good as once. @throws Stripe's error */
export async function forgetCard({ stripe }: StripeAccount, cardId: string): Promise<void> {
  try {
    await stripe.paymentMethods.detach(cardId);
  } catch (error) {
    if (isUnclear(error)) throw error;
  }
}

/**
 * Whether the card a payment is made with is kept afterwards.
 * @param customerId whose card it becomes; null keeps nothing
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
      ? // For purchases made in person, by tap: not for charges while the buyer is away.
        { customer: customerId, setup_future_usage: "on_session" }
      : { setup_future_usage: "" },
  );
}

/** `declined`: in the bank's words. `asked`: the payment's own state tells. */
export type Confirmation = { outcome: "declined"; message: string } | { outcome: "asked" };

/**
 * Pays with a kept card.
 * @param payment `returnUrl`: where a bank sends the buyer back that shows a page of its own
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
    // No answer, or refused because it was paid or cancelled before: its state tells.
    log("warn", "confirm_unclear", { error });
  }
  return { outcome: "asked" };
}
