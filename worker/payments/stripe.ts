/** The only place that talks to Stripe. */
import { Stripe } from "stripe";

import { type Env, settings } from "../env.ts";
import { DomainError } from "../errors.ts";
import { intentKey, intentParams, missingPayment, readIntent } from "./intents.ts";
import { type KnownPayment } from "./rules.ts";
import { type PaymentOrder } from "../exchange/payment.ts";
import { log } from "../log.ts";

const TIMEOUT_MS = 10_000;

/** Stripe as this deployment uses it. */
export type StripeAccount = {
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
export function stripeAccount(env: Env): StripeAccount {
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

/** Stripe is still at work on an earlier call with the same key, such as a double click's first. */
function isUnderWay(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 409;
}

/** How long to wait for an earlier call with the same key before asking again, in ms; in all about as long as a slow answer of Stripe's takes. */
const UNDER_WAY_PAUSES_MS = [150, 300, 600, 1_200, 2_400];

/**
 * Makes a call that carries an idempotency key. While Stripe is at work on an earlier call with that key,
 * it waits for what comes of that one, which both are told.
 * @throws Stripe's error; 409 when the earlier call takes too long
 */
export async function callWithKey<Answer>(makeCall: () => Promise<Answer>): Promise<Answer> {
  for (const pause of UNDER_WAY_PAUSES_MS) {
    try {
      return await makeCall();
    } catch (error) {
      if (!isUnderWay(error)) throw error;
      await scheduler.wait(pause);
    }
  }
  return makeCall();
}

/**
 * Makes the payment of a hold, or finds the one it has. After silence it asks once more with the same
 * key; while another call is at it with that key, it waits for what comes of it.
 */
export async function createPayment(
  { stripe, deployment }: StripeAccount,
  order: PaymentOrder,
): Promise<Creation> {
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
      if (isRepeated || isUnderWay(error)) return { intent: null, reason: "unclear" };
    }
  }
}

/** The card's bank has taken the money back in a dispute: nothing is left here to refund. */
export function isWithBank(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "charge_disputed";
}

/** Stripe does not know what it was asked about. */
export function isUnknownToStripe(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "resource_missing";
}

/**
 * Asks Stripe about a payment; null when it is not ours.
 * @param order what our own books say it was made for: then it is ours, and `isMissing` if Stripe does
 *   not know it
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
 * Asks Stripe about the payment that an event names.
 * @returns null when it is not ours, or when Stripe does not know it: sending the event again cannot change that
 * @throws Stripe's error; Stripe sends the event again
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
 * Cancels a payment, or finds out why it cannot be.
 * @param order as for readPayment
 * @returns the payment as it is now
 * @throws Stripe's error when it is not known
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
 * A page of this deployment's payments, newest first.
 * @param query `since` and `until` in epoch ms; `after`: the last one of the page before
 * @returns the payments, and where the next page begins: null behind the last one
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
    // How a dispute ended stands elsewhere; there are few of them.
    const isDisputed = typeof intent.latest_charge === "object" && intent.latest_charge?.disputed === true;
    const payment = isDisputed
      ? await readPayment(account, intent.id)
      : readIntent(intent, account.deployment, { asked, answered });
    if (payment) payments.push(payment);
  }
  return { payments, next: has_more ? (data.at(-1)?.id ?? null) : null };
}

/** How much of a payment was paid back, or is on its way and has not come back, in cents. @throws Stripe's error */
export async function refundedSum({ stripe }: StripeAccount, id: string): Promise<number> {
  let sum = 0;
  for await (const { status, amount } of stripe.refunds.list({ payment_intent: id, limit: 100 })) {
    if (status !== "failed" && status !== "canceled") sum += amount;
  }
  return sum;
}

/**
 * Pays back what is left of a payment: nothing, when all of it went back before.
 * @param owedCents how much is to have gone back in all
 * @param attemptKey names this attempt: a key used before would only replay the earlier failure
 * @returns how much has gone back in all, in cents: less than was owed if less had been charged
 * @throws Stripe's error; the next attempt looks again
 */
export async function refundOnce(
  account: StripeAccount,
  id: string,
  owedCents: number,
  attemptKey: string,
): Promise<number> {
  const before = await refundedSum(account, id);
  if (before >= owedCents) return before;
  try {
    // Without an amount Stripe pays back what is left, which may be less than we thought was taken.
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
    return refundedSum(account, id);
  }
}

/** How far a webhook's timestamp may differ from our clock: the library's own limit, which it applies to the past only. */
const MAX_SKEW_S = 300;

/** Whether a signature header claims a time in the future. Reads the header as the library does. */
function isFromFuture(signature: string): boolean {
  const latest = Date.now() / 1000 + MAX_SKEW_S;
  const parts = signature.split(",").map((part) => part.split("="));
  return parts.some(([name, value]) => name === "t" && Number.parseInt(value ?? "", 10) > latest);
}

/**
 * Checks a webhook's signature over the body as it came, and that it was signed within five minutes of now.
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
