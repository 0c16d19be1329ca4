/** When the facts about a purchase meet a rule of the guarantee. */
import type { CallClock } from "../../../contract/call-clock.ts";
import { BAD_LEAD_REPORT_DAYS } from "../../../contract/bad-leads.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { type GuaranteeRule, type GuaranteeState, OBJECTION_MS } from "../../../contract/guarantee.ts";

/** The facts that a case depends on. Times are in epoch ms. */
export type CaseFacts = {
  rule: GuaranteeRule;
  state: GuaranteeState;
  dueAt: number;
  createdAt: number;
  purchasedAt: number;
  isCovered: boolean;
  isReached: boolean;
  isQuoted: boolean;
  isNumberCorrected: boolean;
  /** The customer was sent the question about the calls. */
  wasAsked: boolean;
  /** The customer has reviewed the business, or the business once marked the job as complete. */
  hasDoneJob: boolean;
  firstContactAt: number | null;
  /** The customer's last reply to a text message. */
  repliedAt: number | null;
  callClock: CallClock | null;
};

/** Returns whether a case meets its rule now. */
export function meetsRule(facts: CaseFacts): boolean {
  const { rule, createdAt, callClock } = facts;
  const { answer, answeredAt = 0 } = callClock ?? {};
  if (!facts.isCovered) return false;
  if (rule === "bad_lead_report") return true;
  if (facts.isQuoted) return false;
  // After the decision only a quote or a booking counts, or no business would log that it reached the customer.
  const isReached = facts.isReached && facts.state !== "granted";
  switch (rule) {
    case "wrong_number":
      return !isReached && !facts.isNumberCorrected;
    case "withdrawn":
      return facts.firstContactAt === null || facts.firstContactAt > createdAt;
    case "never_asked":
      return answer === "never_asked";
    case "no_answer": {
      const isContradicted = answer !== undefined && answer !== "never_asked" && answeredAt >= createdAt;
      return !isReached && !isContradicted && (facts.repliedAt ?? 0) < createdAt;
    }
  }
}

/** Returns why a case that meets its rule still needs an admin; null if it does not. */
export function findEscalationReason(facts: CaseFacts): string | null {
  const { rule, state, createdAt, dueAt, purchasedAt, wasAsked } = facts;
  // Or a business could buy a friend's request, get its review, and get the money back.
  if (facts.hasDoneJob)
    return "The customer wrote a review, or the business marked the job as complete. Please decide.";
  if (rule === "wrong_number" && createdAt > purchasedAt + BAD_LEAD_REPORT_DAYS * DAY_MS)
    return "The report of a wrong number came late. Please decide.";
  const isSilent = state === "asked" && dueAt >= createdAt + OBJECTION_MS;
  if (rule === "no_answer" && isSilent && !wasAsked)
    return "We couldn't ask the customer if they missed the calls. Please decide.";
  return null;
}
