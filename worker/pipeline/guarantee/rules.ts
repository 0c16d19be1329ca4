/** When the facts about a purchase meet a rule of the guarantee. */
import type { CallClock } from "../../../contract/call-clock.ts";
import type { GuaranteeRule } from "../../../contract/guarantee.ts";

/** The facts that a case depends on. Times are in epoch ms. */
export type CaseFacts = {
  rule: GuaranteeRule;
  createdAt: number;
  isCovered: boolean;
  isReached: boolean;
  isQuoted: boolean;
  isNumberCorrected: boolean;
  firstContactAt: number | null;
  /** The customer's last reply to a text message. */
  repliedAt: number | null;
  callClock: CallClock | null;
};

/** Returns whether a case meets its rule now. */
export function meetsRule(facts: CaseFacts): boolean {
  const { rule, createdAt, callClock } = facts;
  const { answer, answeredAt = 0 } = callClock ?? {};
  if (!facts.isCovered || facts.isQuoted) return false;
  switch (rule) {
    case "wrong_number":
      return !facts.isReached && !facts.isNumberCorrected;
    case "withdrawn":
      return facts.firstContactAt === null || facts.firstContactAt > createdAt;
    case "never_asked":
      return answer === "never_asked";
    case "no_answer": {
      const isContradicted = answer !== undefined && answer !== "never_asked" && answeredAt >= createdAt;
      return !facts.isReached && !isContradicted && (facts.repliedAt ?? 0) < createdAt;
    }
    case "dud_report":
      return true;
  }
}
