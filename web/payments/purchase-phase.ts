import type { PurchasedLead } from "../purchases/purchases.ts";
import type { OpenPayment, OwnHold, Settled } from "./purchase-api.ts";

export type Phase =
  | { name: "opening" }
  | { name: "refused"; code: string | null; message: string }
  /** We hold the lead and its payment is being created. `problem`: creating it failed and may be retried. */
  | { name: "held"; hold: OwnHold; problem: string | null; isServerError: boolean }
  | { name: "open"; payment: OpenPayment; isPaying: boolean; problem: string | null }
  /**
   * The hold expired or a response was lost, so only Stripe knows the result. `payment`: the payment to retry if
   * nothing was charged; null if there is no time left.
   */
  | { name: "checking"; holdId: string; why: "time" | "answer"; payment: OpenPayment | null }
  | { name: "processing"; holdId: string; status: string }
  | { name: "ended" }
  | { name: "gone" }
  | { name: "delayed"; message: string }
  | { name: "bought"; purchase: PurchasedLead };

export type PurchaseEvent =
  /** The buyer retries the hold or its payment. */
  | { type: "asked" }
  | { type: "taken"; hold: OwnHold }
  /** The payment could not be created, but we still hold the lead. `isServerError`: the server reports its own error. */
  | { type: "unopened"; problem: string; isServerError: boolean }
  | { type: "opened"; payment: OpenPayment }
  | { type: "refused"; code: string | null; message: string }
  | { type: "tried" }
  /** An attempt failed. `problem` is null if the fields show validation errors. */
  | { type: "failed"; problem: string | null }
  /** This window cannot tell whether the payment succeeded. */
  | { type: "uncertain"; why: "time" | "answer" }
  /** The market reports the lead as sold. While we hold it, that means sold to us. */
  | { type: "sold" }
  /** The bank has not decided yet. `status` comes from Stripe. */
  | { type: "undecided"; status: string }
  | { type: "settled"; settled: Settled }
  /** We bought the lead, but its details are delayed. */
  | { type: "delayed"; message: string };

/** Codes of a refused hold or payment that a retry may fix. Null is an unknown or lost response. */
export const RETRYABLE_CODES: ReadonlySet<string | null> = new Set([
  null,
  "payment_failed",
  "exchange_unavailable",
  "internal",
  "too_many_requests",
  "hold_ended",
  "newcomer_limit",
]);

export const INITIAL_PHASE: Phase = { name: "opening" };

/** Shown when Stripe reports a failure for an attempt that got no response. */
export const NOT_PAID = "Your payment didn't go through, and nothing was charged. Please try again.";

/** Returns the final phase for a payment's result; null if there is no final result yet. */
function decided({ status, purchase }: Settled): Phase | null {
  if (status === "sold" && purchase) return { name: "bought", purchase };
  if (status === "cancelled") return { name: "ended" };
  return status === "refunded" ? { name: "gone" } : null;
}

/** Returns whether a payment's result is final. */
export const isConclusive = (settled: Settled): boolean => decided(settled) !== null;

/** Returns whether the buyer can pay: nothing is charged or being charged. */
export const isUnpaid = ({ status }: Settled): boolean => status === "open" || status === "action_needed";

/** Returns the hold ID of a payment with an unknown result; null in other phases. */
export function getUncertainHoldId(phase: Phase): string | null {
  return phase.name === "checking" || phase.name === "processing" ? phase.holdId : null;
}

/** Returns our hold if it is unpaid as far as we know; null otherwise. */
export function getUnpaidHold(phase: Phase): OwnHold | null {
  if (phase.name === "open") return phase.payment;
  return phase.name === "held" ? phase.hold : null;
}

/**
 * Returns whether a sale reported by the market changes this phase. True while the lead can still be paid or paid
 * again.
 */
export function isAffectedBySale(phase: Phase): boolean {
  return getUnpaidHold(phase) !== null || (phase.name === "checking" && phase.payment !== null);
}

/**
 * Returns the phase after the market reports a sale. It allows no second payment, even while Stripe says "open".
 * Otherwise that status and the sale would alternate endlessly. Stripe's final status ends this phase, at the latest
 * after the hold.
 */
const onceSold = (holdId: string): Phase => ({ name: "checking", holdId, why: "answer", payment: null });

/** Handles events before we have a hold: the hold is being requested, or was refused. */
function whileAsking(phase: Phase, event: PurchaseEvent): Phase {
  if (event.type === "asked") return INITIAL_PHASE;
  if (phase.name !== "opening") return phase;
  if (event.type === "taken") return { name: "held", hold: event.hold, problem: null, isServerError: false };
  if (event.type === "refused") return { name: "refused", code: event.code, message: event.message };
  return phase;
}

function whileHeld(phase: Phase & { name: "held" }, event: PurchaseEvent): Phase {
  const { hold, problem } = phase;
  if (event.type === "sold") return onceSold(hold.holdId);
  if (event.type === "opened") {
    const { payment } = event;
    // Keep the end already on the running clock.
    const endsAt = payment.holdId === hold.holdId ? hold.endsAt : payment.endsAt;
    return { name: "open", payment: { ...payment, endsAt }, isPaying: false, problem: null };
  }
  if (event.type === "unopened")
    return { ...phase, problem: event.problem, isServerError: event.isServerError };
  if (event.type === "asked" && problem !== null) return { ...phase, problem: null };
  if (event.type === "refused") return { name: "refused", code: event.code, message: event.message };
  if (event.type === "uncertain")
    return { name: "checking", holdId: hold.holdId, why: event.why, payment: null };
  return phase;
}

function whileOpen(phase: Phase & { name: "open" }, event: PurchaseEvent): Phase {
  const { payment, isPaying } = phase;
  const { holdId } = payment;
  if (event.type === "sold") return onceSold(holdId);
  if (event.type === "uncertain") {
    // The payment may have succeeded if the hold expires during an attempt.
    const why = isPaying ? "answer" : event.why;
    return { name: "checking", holdId, why, payment: event.why === "answer" ? payment : null };
  }
  if (event.type === "tried" && !isPaying) return { ...phase, isPaying: true, problem: null };
  if (event.type === "failed" && isPaying) return { ...phase, isPaying: false, problem: event.problem };
  if (event.type === "undecided" && isPaying) return { name: "processing", holdId, status: event.status };
  return phase;
}

/** Handles Stripe's status of an undecided payment. The buyer can retry an unpaid one. */
function whileUndecided(phase: Phase, settled: Settled): Phase {
  if (phase.name !== "checking" || !phase.payment || !isUnpaid(settled)) return phase;
  return { name: "open", payment: phase.payment, isPaying: false, problem: NOT_PAID };
}

/**
 * Returns the phase after an event. Returns the same object for a late event, such as an attempt that ends after the
 * hold.
 */
export function nextPhase(phase: Phase, event: PurchaseEvent): Phase {
  switch (phase.name) {
    case "opening":
    case "refused":
      return whileAsking(phase, event);
    case "held":
      return whileHeld(phase, event);
    case "open":
    case "checking":
    case "processing":
      if (event.type === "settled") return decided(event.settled) ?? whileUndecided(phase, event.settled);
      if (event.type === "delayed") return { name: "delayed", message: event.message };
      if (phase.name === "open") return whileOpen(phase, event);
      return event.type === "sold" && isAffectedBySale(phase) ? onceSold(phase.holdId) : phase;
    default:
      // Stripe's decision is final.
      return phase;
  }
}
