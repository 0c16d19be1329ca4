/**
 * Whether the buyer of a lead has called: the one definition for "To do now", reminders, the clock and the customer's
 * page. `worker/platform/db/call-result.ts` has it in SQL, for standings and figures. There, only a confirmed customer's
 * answer counts. The dashboard's first load needs this file, but not the clock's hours.
 */
import type { ClockPurchase, ClockState } from "./call-clock.ts";
import { parseStage, SALES_STAGES, STAGES } from "./stages.ts";

/** Fields of the times of all stages after a call. A declined lead may not have been called. */
export const CALLED_STAMPS = SALES_STAGES.flatMap((stage) =>
  stage === "declined" ? [] : (STAGES[stage].timestampColumn ?? []),
);

/** Returns when the buyer last reached the customer, by the buyer's word; 0 for never. */
function lastReachedAt(purchase: ClockPurchase): number {
  const stage = parseStage(purchase.salesStage);
  const stamp = stage === "declined" ? null : STAGES[stage].timestampColumn;
  // The move waits for a connection, so its time is not known yet.
  if (stamp && !purchase[stamp]) return Infinity;
  return Math.max(purchase.reachedAt ?? 0, ...CALLED_STAMPS.map((name) => purchase[name] ?? 0));
}

/**
 * Returns whether the customer was called. The buyer spoke to them or texted them, or moved the lead to a stage after a
 * call, even if it moved back since. Or the customer says so. If the customer said "not yet", only a later call counts.
 * An unanswered call is a try.
 */
export function isCalled(purchase: ClockPurchase): boolean {
  const { answer, answeredAt = 0 } = purchase.callClock ?? {};
  return answer === "called" || lastReachedAt(purchase) > (answer === "not_yet" ? answeredAt : 0);
}

/** Returns whether the buyer has tried to call the customer, whether or not the customer answered. */
export function isTried(purchase: ClockPurchase): boolean {
  return (purchase.tries ?? 0) > 0 || lastReachedAt(purchase) > 0;
}

/** Returns the state of a purchase's clock; null for a lead without one. */
export function clockState(purchase: ClockPurchase): ClockState | null {
  if (!purchase.clockEndsAt) return null;
  const state = purchase.callClock?.state ?? "running";
  return state === "running" && isCalled(purchase) ? "calling" : state;
}

/** Returns whether the buyer still has to call the customer. A buyer who tried may decline the lead instead. */
export function isCallDue(purchase: ClockPurchase): boolean {
  const state = clockState(purchase);
  if (purchase.salesStage === "declined" && isTried(purchase)) return false;
  return (state === "running" || state === "last_call" || state === "asked_again") && !isCalled(purchase);
}
