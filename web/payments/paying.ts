import type { PurchaseRequest } from "../../contract/purchases.ts";
import { ApiError, codeOf, messageOf } from "../lib/api.ts";
import { isResponseUnknown } from "../lib/is-response-unknown.ts";
import { fetchStripe } from "./load-stripe.ts";
import { type PayResult, type OpenPayment, requestSavedCardPayment, type Settled } from "./purchase-api.ts";
import type { Phase, PurchaseEvent } from "./purchase-phase.ts";

const PAYMENT_FAILED = "Failed to process payment. Please try again.";

/** Shown while it is unknown whether the payment succeeded. */
const RESULT_UNKNOWN = "We don't know yet whether you've paid. We're checking. Please don't pay again.";

/** Makes one attempt to pay. Resolves to `incomplete` if the fields show validation errors. */
export type Try = (payment: OpenPayment) => Promise<PayResult | "incomplete">;

/** Callbacks of an attempt: they apply its outcome, report a failure, and ask for the payment's result. */
export type PaymentHandlers = {
  /** Applies an event. @returns the new phase; null if the event came too late to count */
  apply: (event: PurchaseEvent) => Phase | null;
  reportFailure: (title: string, words: string) => void;
  /** @throws ApiError, TypeError */
  settle: (holdId: string) => Promise<Settled>;
};

/** Returns a message to show for an error. */
export function errorText(error: unknown): string {
  // Do not show the browser's own message for a lost connection: it does not help the buyer.
  if (isResponseUnknown(error) || error instanceof ApiError) return messageOf(error, PAYMENT_FAILED);
  return error instanceof Error && error.message ? error.message : PAYMENT_FAILED;
}

/** Handles the error for a bought lead with delayed details. @returns whether the error was that one */
export function handleDetailsDelayed({ apply }: Pick<PaymentHandlers, "apply">, error: unknown): boolean {
  if (codeOf(error) !== "details_delayed") return false;
  apply({ type: "delayed", message: messageOf(error, "") });
  return true;
}

/** Reports a failed attempt, unless it came too late. The buyer may try again while the hold lasts. */
function reportFailedAttempt({ apply, reportFailure }: PaymentHandlers, title: string, words: string): void {
  if (apply({ type: "failed", problem: words })) reportFailure(title, words);
}

/** Returns whether the payment was declined, so nothing was charged. After other errors the outcome is unknown. */
function isDecline({ type, code }: NonNullable<PayResult["error"]>): boolean {
  return (
    type === "card_error" || type === "validation_error" || code === "payment_intent_authentication_failure"
  );
}

async function afterAttempt(
  handlers: PaymentHandlers,
  payment: OpenPayment,
  attempt: PayResult,
): Promise<void> {
  if (attempt.error) {
    const { code, message = PAYMENT_FAILED } = attempt.error;
    // The payment was cancelled during the attempt, for example because the hold expired.
    if (code === "payment_intent_unexpected_state") handlers.apply({ type: "uncertain", why: "answer" });
    else if (isDecline(attempt.error)) reportFailedAttempt(handlers, "Payment Failed", message);
    else await checkLostAttempt(handlers, payment, message);
    return;
  }
  const settled = await handlers.settle(payment.holdId);
  if (handlers.apply({ type: "settled", settled })) return;
  const isProcessing = settled.status === "processing";
  if (isProcessing || attempt.status === "succeeded") {
    handlers.apply({ type: "undecided", status: isProcessing ? "processing" : attempt.status });
  } else {
    reportFailedAttempt(handlers, "Payment Processing", `Payment status: ${attempt.status}`);
  }
}

/** Asks Stripe for the outcome of an attempt that ended without a response. */
async function checkLostAttempt(
  handlers: PaymentHandlers,
  payment: OpenPayment,
  words: string,
): Promise<void> {
  try {
    const settled = await handlers.settle(payment.holdId);
    if (handlers.apply({ type: "settled", settled })) return;
    const stillCounts = settled.status === "open" || settled.status === "action_needed";
    if (stillCounts) return reportFailedAttempt(handlers, "Payment Error", words);
  } catch (error) {
    if (handleDetailsDelayed(handlers, error)) return;
    // Still no response: the payment may have succeeded, so do not report a failure.
    handlers.reportFailure("Payment Error", RESULT_UNKNOWN);
  }
  handlers.apply({ type: "uncertain", why: "answer" });
}

/** Makes one attempt to pay and handles its outcome. @param stillCounts whether the attempt still counts */
export async function tryToPay(
  handlers: PaymentHandlers,
  payment: OpenPayment,
  attemptPayment: Try,
  stillCounts: () => boolean,
): Promise<void> {
  try {
    const attempt = await attemptPayment(payment);
    if (!stillCounts()) return;
    if (attempt === "incomplete") handlers.apply({ type: "failed", problem: null });
    else await afterAttempt(handlers, payment, attempt);
  } catch (error) {
    if (!stillCounts()) return;
    if (codeOf(error) === "card_declined")
      reportFailedAttempt(handlers, "Payment Failed", messageOf(error, PAYMENT_FAILED));
    else if (!handleDetailsDelayed(handlers, error))
      await checkLostAttempt(handlers, payment, errorText(error));
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
