/** Outcomes of calls and text messages to a customer, and their effect on the lead. */
import * as z from "zod/mini";

import { HOUR_MS } from "./durations.ts";
import { madeBySchema } from "./purchases.ts";
import { parseStage, type SalesStage, SALES_STAGES } from "./stages.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "./sydney-time.ts";

type ContactFacts = {
  /** Label of the button. */
  label: string;
  /** Text in the lead's history. */
  historyText: string;
  /** Effect on unanswered tries in a row. `more` adds one, `none` resets the count, `same` does not change it. */
  tries: "more" | "none" | "same";
  /** The lead moves to this stage from one of these; null when it stays. */
  move: { from: readonly SalesStage[]; to: SalesStage } | null;
  /** The proposed next action, in this many days, while the lead's stage is no later than `until`; null for none. */
  next: { note: string; days: number; until: SalesStage } | null;
};

export const CONTACTS = {
  called: {
    label: "Called",
    historyText: "Call: spoke to them",
    tries: "none",
    move: { from: ["accepted_lead"], to: "called" },
    next: { note: "Send the quote", days: 1, until: "called" },
  },
  no_answer: {
    label: "No answer",
    historyText: "Call: no answer",
    tries: "more",
    move: null,
    next: { note: "Call again", days: 1, until: "quote_sent" },
  },
  left_message: {
    label: "Left a message",
    historyText: "Call: left a message",
    tries: "more",
    move: null,
    next: { note: "Call again", days: 1, until: "quote_sent" },
  },
  booked: {
    label: "Booked",
    historyText: "Call: booked the job",
    tries: "none",
    move: { from: ["accepted_lead", "called", "quote_sent", "declined"], to: "job_booked" },
    next: { note: "Do the job", days: 7, until: "job_booked" },
  },
  texted: { label: "Texted", historyText: "Texted", tries: "same", move: null, next: null },
} as const satisfies Record<string, ContactFacts>;

export type ContactOutcome = keyof typeof CONTACTS;
export const CONTACT_OUTCOMES = Object.keys(CONTACTS) as [ContactOutcome, ...ContactOutcome[]];

export function isContactOutcome(stored: string): stored is ContactOutcome {
  return Object.hasOwn(CONTACTS, stored);
}

/** Outcomes of a call, in the order of the buttons. */
export const CALL_OUTCOMES = ["called", "no_answer", "left_message", "booked"] as const;

const factsOf = (outcome: ContactOutcome): ContactFacts => CONTACTS[outcome];

/** Returns whether an outcome reached the customer: a conversation or a text. An unanswered call did not. */
export const reachesCustomer = (outcome: ContactOutcome) => factsOf(outcome).tries !== "more";

/** Returns the stage that an outcome moves leads to, and the stages that it leaves alone; null for no move. */
export function getStageMove(
  outcome: ContactOutcome,
): { to: SalesStage; excludedStages: SalesStage[] } | null {
  const { move } = factsOf(outcome);
  return move && { to: move.to, excludedStages: SALES_STAGES.filter((stage) => !move.from.includes(stage)) };
}

/** Returns a lead's stage and its unanswered tries in a row after a call or a message. */
export function applyContact(
  { salesStage, tries }: { salesStage: string; tries: number },
  outcome: ContactOutcome,
): { salesStage: SalesStage; tries: number } {
  const stage = parseStage(salesStage);
  const { move, tries: counted } = factsOf(outcome);
  return {
    salesStage: move?.from.includes(stage) ? move.to : stage,
    tries: counted === "more" ? tries + 1 : counted === "none" ? 0 : tries,
  };
}

const isAfter = (stage: SalesStage, other: SalesStage) =>
  SALES_STAGES.indexOf(stage) > SALES_STAGES.indexOf(other);

/** Hour of the day when work begins, in Sydney. */
const WORK_BEGINS = 9;

/**
 * Returns the proposed next action after a call. It is due at 9 am in Sydney, even on days when the clocks change.
 * @param salesStage the lead's stage, which may have moved on since the call
 * @param now epoch ms
 * @returns null when there is no proposal
 */
export function proposeNextAction(
  outcome: ContactOutcome,
  salesStage: string,
  now: number,
): { note: string; at: number } | null {
  const { next } = factsOf(outcome);
  if (!next || isAfter(parseStage(salesStage), next.until)) return null;
  const midnight = startOfSydneyDay(addDays(sydneyDay(now), next.days))!;
  const nine = midnight + WORK_BEGINS * HOUR_MS;
  // If the clocks changed after midnight, nine hours later is 8 or 10 am.
  const offsetHours = hourOf(nine) - WORK_BEGINS;
  return { note: next.note, at: nine - offsetHours * HOUR_MS };
}

const hours = new Intl.DateTimeFormat("en-AU", {
  timeZone: "Australia/Sydney",
  hour: "numeric",
  hourCycle: "h23",
});
const hourOf = (at: number) => Number(hours.format(at));

/** Body of POST /api/lead-purchases/{id}/contacts. */
export const contactSchema = z.object({
  outcome: z.enum(CONTACT_OUTCOMES, "Please say how it went"),
  /** Idempotency key, created by the window for each call. A repeated key writes nothing. */
  entryKey: z
    .string("Please reload the page")
    .check(z.regex(/^[0-9a-zA-Z-]{16,64}$/, "Please reload the page")),
  /** When the call or message happened (epoch milliseconds), if it is reported later; now when absent. */
  at: z.optional(z.int("Please choose a time").check(z.minimum(0))),
  madeBy: madeBySchema,
});
export type ContactForm = z.infer<typeof contactSchema>;
