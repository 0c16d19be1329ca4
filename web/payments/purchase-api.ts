import type { StripeError } from "@stripe/stripe-js";
import type { InferResponseType } from "hono/client";

import { textToCents } from "../../contract/money.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { SAVE_CARD_CONSENT } from "../../contract/payments.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { type ApiClient, expectDone, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { claimEarlyTake } from "../lib/early-take.ts";

/** A lead that is set aside for us, until `endsAt` on this browser's clock. */
export type OwnHold = InferResponseType<ApiClient["api"]["exchange"]["holds"]["$post"], 200> & {
  endsAt: number;
};

/** … and that can be paid for. */
export type OpenPayment = InferResponseType<ApiClient["api"]["create-payment-intent"]["$post"], 200> & {
  endsAt: number;
};

/** What became of a payment. */
export type Settled = InferResponseType<ApiClient["api"]["payments"]["settle"]["$post"], 200>;

/** What Stripe.js said of an attempt to pay. */
export type Attempt =
  | { refused: Pick<StripeError, "type" | "message" | "code">; status?: never }
  | { status: string; refused?: never };

/** Where a bank sends the buyer back that asks on a page of its own. */
export function returnUrl(holdId: string): string {
  return new URL(`/dashboard?hold=${holdId}`, location.href).href;
}

function claimOf(lead: LeadSummary) {
  return { json: { leadId: lead.id, amount: textToCents(lead.price) ?? 0 } };
}

/** Counted from when we asked: on a slow line we end too early rather than too late. */
function endOf(hold: { holdExpiresAt: number; serverNow: number }, askedAt: number): number {
  return askedAt + (hold.holdExpiresAt - hold.serverNow);
}

/** Sets a lead aside, so that we know at once whether it is ours. @throws ApiError, TypeError */
export async function takeHold(lead: LeadSummary): Promise<OwnHold> {
  const early = claimEarlyTake(lead.id);
  const askedAt = early?.askedAt ?? Date.now();
  const ask = () => browserApi().api.exchange.holds.$post(claimOf(lead));
  // Without an answer to the tap it is asked again: the same business gets the hold that it has.
  const answer = early ? (early.answer.catch(ask) as ReturnType<typeof ask>) : ask();
  const hold = await unwrap(answer);
  return { ...hold, endsAt: endOf(hold, askedAt) };
}

/**
 * Starts the payment of a lead that is set aside for us.
 * @throws ApiError, TypeError; Error without the secret that the card fields need
 */
export async function openPayment(lead: LeadSummary): Promise<OpenPayment> {
  const askedAt = Date.now();
  const payment = await unwrap(browserApi().api["create-payment-intent"].$post(claimOf(lead)));
  if (!payment.clientSecret) throw new Error("No client secret received from server");
  return { ...payment, endsAt: endOf(payment, askedAt) };
}

/** Asks what became of a payment; Stripe's word counts, not this browser's. @throws ApiError, TypeError */
export function settle(holdId: string, buyer?: PurchaseRequest): Promise<Settled> {
  return unwrap(browserApi().api.payments.settle.$post({ json: { holdId, ...(buyer && { buyer }) } }));
}

/** Pays with a card that was kept. @throws ApiError, TypeError */
export function payWithSaved(holdId: string, cardId: string, buyer: PurchaseRequest): Promise<Settled> {
  return unwrap(browserApi().api.payments["pay-saved"].$post({ json: { holdId, cardId, buyer } }));
}

/** Tells whether the card about to be used is kept. @throws ApiError, TypeError */
export async function tellKeep(holdId: string, isKept: boolean): Promise<void> {
  const consent = isKept ? SAVE_CARD_CONSENT : null;
  await expectDone(browserApi().api.payments["keep-card"].$post({ json: { holdId, consent } }));
}

/**
 * Lets a lead go. Should it not arrive, the hold ends by itself.
 * @param isLastChance the window closes, and the request has to outlive it
 */
export async function letGo(holdId: string, isLastChance = false): Promise<void> {
  try {
    const options = { init: { keepalive: isLastChance } };
    await browserApi().api.exchange.holds[":id"].$delete({ param: { id: holdId } }, options);
  } catch {
    // Offline: the exchange's alarm does it.
  }
}
