import type { PurchaseRequest } from "../../contract/purchases.ts";
import { ApiError, codeOf, messageOf } from "../lib/api.ts";
import { isUnanswered } from "../lib/unanswered.ts";
import { fetchStripe } from "./load-stripe.ts";
import { type Attempt, type OpenPayment, payWithSaved, type Settled } from "./purchase-api.ts";
import type { Phase, PurchaseEvent } from "./purchase-phase.ts";

const FAILED = "Failed to process payment. Please try again.";

/** Shown while it is unknown whether the payment succeeded. */
const UNHEARD = "We don't know yet whether you've paid. We're checking; please don't pay again.";

/** Makes one attempt to pay. Resolves to `incomplete` if the fields show validation errors. */
export type Try = (payment: OpenPayment) => Promise<Attempt | "incomplete">;

/** Callbacks of an attempt: they apply its outcome, report a failure, and ask for the payment's result. */
export type PaymentHandlers = {
  /** Applies an event. @returns the new phase; null if the event came too late to count */
  take: (event: PurchaseEvent) => Phase | null;
  sayFailed: (title: string, words: string) => void;
  /** @throws ApiError, TypeError */
  settle: (holdId: string) => Promise<Settled>;
};

/** Returns a message to show for an error. */
export function errorText(error: unknown): string {
  // Do not show the browser's own message for a lost connection: it does not help the buyer.
  if (isUnanswered(error) || error instanceof ApiError) return messageOf(error, FAILED);
  return error instanceof Error && error.message ? error.message : FAILED;
}

/** Handles the error for a bought lead with delayed details. @returns whether the error was that one */
export function takeDelay({ take }: Pick<PaymentHandlers, "take">, error: unknown): boolean {
  if (codeOf(error) !== "details_delayed") return false;
  take({ type: "delayed", message: messageOf(error, "") });
  return true;
}

/** Reports a failed attempt, unless it came too late. The buyer may try again while the hold lasts. */
function fail({ take, sayFailed }: PaymentHandlers, title: string, words: string): void {
  if (take({ type: "failed", problem: words })) sayFailed(title, words);
}

/** Returns whether the payment was declined, so nothing was charged. After other errors the outcome is unknown. */
function isDecline({ type, code }: NonNullable<Attempt["refused"]>): boolean {
  return (
    type === "card_error" || type === "validation_error" || code === "payment_intent_authentication_failure"
  );
}

async function afterAttempt(
  handlers: PaymentHandlers,
  payment: OpenPayment,
  attempt: Attempt,
): Promise<void> {
  if (attempt.refused) {
    const { code, message = FAILED } = attempt.refused;
    // The payment was cancelled during the attempt, for example because the hold expired.
    if (code === "payment_intent_unexpected_state") handlers.take({ type: "uncertain", why: "answer" });
    else if (isDecline(attempt.refused)) fail(handlers, "Payment Failed", message);
    else await recover(handlers, payment, message);
    return;
  }
  const settled = await handlers.settle(payment.holdId);
  if (handlers.take({ type: "settled", settled })) return;
  const isProcessing = settled.status === "processing";
  if (isProcessing || attempt.status === "succeeded") {
    handlers.take({ type: "undecided", status: isProcessing ? "processing" : attempt.status });
  } else {
    fail(handlers, "Payment Processing", `Payment status: ${attempt.status}`);
  }
}

/** Asks Stripe for the outcome of an attempt that ended without a response. */
async function recover(handlers: PaymentHandlers, payment: OpenPayment, words: string): Promise<void> {
  try {
    const settled = await handlers.settle(payment.holdId);
    if (handlers.take({ type: "settled", settled })) return;
    const isOpen = settled.status === "open" || settled.status === "action_needed";
    if (isOpen) return fail(handlers, "Payment Error", words);
  } catch (error) {
    if (takeDelay(handlers, error)) return;
    // Still no response: the payment may have succeeded, so do not report a failure.
    handlers.sayFailed("Payment Error", UNHEARD);
  }
  handlers.take({ type: "uncertain", why: "answer" });
}

/** Makes one attempt to pay and handles its outcome. @param isOpen whether the attempt still counts */
export async function tryToPay(
  handlers: PaymentHandlers,
  payment: OpenPayment,
  tryIt: Try,
  isOpen: () => boolean,
): Promise<void> {
  try {
    const attempt = await tryIt(payment);
    if (!isOpen()) return;
    if (attempt === "incomplete") handlers.take({ type: "failed", problem: null });
    else await afterAttempt(handlers, payment, attempt);
  } catch (error) {
    if (!isOpen()) return;
    if (codeOf(error) === "card_declined") fail(handlers, "Payment Failed", messageOf(error, FAILED));
    else if (!takeDelay(handlers, error)) await recover(handlers, payment, errorText(error));
  }
}

function statusOf({ status }: Settled): string {
  if (status === "sold" || status === "refunded") return "succeeded";
  return status === "open" ? "requires_payment_method" : status;
}

/** Pays with a saved card. Asks the buyer to authenticate if the bank requires it. */
export async function payWithKept(
  payment: OpenPayment,
  cardId: string,
  buyer: PurchaseRequest,
): Promise<Attempt> {
  const settled = await payWithSaved(payment.holdId, cardId, buyer);
  if (settled.status !== "action_needed") return { status: statusOf(settled) };
  const stripe = await fetchStripe(payment);
  const { error, paymentIntent } = await stripe.handleNextAction({ clientSecret: payment.clientSecret });
  return error ? { refused: error } : { status: paymentIntent?.status ?? "processing" };
}
