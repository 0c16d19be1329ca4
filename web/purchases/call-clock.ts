import { CALL_HOURS, callDeadline, callTimeBetween, type ClockPurchase } from "../../contract/call-clock.ts";
import { clockState, isCalled, isTried } from "../../contract/call-state.ts";
import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { formatDeadline, sydneyDay } from "../../contract/sydney-time.ts";
import type { BadgeTone } from "../ui/badge.tsx";

/** Below this time left, the clock is urgent. */
const URGENT_MS = HOUR_MS;

/**
 * Returns whether the buyer should not call: the request went to another provider, or the customer says they never asked
 * for it.
 */
export const isCallUnwanted = (purchase: ClockPurchase) =>
  clockState(purchase) === "rescued" || purchase.callClock?.answer === "never_asked";

/** Formats a duration such as "1 h 20 min", rounded to minutes. A number stays with its unit. */
function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours}\u00a0h`, (rest > 0 || hours === 0) && `${rest}\u00a0min`]
    .filter(Boolean)
    .join(" ");
}

/** Returns the time left to call; null on an earlier day, because the clock stops at night. */
function timeLeft(deadline: number, now: number): string | null {
  if (sydneyDay(deadline) !== sydneyDay(now)) return null;
  return `${formatDuration(callTimeBetween(now, deadline))}\u00a0left`;
}

/** Returns how long the buyer of a lead has to call, for the terms beside the pay button. */
export function callTerms({ urgency }: Pick<LeadSummary, "urgency">): string {
  const hours = urgency === "urgent" ? CALL_HOURS.urgent : CALL_HOURS.other;
  return `Call within ${hours} hours, counted from 7 am to 8 pm and not on public holidays.`;
}

export type CallClockLine = {
  text: string;
  tone: BadgeTone;
  /** Whether the line still matters in a list. A line about the past shows in the details only. */
  isOpen: boolean;
};

const past = (text: string): CallClockLine => ({ text, tone: "neutral", isOpen: false });
const open = (text: string, tone: BadgeTone): CallClockLine => ({ text, tone, isOpen: true });

const NOT_YET = "The customer says you haven't called yet.";

/**
 * Returns what the buyer sees of a lead's call clock; null if there is nothing to see.
 * @param isNumberWrong whether the customer's number is wrong, and no correction has come
 */
export function describeCallClock(
  purchase: ClockPurchase & { lastContactAt: number | null },
  now: number,
  isNumberWrong = false,
): CallClockLine | null {
  const state = clockState(purchase);
  const answer = purchase.callClock?.answer;
  if (state === null) return null;
  if (state === "rescued")
    return past(
      "The customer says no call has reached them, so we're passing their request on to another provider.",
    );
  if (answer === "never_asked")
    return open("The customer says they never asked for this. Please don't call.", "hot");
  if (answer === "called") return past("The customer says you called.");
  if (isNumberWrong) return open("This number is wrong. We'll tell you when it's corrected.", "hot");
  if (state === "over") return null;
  if (state === "asked_again")
    return open("The customer says you haven't called. We've asked them again.", "hot");
  const deadline = callDeadline(purchase, now);
  if (isCalled(purchase)) {
    const { calledAt = null, salesStage } = purchase;
    if (!["accepted_lead", "called", "declined"].includes(salesStage)) return null;
    const hasSpoken = calledAt !== null || salesStage === "called";
    return open(`${hasSpoken ? "Called" : "Texted"}. Waiting for the customer.`, "neutral");
  }
  if (answer === "not_yet") {
    if ((purchase.lastContactAt ?? 0) > (purchase.callClock?.answeredAt ?? 0))
      return open(`${NOT_YET} Your last call had no answer. Try again.`, "hot");
    const by = deadline && `Call by ${formatDeadline(deadline)}`;
    const end = by && state === "last_call" ? `${by}, or another provider gets their request` : by;
    const left = state === "last_call" || !deadline ? null : timeLeft(deadline, now);
    return open(`${NOT_YET} ${left ?? end ?? "Call now"}.`, "hot");
  }
  if (isTried(purchase)) return open("No answer yet. Try again.", "warm");
  if (!deadline) return open("Time's up. Call now.", "hot");
  const left = timeLeft(deadline, now);
  const isUrgent = callTimeBetween(now, deadline) < URGENT_MS;
  const text = [`Call by ${formatDeadline(deadline)}`, left].filter(Boolean).join(" · ");
  return open(text, isUrgent ? "hot" : "warm");
}
