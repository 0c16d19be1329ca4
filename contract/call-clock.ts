/**
 * The call clock: how long a buyer has to call the customer of a lead. It counts only from 7 am to 8 pm in Sydney, on
 * every day of the week but not on public holidays. A business's own quiet hours do not stop it.
 */
import { type CALLED_STAMPS, clockState, isTried } from "./call-state.ts";
import { DAY_MS, HOUR_MS } from "./durations.ts";
import type { URGENCIES } from "./lead-choices.ts";
import { isPublicHoliday } from "./public-holidays.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "./sydney-time.ts";

/** The hours of the day, in Sydney, in which the clock counts. */
export const CALL_DAY = { beginsHour: 7, endsHour: 20 } as const;

/** Hours to call the customer of an urgent lead, and of any other. */
export const CALL_HOURS = { urgent: 4, other: 24 } as const;

/** Time the buyer has to respond when the clock has run out and the customer says "not yet". */
export const LAST_CALL_MINUTES = 30;

/** The customer's latest response to "Did they call?". */
export const CALL_ANSWERS = ["called", "not_yet", "never_asked"] as const;
export type CallAnswer = (typeof CALL_ANSWERS)[number];

/** A customer may respond to "Did they call?" for this long after the sale. */
export const ANSWER_PERIOD_MS = 14 * DAY_MS;

/**
 * The state of a call clock. `running`: the customer was not called. `calling`: the customer was called; never stored,
 * because `clockState` derives it from the purchase. `last_call`: the clock has run out, the customer says "not yet", and
 * the buyer has 30 minutes. `asked_again`: a logged call or try contradicts the customer, who was asked once more. `over`:
 * nothing more happens. `rescued`: the request went to the next provider.
 */
export const CLOCK_STATES = ["running", "calling", "last_call", "asked_again", "over", "rescued"] as const;
export type ClockState = (typeof CLOCK_STATES)[number];

/** The events of a call clock. All times are in epoch ms. */
export type CallClock = {
  state: ClockState;
  /** The customer's latest response, and its time. */
  answer?: CallAnswer;
  answeredAt?: number;
  /** When the buyer got the reminder, and when the customer was asked. */
  remindedAt?: number;
  askedAt?: number;
  /** When the customer was asked once more. */
  askedAgainAt?: number;
  /** When the buyer's last 30 minutes end. */
  lastCallEndsAt?: number;
  /** When the request was passed on, and the new lead. Without a new lead, an admin looks for a provider. */
  rescuedAt?: number;
  rescueLeadId?: string;
};

/** The outcome of an offer of a rescued lead. */
export type OfferOutcome = "bought" | "ignored" | "ended";

/** Returns when an hour of a day begins in Sydney, in epoch ms, on days when the clocks change too. */
function hourOfDay(day: string, hour: number): number {
  // The clocks change at 2 or 3 am. From 7 am on, the offset is that of the following midnight.
  return startOfSydneyDay(addDays(day, 1))! - (24 - hour) * HOUR_MS;
}

/** Returns the counted hours of a Sydney day between two times, epoch ms. On a public holiday, they are empty. */
function countedHours(day: string, from: number, to: number) {
  const begins = Math.max(from, hourOfDay(day, CALL_DAY.beginsHour));
  const ends = isPublicHoliday(day) ? begins : Math.min(to, hourOfDay(day, CALL_DAY.endsHour));
  return { begins, ms: Math.max(0, ends - begins) };
}

/**
 * Adds time that counts only from 7 am to 8 pm in Sydney, and not on public holidays.
 * @param from epoch ms
 * @param ms the time to add, in ms
 * @returns epoch ms, always within a call day
 */
export function addCallTime(from: number, ms: number): number {
  let left = ms;
  for (let day = sydneyDay(from); ; day = addDays(day, 1)) {
    const counted = countedHours(day, from, Infinity);
    if (counted.ms === 0) continue;
    if (left <= counted.ms) return counted.begins + left;
    left -= counted.ms;
  }
}

/** Returns the counted time between two times, in ms; 0 if `to` is not after `from`. */
export function callTimeBetween(from: number, to: number): number {
  let total = 0;
  for (let day = sydneyDay(from); hourOfDay(day, CALL_DAY.beginsHour) < to; day = addDays(day, 1)) {
    total += countedHours(day, from, to).ms;
  }
  return total;
}

/** Returns when the call clock of a sale runs out, in epoch ms. */
export function clockEnd(soldAt: number, urgency: (typeof URGENCIES)[number]): number {
  const hours = urgency === "urgent" ? CALL_HOURS.urgent : CALL_HOURS.other;
  return addCallTime(soldAt, hours * HOUR_MS);
}

/** Returns when the buyer gets a reminder and the customer is asked: after three quarters of the counted time. */
export function reminderTime(soldAt: number, endsAt: number): number {
  return addCallTime(soldAt, (callTimeBetween(soldAt, endsAt) * 3) / 4);
}

/** The columns of a purchase that the clock depends on. */
export type ClockPurchase = Partial<Record<(typeof CALLED_STAMPS)[number], number | null>> & {
  purchasedAt: number;
  salesStage: string;
  /** When the buyer last spoke to the customer or texted them, and unanswered calls since. */
  reachedAt?: number | null;
  tries?: number;
  clockEndsAt: number | null;
  callClock: CallClock | null;
};

/** Returns when the buyer's time to call ends, in epoch ms: the clock's end or that of the last 30 minutes; else null. */
export function callDeadline(purchase: ClockPurchase, now: number): number | null {
  const state = clockState(purchase);
  const endsAt =
    state === "last_call"
      ? purchase.callClock?.lastCallEndsAt
      : state === "running" || state === "calling"
        ? purchase.clockEndsAt
        : null;
  return endsAt && now < endsAt ? endsAt : null;
}

/**
 * Returns whether the customer's response to "Did they call?" still counts. A customer who pressed "I never asked for
 * this" by mistake can take it back. A call that both sides confirm is final.
 */
export function canAnswer(purchase: ClockPurchase, now: number): boolean {
  const state = clockState(purchase);
  if (state === null || state === "rescued" || now >= purchase.purchasedAt + ANSWER_PERIOD_MS) return false;
  if (purchase.callClock?.answer === "called" && isTried(purchase)) return false;
  return state !== "over" || purchase.callClock?.answer === "never_asked";
}
