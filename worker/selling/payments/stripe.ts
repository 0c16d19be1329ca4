/**
 * The Stripe client and the calls for payments, refunds and webhooks. Only this file and `stripe-cards.ts` call Stripe.
 */
import { Stripe } from "stripe";

import type { Context } from "../../platform/context.ts";
import { DomainError } from "../../platform/errors.ts";
import { intentKey, intentParams, missingPayment, readIntent } from "./intents.ts";
import { type KnownPayment } from "./rules.ts";
import { type PaymentOrder } from "../../exchange/ports.ts";
import { log } from "../../platform/log.ts";

const TIMEOUT_MS = 10_000;

export type StripeAccount = {
  stripe: Stripe;
  deployment: string;
  webhookSecret: string;
  publishableKey: string;
  /** The URL from which browsers load Stripe.js; null for Stripe's own host. */
  scriptUrl: string | null;
};

export function acceptsCards(context: Context): boolean {
  return context.settings.stripe !== null;
}

/** @throws DomainError payments_unavailable if Stripe is not set up */
export function stripeAccount(context: Context): StripeAccount {
  const { stripe: keys } = context.settings;
  if (!keys)
    throw new DomainError(
      "payments_unavailable",
      "Card payments aren't set up here yet. Nothing has been charged.",
    );
  const { secretKey, apiHost, ...others } = keys;
  return { stripe: clientFor(secretKey, apiHost), ...others };
}

let lastClient: { secretKey: string; apiHost: string | undefined; stripe: Stripe } | null = null;

/** Returns a cached SDK client, or a new one if the keys have changed. The client is stateless. */
function clientFor(secretKey: string, apiHost: string | undefined): Stripe {
  if (lastClient?.secretKey === secretKey && lastClient.apiHost === apiHost) return lastClient.stripe;
  const address = apiHost ? new URL(apiHost) : null;
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    timeout: TIMEOUT_MS,
    // This app does its own retries, with its own idempotency keys.
    maxNetworkRetries: 0,
    telemetry: false,
    ...(address && {
      host: address.hostname,
      protocol: address.protocol === "http:" ? "http" : "https",
      port: address.port || (address.protocol === "http:" ? "80" : "443"),
    }),
  });
  lastClient = { secretKey, apiHost, stripe };
  return stripe;
}

/** Returns whether a call's outcome is unknown: no response, a conflict, a rate limit or a server error. */
export function isUnclear(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const { statusCode } = error;
  return statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500;
}

/** `refused`: no payment was created. `unclear`: a payment may exist, but no browser has its secret. */
export type CreationResult =
  | { intent: Stripe.PaymentIntent }
  | { intent: null; reason: "refused" | "unclear" };

/** Returns whether Stripe is still processing an earlier call with the same key, for example after a double click. */
function isInProgress(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 409;
}

/**
 * Delays before retrying while an earlier call with the same key is in progress, in ms. Their sum is about as long as a
 * slow response from Stripe.
 */
const IN_PROGRESS_DELAYS_MS = [150, 300, 600, 1_200, 2_400];

/**
 * Makes a call with an idempotency key. Waits and retries while Stripe is processing an earlier call with that key.
 * Both calls then get the same result.
 * @throws Stripe's error; 409 if the earlier call takes too long
 */
export async function callWithKey<Answer>(makeCall: () => Promise<Answer>): Promise<Answer> {
  for (const pause of IN_PROGRESS_DELAYS_MS) {
    try {
      return await makeCall();
    } catch (error) {
      if (!isInProgress(error)) throw error;
      await scheduler.wait(pause);
    }
  }
  return makeCall();
}

/**
 * Creates a hold's payment, or returns its existing payment. Retries once with the same key after an unclear outcome.
 * Waits for the result of a concurrent call with the same key.
 */
export async function createPayment(
  { stripe, deployment }: StripeAccount,
  order: PaymentOrder,
): Promise<CreationResult> {
  const options = { idempotencyKey: intentKey(order.holdId) };
  const params = intentParams(order, deployment);
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return { intent: await callWithKey(() => stripe.paymentIntents.create(params, options)) };
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, code, requestId } = error;
      log("warn", "create_payment_failed", { type, code, stripeRequestId: requestId });
      if (!isUnclear(error)) return { intent: null, reason: "refused" };
      if (isRepeated || isInProgress(error)) return { intent: null, reason: "unclear" };
    }
  }
}

/** Returns whether the card's bank has withdrawn the money in a dispute. There is then nothing left to refund. */
export function isWithdrawnByBank(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "charge_disputed";
}

export function isUnknownToStripe(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "resource_missing";
}

/**
 * Reads a payment from Stripe; null if it does not belong to this deployment.
 * @param order the order in the ledger, which identifies the payment as ours. With an order, an unknown payment is
 *   returned as `isMissing`
 * @throws Stripe's error
 */
export async function readPayment(
  { stripe, deployment }: StripeAccount,
  id: string,
  order?: PaymentOrder,
): Promise<KnownPayment | null> {
  const asked = Date.now();
  try {
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
    const { latest_charge: charge } = intent;
    const isDisputed = typeof charge === "object" && charge?.disputed === true;
    const disputes = isDisputed ? await stripe.disputes.list({ payment_intent: id, limit: 10 }) : null;
    return readIntent(intent, deployment, { disputes: disputes?.data, order, asked, answered: Date.now() });
  } catch (error) {
    if (order && isUnknownToStripe(error)) return missingPayment(id, order, { asked, answered: Date.now() });
    throw error;
  }
}

