import type { PurchasedLead } from "../purchases/purchases.ts";
import type { OpenPayment, OwnHold, Settled } from "./purchase-api.ts";

/** Where a purchase with a card stands. */
export type Phase =
  | { name: "opening" }
  | { name: "refused"; code: string | null; message: string }
  /** Set aside for us, while its payment is being started; `problem`: that came to nothing, and may be tried again. */
  | { name: "held"; hold: OwnHold; problem: string | null; isOurFault: boolean }
  | { name: "open"; payment: OpenPayment; isPaying: boolean; problem: string | null }
  /**
   * The time is over, or an answer was lost: only Stripe knows what became of it. `payment`: what can be paid once more
   * should it turn out that nothing was; null when there is no time for that.
   */
  | { name: "checking"; holdId: string; why: "time" | "answer"; payment: OpenPayment | null }
  | { name: "processing"; holdId: string; status: string }
  | { name: "ended" }
  | { name: "gone" }
  | { name: "delayed"; message: string }
  | { name: "bought"; purchase: PurchasedLead };

/** What happens to a purchase. */
export type PurchaseEvent =
  /** The buyer asks once more for what could not be had: the lead, or its payment. */
  | { type: "asked" }
  | { type: "taken"; hold: OwnHold }
  /** The payment could not be started; the lead is still set aside. `isOurFault`: the server says so. */
  | { type: "unopened"; problem: string; isOurFault: boolean }
  | { type: "opened"; payment: OpenPayment }
  | { type: "refused"; code: string | null; message: string }
  | { type: "tried" }
  /** A try came to nothing; null when the fields say themselves what is missing. */
  | { type: "failed"; problem: string | null }
  /** Nobody here can tell any more whether it is paid. */
  | { type: "uncertain"; why: "time" | "answer" }
  /** The market says that the lead is sold: while it is set aside for us, to us. */
  | { type: "sold" }
  /** The bank takes its time; Stripe's word for how it stands. */
  | { type: "undecided"; status: string }
  | { type: "settled"; settled: Settled }
  /** It is ours, only its details are late. */
  | { type: "delayed"; message: string };

export const START: Phase = { name: "opening" };

/** Said once Stripe has told that a try whose answer was lost came to nothing. */
export const NOT_PAID = "Your payment didn't go through, and nothing was charged. Please try again.";

/** What Stripe's word makes of a payment; null while it has not decided. */
function decided({ status, purchase }: Settled): Phase | null {
  if (status === "sold" && purchase) return { name: "bought", purchase };
  if (status === "cancelled") return { name: "ended" };
  return status === "refunded" ? { name: "gone" } : null;
}

/** The hold whose payment only Stripe can tell about, if that is how things stand. */
export function uncertainHold(phase: Phase): string | null {
  return phase.name === "checking" || phase.name === "processing" ? phase.holdId : null;
}

/** What is set aside for us and not paid for yet, as far as we know. */
export function ownHold(phase: Phase): OwnHold | null {
  if (phase.name === "open") return phase.payment;
  return phase.name === "held" ? phase.hold : null;
}

/** Whether the market's word that the lead is sold changes anything: what may be paid, or paid once more, may not. */
export function heedsSale(phase: Phase): boolean {
  return ownHold(phase) !== null || (phase.name === "checking" && phase.payment !== null);
}

/**
 * What a sold lead may have been paid for is not paid once more, whatever Stripe says of it for now: else its "open" and
 * the market's word, which stands, would take turns for ever. Stripe's last word ends it, at the latest after the hold.
 */
const onceSold = (holdId: string): Phase => ({ name: "checking", holdId, why: "answer", payment: null });

/** Nothing is set aside: the lead is asked for, or was refused. */
function whileAsking(phase: Phase, event: PurchaseEvent): Phase {
  if (event.type === "asked") return START;
  if (phase.name !== "opening") return phase;
  if (event.type === "taken") return { name: "held", hold: event.hold, problem: null, isOurFault: false };
  if (event.type === "refused") return { name: "refused", code: event.code, message: event.message };
  return phase;
}

/** The lead is ours, and its payment is on the way. */
function whileHeld(phase: Phase & { name: "held" }, event: PurchaseEvent): Phase {
  const { hold, problem } = phase;
  if (event.type === "sold") return onceSold(hold.holdId);
  if (event.type === "opened") {
    const { payment } = event;
    // The clock that has begun goes on.
    const endsAt = payment.holdId === hold.holdId ? hold.endsAt : payment.endsAt;
    return { name: "open", payment: { ...payment, endsAt }, isPaying: false, problem: null };
  }
  if (event.type === "unopened") return { ...phase, problem: event.problem, isOurFault: event.isOurFault };
  if (event.type === "asked" && problem !== null) return { ...phase, problem: null };
  if (event.type === "refused") return { name: "refused", code: event.code, message: event.message };
  if (event.type === "uncertain")
    return { name: "checking", holdId: hold.holdId, why: event.why, payment: null };
  return phase;
}

/** The lead is ours to pay for. */
function whileOpen(phase: Phase & { name: "open" }, event: PurchaseEvent): Phase {
  const { payment, isPaying } = phase;
  const { holdId } = payment;
  if (event.type === "sold") return onceSold(holdId);
  if (event.type === "uncertain") {
    // Whose time ends in the middle of paying may well have paid.
    const why = isPaying ? "answer" : event.why;
    return { name: "checking", holdId, why, payment: event.why === "answer" ? payment : null };
  }
  if (event.type === "tried" && !isPaying) return { ...phase, isPaying: true, problem: null };
  if (event.type === "failed" && isPaying) return { ...phase, isPaying: false, problem: event.problem };
  if (event.type === "undecided" && isPaying) return { name: "processing", holdId, status: event.status };
  return phase;
}

/** Stripe's word on a payment that is not decided: one that nothing was paid of can be paid once more. */
function whileUndecided(phase: Phase, { status }: Settled): Phase {
  const isUnpaid = status === "open" || status === "action_needed";
  if (phase.name !== "checking" || !phase.payment || !isUnpaid) return phase;
  return { name: "open", payment: phase.payment, isPaying: false, problem: NOT_PAID };
}

/**
 * What a purchase becomes by an event. An event that comes too late, as when a try ends after the time,
 * changes nothing: then the phase is the very same one.
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
      return event.type === "sold" && heedsSale(phase) ? onceSold(phase.holdId) : phase;
    default:
      // What Stripe has decided stays so.
      return phase;
  }
}
