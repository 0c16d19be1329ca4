import type { PurchaseRequest } from "../../contract/purchases.ts";
import { ApiError, codeOf, messageOf } from "../lib/api.ts";
import { isResponseUnknown } from "../lib/is-response-unknown.ts";
import { fetchStripe } from "./load-stripe.ts";
import { type PayResult, type OpenPayment, requestSavedCardPayment, type Settled } from "./purchase-api.ts";
import { isConclusive, isUnpaid, type PurchaseEvent } from "./purchase-phase.ts";

const PAYMENT_FAILED = "Failed to process payment. Please try again.";

/** Shown while it is unknown whether the payment succeeded. */
const RESULT_UNKNOWN = "We don't know yet whether you've paid. We're checking. Please don't pay again.";

/** What an attempt to pay changes: the event to apply, and the failure to show in a toast. */
export type Outcome = { event: PurchaseEvent; toast?: { title: string; description: string } };

/** The buyer may try again while the hold lasts. */
const failed = (title: string, problem: string): Outcome => ({
  event: { type: "failed", problem },
  toast: { title, description: problem },
});

const UNCERTAIN: PurchaseEvent = { type: "uncertain", why: "answer" };

/** Returns a message to show for an error. */
export function errorText(error: unknown): string {
  // Do not show the browser's own message for a lost connection: it does not help the buyer.
  if (isResponseUnknown(error) || error instanceof ApiError) return messageOf(error, PAYMENT_FAILED);
  return error instanceof Error && error.message ? error.message : PAYMENT_FAILED;
}

/** Returns the event for a bought lead with delayed details; null for any other error. */
export function delayedEvent(error: unknown): PurchaseEvent | null {
  return codeOf(error) === "details_delayed" ? { type: "delayed", message: messageOf(error, "") } : null;
}

/** Returns whether the payment was declined, so nothing was charged. After other errors the outcome is unknown. */
function isDecline({ type, code }: NonNullable<PayResult["error"]>): boolean {
  return (
    type === "card_error" || type === "validation_error" || code === "payment_intent_authentication_failure"
  );
}

/** Returns the outcome of an attempt that got a response. @param settle asks Stripe for the payment's result */
async function afterAttempt(attempt: PayResult, settle: () => Promise<Settled>): Promise<Outcome> {
  if (attempt.error) {
    const { code, message = PAYMENT_FAILED } = attempt.error;
    // The payment was cancelled during the attempt, for example because the hold expired.
    if (code === "payment_intent_unexpected_state") return { event: UNCERTAIN };
    return isDecline(attempt.error) ? failed("Payment Failed", message) : afterLostAttempt(message, settle);
  }
  const settled = await settle();
  if (isConclusive(settled)) return { event: { type: "settled", settled } };
  if (settled.status === "processing") return { event: { type: "undecided", status: "processing" } };
  if (attempt.status === "succeeded") return { event: { type: "undecided", status: attempt.status } };
  return failed("Payment Processing", `Payment status: ${attempt.status}`);
}

/** Asks Stripe for the outcome of an attempt that ended without a response. */
async function afterLostAttempt(problem: string, settle: () => Promise<Settled>): Promise<Outcome> {
  try {
    const settled = await settle();
    if (isConclusive(settled)) return { event: { type: "settled", settled } };
    return isUnpaid(settled) ? failed("Payment Error", problem) : { event: UNCERTAIN };
  } catch (error) {
    const event = delayedEvent(error);
    // Still no response: the payment may have succeeded, so do not report a failure.
    return event
      ? { event }
      : { event: UNCERTAIN, toast: { title: "Payment Error", description: RESULT_UNKNOWN } };
  }
}

/**
 * Makes one attempt to pay.
 * @param pay resolves to `incomplete` if the fields show validation errors
 * @param isLate whether the attempt no longer counts, for example because the hold has expired
 * @returns the outcome; null for a late attempt
 */
export async function tryToPay(
  pay: () => Promise<PayResult | "incomplete">,
  settle: () => Promise<Settled>,
  isLate: () => boolean,
): Promise<Outcome | null> {
  try {
    const attempt = await pay();
    if (isLate()) return null;
    if (attempt === "incomplete") return { event: { type: "failed", problem: null } };
    return await afterAttempt(attempt, settle);
  } catch (error) {
    if (isLate()) return null;
    if (codeOf(error) === "card_declined") return failed("Payment Failed", messageOf(error, PAYMENT_FAILED));
    const event = delayedEvent(error);
    return event ? { event } : afterLostAttempt(errorText(error), settle);
  }
}

function statusOf({ status }: Settled): string {
  if (status === "sold" || status === "refunded") return "succeeded";
  return status === "open" ? "requires_payment_method" : status;
}

/** Pays with a saved card. Asks the buyer to authenticate if the bank requires it. */
export async function submitSavedCardPayment(
  payment: OpenPayment,
  cardId: string,
  buyer: PurchaseRequest,
): Promise<PayResult> {
  const settled = await requestSavedCardPayment(payment.holdId, cardId, buyer);
  if (settled.status !== "action_needed") return { status: statusOf(settled) };
  const stripe = await fetchStripe(payment);
  const { error, paymentIntent } = await stripe.handleNextAction({ clientSecret: payment.clientSecret });
  return error ? { error: error } : { status: paymentIntent?.status ?? "processing" };
}
