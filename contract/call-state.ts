/** Whether the buyer of a lead has called. The dashboard's first load needs it, but not the clock's hours. */
import type { ClockPurchase, ClockState } from "./call-clock.ts";
import { parseStage } from "./stages.ts";

/**
 * Returns whether the buyer logged a call or a text, or moved the lead to a stage after a call. A declined lead may not
 * have been called.
 */
export function isContacted({ lastContactAt, salesStage, calledAt }: ClockPurchase): boolean {
  const stage = parseStage(salesStage);
  return lastContactAt !== null || (stage === "declined" ? calledAt !== null : stage !== "accepted_lead");
}

/** Returns whether the buyer called or texted after the customer's latest response. */
export function isContactedSinceAnswer({ lastContactAt, calledAt, callClock }: ClockPurchase): boolean {
  return Math.max(lastContactAt ?? 0, calledAt ?? 0) > (callClock?.answeredAt ?? 0);
}

/** Returns the state of a purchase's clock; null for a lead without one. */
export function clockState(purchase: ClockPurchase): ClockState | null {
  if (!purchase.clockEndsAt) return null;
  const state = purchase.callClock?.state ?? "running";
  return state === "running" && isContacted(purchase) ? "calling" : state;
}

/** Returns whether the buyer has not called or texted since the sale, or since the customer said "not yet". */
export function isCallDue(purchase: ClockPurchase): boolean {
  const state = clockState(purchase);
  const answer = purchase.callClock?.answer;
  if (state === "calling") return answer === "not_yet" && !isContactedSinceAnswer(purchase);
  return (state === "running" && answer !== "called") || state === "last_call";
}
