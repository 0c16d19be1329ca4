import type { StripeError } from "@stripe/stripe-js";
import type { InferResponseType } from "hono/client";

import { textToCents } from "../../contract/money.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { SAVE_CARD_CONSENT } from "../../contract/payments.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { type ApiClient, codeOf, expectOk, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { consumeEarlyHold } from "../lib/early-hold.ts";
import { waitForReleases } from "./purchase-session.ts";

/** Our hold on a lead, until `endsAt` on this browser's clock. */
export type OwnHold = InferResponseType<ApiClient["api"]["exchange"]["holds"]["$post"], 200> & {
  endsAt: number;
};

/** The payment for a held lead, ready to be paid. `endsAt` is the hold's end by this browser's clock. */
export type OpenPayment = InferResponseType<ApiClient["api"]["create-payment-intent"]["$post"], 200> & {
  endsAt: number;
};

export type Settled = InferResponseType<ApiClient["api"]["payments"]["settle"]["$post"], 200>;

/** The result that Stripe.js returned for an attempt to pay. */
export type PayResult =
  | { error: Pick<StripeError, "type" | "message" | "code">; status?: never }
  | { status: string; error?: never };

/** Returns the URL to which a bank's page redirects the buyer after authentication. */
export function returnUrl(holdId: string): string {
  return new URL(`/dashboard?hold=${holdId}`, location.href).href;
}

function claimOf(lead: LeadSummary) {
  return { json: { leadId: lead.id, amount: textToCents(lead.price) ?? 0 } };
}

/**
 * Returns the hold's end by this browser's clock. Counts from the time of the request. After a slow response the end is
 * early rather than late.
 */
function endOf(hold: { holdExpiresAt: number; serverNow: number }, requestedAt: number): number {
  return requestedAt + (hold.holdExpiresAt - hold.serverNow);
}

async function requestHold(lead: LeadSummary): Promise<OwnHold> {
  const early = consumeEarlyHold(lead.id);
  const requestedAt = early?.requestedAt ?? Date.now();
  const send = () => browserApi().api.exchange.holds.$post(claimOf(lead));
  // If the early request failed, send another. The server returns the hold that this business already has.
  const answer = early ? (early.answer.catch(send) as ReturnType<typeof send>) : send();
  const hold = await unwrap(answer);
  return { ...hold, endsAt: endOf(hold, requestedAt) };
}

/** Maximum retries of a new provider's hold while the previous one is being released; then the delay step in ms. */
const MAX_RETRIES = 3;
const RETRY_MS = 800;

/**
 * Takes a hold on a lead. Retries for a new provider, who may hold only one lead, while the previous hold is being
 * released.
 * @throws ApiError, TypeError
 */
export async function takeHold(lead: LeadSummary): Promise<OwnHold> {
  const left = waitForReleases();
  for (let retries = 0; ; retries++) {
    try {
      return await requestHold(lead);
    } catch (error) {
      if (!left || codeOf(error) !== "newcomer_limit" || retries === MAX_RETRIES) throw error;
      await left;
      // Retry immediately, then wait longer: cancelling a payment takes time.
      await new Promise((resolve) => setTimeout(resolve, retries * RETRY_MS));
    }
  }
}

/**
 * Creates the payment for a held lead.
 * @throws ApiError, TypeError; Error if the response lacks the client secret that the card fields need
 */
export async function openPayment(lead: LeadSummary): Promise<OpenPayment> {
  const requestedAt = Date.now();
  const payment = await unwrap(browserApi().api["create-payment-intent"].$post(claimOf(lead)));
  if (!payment.clientSecret) throw new Error("No client secret received from server");
  return { ...payment, endsAt: endOf(payment, requestedAt) };
}

/** Asks the server for a payment's result. Stripe's state decides, not this browser's. @throws ApiError, TypeError */
export function fetchSettlement(holdId: string, buyer?: PurchaseRequest): Promise<Settled> {
  return unwrap(browserApi().api.payments.settle.$post({ json: { holdId, ...(buyer && { buyer }) } }));
}

/** Pays with a saved card. @throws ApiError, TypeError */
export function requestSavedCardPayment(
  holdId: string,
  cardId: string,
  buyer: PurchaseRequest,
): Promise<Settled> {
  return unwrap(browserApi().api.payments["pay-saved"].$post({ json: { holdId, cardId, buyer } }));
}

/** Sets whether to save the card used for this hold's payment. @throws ApiError, TypeError */
export async function setSaveCardConsent(holdId: string, shouldSaveCard: boolean): Promise<void> {
  const consent = shouldSaveCard ? SAVE_CARD_CONSENT : null;
  await expectOk(browserApi().api.payments["keep-card"].$post({ json: { holdId, consent } }));
}

/** Releases a hold. If the request fails, the hold expires on its own. */
export async function releaseHold(holdId: string): Promise<void> {
  try {
    // Keep the request alive: the window may close before the response comes.
    const options = { init: { keepalive: true } };
    await browserApi().api.exchange.holds[":id"].$delete({ param: { id: holdId } }, options);
  } catch {
    // Offline: the exchange's alarm releases it.
  }
}
