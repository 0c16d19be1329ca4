import type { PurchaseRequest } from "../../contract/purchases.ts";
import { ApiError, codeOf, messageOf } from "../lib/api.ts";
import { isUnheard } from "../lib/unheard.ts";
import { fetchStripe } from "./load-stripe.ts";
import { type Attempt, type OpenPayment, payWithSaved, type Settled } from "./purchase-api.ts";
import type { Phase, PurchaseEvent } from "./purchase-phase.ts";

const FAILED = "Failed to process payment. Please try again.";

/** Said while nobody here knows whether it is paid. */
const UNHEARD =
  "No answer came, so it isn't certain yet whether you have paid. We're finding out; please don't pay again.";

/** One try to pay. `incomplete`: the fields themselves say what is missing. */
export type Try = (payment: OpenPayment) => Promise<Attempt | "incomplete">;

/** What a try needs: where its outcome goes, and Stripe's word on what became of it. */
export type PaymentHandlers = {
  /** @returns what the purchase became; null when the event came too late to count */
  take: (event: PurchaseEvent) => Phase | null;
  sayFailed: (title: string, words: string) => void;
  /** @throws ApiError, TypeError */
  settle: (holdId: string) => Promise<Settled>;
};

/** The words of an error that is none of ours. */
export function errorText(error: unknown): string {
  // A lost connection has a message of the browser's own, which helps nobody.
  if (isUnheard(error) || error instanceof ApiError) return messageOf(error, FAILED);
  return error instanceof Error && error.message ? error.message : FAILED;
}

/** Takes in an error that says: it is ours, only its details are late. @returns whether it was one */
export function takeDelay({ take }: Pick<PaymentHandlers, "take">, error: unknown): boolean {
  if (codeOf(error) !== "details_delayed") return false;
  take({ type: "delayed", message: messageOf(error, "") });
  return true;
}

/** This try came to nothing; the payment may be tried again while the hold lasts. */
function fail({ take, sayFailed }: PaymentHandlers, title: string, words: string): void {
  if (take({ type: "failed", problem: words })) sayFailed(title, words);
}

/** A refusal after which nothing can have been charged. Any other error leaves open what became of the payment. */
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
    // Cancelled under our hands, as when the time is over.
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

/** A try ended without an answer. Whether anything was paid, only Stripe knows: it is asked. */
async function recover(handlers: PaymentHandlers, payment: OpenPayment, words: string): Promise<void> {
  try {
    const settled = await handlers.settle(payment.holdId);
    if (handlers.take({ type: "settled", settled })) return;
    const isOpen = settled.status === "open" || settled.status === "action_needed";
    if (isOpen) return fail(handlers, "Payment Error", words);
  } catch (error) {
    if (takeDelay(handlers, error)) return;
    // Still no answer: it may be paid, and is not called a failure.
    handlers.sayFailed("Payment Error", UNHEARD);
  }
  handlers.take({ type: "uncertain", why: "answer" });
}

/** Runs one try to pay and takes in how it ends. @param isOpen whether the try still counts */
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

/** Our word for a payment's state in Stripe's. */
function statusOf({ status }: Settled): string {
  if (status === "sold" || status === "refunded") return "succeeded";
  return status === "open" ? "requires_payment_method" : status;
}

/** One tap with a card that was kept; a bank that wants to is let ask. */
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
