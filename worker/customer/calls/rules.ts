/** The state machine of the call clock (contract/call-clock.ts). No I/O. */
import {
  addCallTime,
  ANSWER_PERIOD_MS,
  type CallAnswer,
  type CallClock,
  canAnswer,
  type ClockPurchase,
  LAST_CALL_MINUTES,
  reminderTime,
} from "../../../contract/call-clock.ts";
import { clockState, isCalled, isTried } from "../../../contract/call-state.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";

/** A purchase with a call clock. */
export type TimedPurchase = ClockPurchase & { clockEndsAt: number };

/**
 * Acts of the sweep besides the change. `remind`: alert the buyer that the clock runs out soon. `ask`, `ask_again`:
 * send the customer "Did they call?". `warn`: alert the buyer that the last 30 minutes have begun. `review`: an admin
 * reviews the contact log. `rescue`: pass the request on. `ask_admin`: an admin finds the customer a provider.
 */
export type ClockAct = "remind" | "ask" | "ask_again" | "warn" | "review" | "rescue" | "ask_admin";

/** A change of a clock. `dueAt`: when the sweep next has something to do; null for never. */
export type ClockChange = { clock: CallClock; dueAt: number | null };
type ClockStep = ClockChange & { acts: ClockAct[] };

/** Counted time in which the customer can respond when asked once more. */
const ASK_AGAIN_MS = 24 * HOUR_MS;

/** Returns a clock with a new state. `calling` is never stored. */
function withState({ callClock }: TimedPurchase, state: CallClock["state"]): CallClock {
  return { ...callClock, state };
}

/** Returns when the sweep next has something to do for a running clock. */
function nextDueAt({ purchasedAt, clockEndsAt }: TimedPurchase, now: number): number | null {
  const remindAt = reminderTime(purchasedAt, clockEndsAt);
  if (now < remindAt) return remindAt;
  return now < clockEndsAt ? clockEndsAt : null;
}

/** Begins the buyer's last 30 minutes. */
function beginLastCall(purchase: TimedPurchase, now: number): ClockChange {
  const lastCallEndsAt = addCallTime(now, LAST_CALL_MINUTES * MINUTE_MS);
  return { clock: { ...withState(purchase, "last_call"), lastCallEndsAt }, dueAt: lastCallEndsAt };
}

/** The sweep retries a failed step after this time, until it succeeds. */
export const RETRY_MS = 2 * MINUTE_MS;

/** Closes the clock to further responses before the request is passed on. */
function beginRescue(purchase: TimedPurchase, now: number, acts: ClockAct[]): ClockStep {
  const rescuedAt = purchase.callClock?.rescuedAt ?? now;
  return { clock: { ...withState(purchase, "rescued"), rescuedAt }, dueAt: now + RETRY_MS, acts };
}

const over = (purchase: TimedPurchase): ClockChange => ({ clock: withState(purchase, "over"), dueAt: null });

/** Reminds the buyer and asks the customer, unless they have responded or were asked before. */
function remindAndAsk(purchase: TimedPurchase, now: number, dueAt: number): ClockStep {
  const clock = withState(purchase, "running");
  const acts: ClockAct[] = [];
  if (!isCalled(purchase) && now < purchase.clockEndsAt) {
    acts.push("remind");
    clock.remindedAt = now;
  }
  if (clock.answer === undefined) {
    acts.push("ask");
    clock.askedAt = now;
  }
  return { clock, dueAt, acts };
}

function runOut(purchase: TimedPurchase, now: number): ClockStep {
  const { answer, askedAt } = purchase.callClock ?? {};
  if (answer === "not_yet") return { ...beginLastCall(purchase, now), acts: ["warn"] };
  // The sweep was late and has not asked the customer yet.
  if (answer === undefined && askedAt === undefined)
    return remindAndAsk(purchase, now, addCallTime(now, LAST_CALL_MINUTES * MINUTE_MS));
  if (isCalled(purchase) && isTried(purchase)) return { ...over(purchase), acts: [] };
  // The customer may still say "not yet".
  return { clock: withState(purchase, "running"), dueAt: null, acts: [] };
}

/**
 * Returns the next step of a clock that is due.
 * @param now epoch ms, at or after the time that the clock was due
 */
export function advance(purchase: TimedPurchase, now: number): ClockStep {
  const { answer, answeredAt = 0, askedAgainAt = 0 } = purchase.callClock ?? {};
  const state = clockState(purchase);
  switch (state) {
    case "running":
    case "calling":
      // The sale was written long after it was made.
      if (now >= purchase.purchasedAt + ANSWER_PERIOD_MS) return { ...over(purchase), acts: [] };
      if (now < purchase.clockEndsAt) return remindAndAsk(purchase, now, purchase.clockEndsAt);
      return runOut(purchase, now);
    case "last_call": {
      if (!isTried(purchase)) return beginRescue(purchase, now, ["rescue"]);
      const clock = { ...withState(purchase, "asked_again"), askedAgainAt: now };
      return { clock, dueAt: addCallTime(now, ASK_AGAIN_MS), acts: ["ask_again"] };
    }
    case "asked_again": {
      const isContradicted = answer === "not_yet" && answeredAt > askedAgainAt;
      return isContradicted
        ? beginRescue(purchase, now, ["review", "rescue"])
        : { ...over(purchase), acts: [] };
    }
    case "rescued":
      // The last attempt failed.
      return beginRescue(purchase, now, ["rescue"]);
    default:
      return { ...over(purchase), acts: [] };
  }
}

/**
 * Returns what the customer's response changes; null if it changes nothing.
 * @param now epoch ms
 */
export function applyAnswer(purchase: TimedPurchase, answer: CallAnswer, now: number): ClockChange | null {
  if (!canAnswer(purchase, now)) return null;
  const { answer: earlier, answeredAt: earlierAt = 0, askedAgainAt } = purchase.callClock ?? {};
  const state = clockState(purchase);
  // In `asked_again` the first response counts even if it repeats the earlier one.
  const isRepeated = answer === earlier && (state !== "asked_again" || earlierAt > askedAgainAt!);
  if (isRepeated) return null;
  const answered = { ...purchase, callClock: { ...withState(purchase, "running"), answer, answeredAt: now } };
  const isDone = answer === "never_asked" || (answer === "called" && isTried(purchase));
  if (isDone) return over(answered);
  if (answer === "not_yet" && state === "asked_again")
    return { clock: withState(answered, "asked_again"), dueAt: now };
  if (answer === "not_yet" && now >= purchase.clockEndsAt) return beginLastCall(answered, now);
  return { clock: answered.callClock, dueAt: nextDueAt(purchase, now) };
}
