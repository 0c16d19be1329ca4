/** The only place that talks to Stripe. */
import { Stripe } from "stripe";

import { type Env, settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { intentKey, intentParams, type KnownPayment, type PaymentOrder, readIntent } from "./rules.ts";
import { log } from "../log.ts";

const TIMEOUT_MS = 10_000;

/** Stripe as this deployment uses it. */
export type Till = {
  stripe: Stripe;
  deployment: string;
  webhookSecret: string;
  publishableKey: string;
  /** Where browsers get Stripe.js; null for Stripe's own. */
  scriptUrl: string | null;
};

/** Whether the keys for cards are set. */
export function takesCards(env: Env): boolean {
  return settings(env).stripe !== null;
}

/** @throws DomainError payments_unavailable without keys */
export function till(env: Env): Till {
  const { stripe: keys } = settings(env);
  if (!keys)
    throw new DomainError(
      "payments_unavailable",
      "Card payments are not set up here yet. Nothing has been charged.",
    );
  const { secretKey, apiHost, ...others } = keys;
  return { stripe: clientFor(secretKey, apiHost), ...others };
}

let lastClient: { secretKey: string; apiHost: string | undefined; stripe: Stripe } | null = null;

/** The SDK's client. It keeps nothing between calls, so one is enough for as long as the keys are the same. */
function clientFor(secretKey: string, apiHost: string | undefined): Stripe {
  if (lastClient?.secretKey === secretKey && lastClient.apiHost === apiHost) return lastClient.stripe;
  const address = apiHost ? new URL(apiHost) : null;
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    timeout: TIMEOUT_MS,
    // We repeat what may be repeated ourselves, with keys of our own.
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

/** Whether Stripe's answer leaves open what happened: no answer, too busy, or an error of its own. */
export function isUnclear(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const { statusCode } = error;
  return statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500;
}

/** `refused`: there is no payment. `unclear`: there may be one, but its secret is with nobody. */
export type Creation = { intent: Stripe.PaymentIntent } | { intent: null; reason: "refused" | "unclear" };

/** Makes the payment of a hold, or finds the one it has. After silence it asks once more with the same key. */
export async function createPayment({ stripe, deployment }: Till, order: PaymentOrder): Promise<Creation> {
  for (let attempt = 1; ; attempt++) {
    try {
      const options = { idempotencyKey: intentKey(order.holdId) };
      return { intent: await stripe.paymentIntents.create(intentParams(order, deployment), options) };
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, code, requestId } = error;
      log("warn", "create_payment_failed", { type, code, stripeRequestId: requestId });
      if (!isUnclear(error)) return { intent: null, reason: "refused" };
      if (attempt === 2) return { intent: null, reason: "unclear" };
    }
  }
}

/** Asks Stripe about a payment; null when it is not ours. */
export async function readPayment({ stripe, deployment }: Till, id: string): Promise<KnownPayment | null> {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
  const { latest_charge: charge } = intent;
  const isDisputed = typeof charge === "object" && charge?.disputed === true;
  const disputes = isDisputed ? await stripe.disputes.list({ payment_intent: id, limit: 10 }) : null;
  return readIntent(intent, deployment, disputes?.data);
}

/**
 * Cancels a payment, or finds out why it cannot be.
 * @returns the payment as it is now
 * @throws Stripe's error when it is not known
 */
export async function cancelOrRead(till: Till, id: string): Promise<KnownPayment | null> {
  try {
    return readIntent(await till.stripe.paymentIntents.cancel(id), till.deployment);
  } catch (error) {
    if (isUnclear(error)) throw error;
    return readPayment(till, id);
  }
}

/** Whether a refund of a payment was made, or is on its way, and has not come back. */
export async function hasStandingRefund({ stripe }: Till, id: string): Promise<boolean> {
  const refunds = await stripe.refunds.list({ payment_intent: id, limit: 10 });
  return refunds.data.some(({ status }) => status !== "failed" && status !== "canceled");
}

/**
 * Pays a payment back, unless that was done before.
 * @param attemptKey names this attempt: a key used before would only replay the earlier failure
 * @throws Stripe's error; the next attempt looks again
 */
export async function refundOnce(till: Till, id: string, attemptKey: string): Promise<void> {
  if (await hasStandingRefund(till, id)) return;
  try {
    const refund = await till.stripe.refunds.create({ payment_intent: id }, { idempotencyKey: attemptKey });
    if (refund.status === "failed" || refund.status === "canceled")
      throw new Error(`Stripe's refund ended as ${refund.status}`);
  } catch (error) {
    const isDone = error instanceof Stripe.errors.StripeError && error.code === "charge_already_refunded";
    if (!isDone) throw error;
  }
}

/**
 * Checks a webhook's signature over the body as it came.
 * @throws DomainError invalid_signature
 */
export async function verifyEvent(
  { stripe, webhookSecret }: Till,
  body: string,
  signature: string | undefined,
): Promise<Stripe.Event> {
  try {
    const crypto = Stripe.createSubtleCryptoProvider();
    return await stripe.webhooks.constructEventAsync(body, signature ?? "", webhookSecret, undefined, crypto);
  } catch {
    throw new DomainError("invalid_signature");
  }
}