/**
 * Reads the payment of a webhook event.
 * @returns null if the payment does not belong to this deployment or Stripe does not know it; a retry would not help
 * @throws Stripe's error; Stripe then retries the event
 */
export async function readEventPayment(account: StripeAccount, id: string): Promise<KnownPayment | null> {
  try {
    return await readPayment(account, id);
  } catch (error) {
    if (!isUnknownToStripe(error)) throw error;
    log("warn", "webhook_for_unknown_payment", { intentId: id });
    return null;
  }
}

/**
 * Cancels a payment, or reads it if it cannot be cancelled.
 * @param order as for readPayment
 * @returns the payment's current state
 * @throws Stripe's error if the state is unknown
 */
export async function cancelOrRead(
  account: StripeAccount,
  id: string,
  order?: PaymentOrder,
): Promise<KnownPayment | null> {
  const asked = Date.now();
  try {
    const intent = await account.stripe.paymentIntents.cancel(id);
    return readIntent(intent, account.deployment, { order, asked, answered: Date.now() });
  } catch (error) {
    if (isUnclear(error)) throw error;
    return readPayment(account, id, order);
  }
}

/**
 * Returns a page of this deployment's payments, newest first.
 * @param query `since` and `until` in epoch ms; `after`: the previous page's last id
 * @returns the payments, and the next page's cursor; null on the last page
 * @throws Stripe's error
 */
export async function listPayments(
  account: StripeAccount,
  query: { since: number; until: number; after: string | null; limit: number },
): Promise<{ payments: KnownPayment[]; next: string | null }> {
  const { since, until, after, limit } = query;
  const asked = Date.now();
  const { data, has_more } = await account.stripe.paymentIntents.list({
    created: { gte: Math.floor(since / 1000), lt: Math.floor(until / 1000) },
    limit,
    expand: ["data.latest_charge"],
    ...(after && { starting_after: after }),
  });
  const answered = Date.now();
  const payments: KnownPayment[] = [];
  for (const intent of data) {
    // The list does not show the outcome of disputes, so read the few disputed payments one by one.
    const isDisputed = typeof intent.latest_charge === "object" && intent.latest_charge?.disputed === true;
    const payment = isDisputed
      ? await readPayment(account, intent.id)
      : readIntent(intent, account.deployment, { asked, answered });
    if (payment) payments.push(payment);
  }
  return { payments, next: has_more ? (data.at(-1)?.id ?? null) : null };
}

/**
 * Returns how much of a payment was refunded or is being refunded, in cents. Failed and cancelled refunds do not
 * count. @throws Stripe's error
 */
export async function sumRefunds({ stripe }: StripeAccount, id: string): Promise<number> {
  let sum = 0;
  for await (const { status, amount } of stripe.refunds.list({ payment_intent: id, limit: 100 })) {
    if (status !== "failed" && status !== "canceled") sum += amount;
  }
  return sum;
}

/**
 * Refunds the remainder of a payment. Does nothing if it was already refunded in full.
 * @param owedCents the total that should be refunded after this call
 * @param attemptKey a new idempotency key per attempt: Stripe would replay the earlier failure for a used key
 * @returns the total refunded, in cents: less than owed if less had been charged
 * @throws Stripe's error; the next attempt checks again
 */
export async function refundOnce(
  account: StripeAccount,
  id: string,
  owedCents: number,
  attemptKey: string,
): Promise<number> {
  const before = await sumRefunds(account, id);
  if (before >= owedCents) return before;
  try {
    // Without an amount, Stripe refunds the remainder. It may be less than the ledger expects.
    const refund = await account.stripe.refunds.create(
      { payment_intent: id },
      { idempotencyKey: attemptKey },
    );
    if (refund.status === "failed" || refund.status === "canceled")
      throw new Error(`Stripe's refund ended as ${refund.status}`);
    return before + refund.amount;
  } catch (error) {
    const isDone = error instanceof Stripe.errors.StripeError && error.code === "charge_already_refunded";
    if (!isDone) throw error;
    return sumRefunds(account, id);
  }
}

/**
 * Maximum difference between a webhook's timestamp and our clock. Equals the library's own limit, which only checks timestamps
 * in the past.
 */
const MAX_SKEW_S = 300;

/** Returns whether a signature header has a timestamp in the future. Parses the header like the library. */
function isFromFuture(signature: string): boolean {
  const latest = Date.now() / 1000 + MAX_SKEW_S;
  const parts = signature.split(",").map((part) => part.split("="));
  return parts.some(([name, value]) => name === "t" && Number.parseInt(value ?? "", 10) > latest);
}

/**
 * Checks a webhook's signature over the raw body, and that it was signed within five minutes of now.
 * @throws DomainError invalid_signature
 */
export async function verifyEvent(
  { stripe, webhookSecret }: StripeAccount,
  body: string,
  signature: string | undefined,
): Promise<Stripe.Event> {
  const header = signature ?? "";
  if (isFromFuture(header)) throw new DomainError("invalid_signature");
  try {
    const crypto = Stripe.createSubtleCryptoProvider();
    return await stripe.webhooks.constructEventAsync(body, header, webhookSecret, MAX_SKEW_S, crypto);
  } catch {
    throw new DomainError("invalid_signature");
  }
}
