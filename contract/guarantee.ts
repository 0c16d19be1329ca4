/** The guarantee: the published rules by which a business gets a free claim for a bought lead, and by which it does not. */
import * as z from "zod/mini";

import { type AdminBoughtLead, BAD_LEAD_REPORT_DAYS } from "./bad-leads.ts";
import { DAY_MS, HOUR_MS } from "./durations.ts";
import { requestTokenSchema } from "./request-links.ts";
import { maxCharacters } from "./text-fields.ts";

export const GUARANTEE_RULES = [
  "wrong_number",
  "withdrawn",
  "never_asked",
  "no_answer",
  "bad_lead_report",
] as const;
export type GuaranteeRule = (typeof GUARANTEE_RULES)[number];

export const RULE_LABELS: Readonly<Record<GuaranteeRule, string>> = {
  wrong_number: "Wrong number",
  withdrawn: "Withdrawn before you called",
  never_asked: "Never asked for a quote",
  no_answer: "No answer to your calls",
  bad_lead_report: "Bad-lead report",
};

/**
 * `waiting`: the sweep decides when the case is due. `asked`: the customer has 48 hours to contradict. `capped`: a
 * person decides, because the business is over its share of free claims or the facts are in doubt. `contested`: a person decides once more.
 * `revoked`: the purchase was quoted or booked after all, or the customer took it back.
 */
export const GUARANTEE_STATES = [
  "waiting",
  "asked",
  "granted",
  "capped",
  "contested",
  "refused",
  "revoked",
] as const;
export type GuaranteeState = (typeof GUARANTEE_STATES)[number];

/** Unanswered calls that the rule `no_answer` needs, and the time from the first to the last. Two days follow from it. */
export const NO_ANSWER = { calls: 3, callsInWords: "three", hours: 48 } as const;
export const NO_ANSWER_MS = NO_ANSWER.hours * HOUR_MS;

/** Time in which the customer can contradict the business's calls. */
export const OBJECTION_HOURS = 48;
export const OBJECTION_MS = OBJECTION_HOURS * HOUR_MS;

/** Time in which a wrong number can be corrected. It never ends before the call clock. */
export const CORRECTION_HOURS = 24;
export const CORRECTION_MS = CORRECTION_HOURS * HOUR_MS;

/** Maximum share of a business's bought leads in a period for which a rule alone grants a free claim. The first claim in the period is always allowed. */
export const FREE_CLAIM_CAP = { share: 0.2, days: 90 } as const;
export const FREE_CLAIM_CAP_MS = FREE_CLAIM_CAP.days * DAY_MS;

/** The rules in plain words, for the terms and the providers' page. */
export const RULE_TEXTS: Readonly<Record<Exclude<GuaranteeRule, "bad_lead_report">, string>> = {
  wrong_number: `Within ${BAD_LEAD_REPORT_DAYS} days, the customer or we say that the number is wrong. You haven't reached the customer, and no one corrects the number within ${CORRECTION_HOURS} hours, or by the end of your time to call if that's later.`,
  withdrawn:
    "The customer withdraws the request before your time to call is over, and before you've called or texted them.",
  never_asked: "The customer says they never asked for a quote.",
  no_answer: `You log at least ${NO_ANSWER.calls} unanswered calls, the last at least ${NO_ANSWER.hours} hours after the first. We count from when you log them. We ask the customer, and they don't object within ${OBJECTION_HOURS} hours. If we can't ask them, our team decides.`,
};

/** Why a rule gave no free claim, or why the free claim was taken back. A person's decision has its own text instead. */
export const REFUSAL_TEXTS: Readonly<Record<Exclude<GuaranteeRule, "bad_lead_report">, string>> = {
  wrong_number: "The number was corrected in time, or you reached the customer.",
  withdrawn: "You'd called or texted the customer before they withdrew, or your time to call was over.",
  never_asked: "The customer has changed their answer.",
  no_answer: "The customer says that isn't what happened, or you reached them.",
};

/** The states that the business gets a message about, with its title. `contested` needs none. */
export const DECISION_TITLES = {
  granted: "You got a free claim",
  capped: "Our team is looking at your free claim",
  refused: "No free claim for your lead",
  revoked: "We've taken back a free claim",
} as const satisfies Partial<Record<GuaranteeState, string>>;
export type AnnouncedState = keyof typeof DECISION_TITLES;

export const isAnnounced = (state: GuaranteeState): state is AnnouncedState => state in DECISION_TITLES;

/** Returns a decision in words for its business, or who decides. Null while the sweep has yet to decide. */
export function describeDecision({
  rule,
  state,
  answer,
}: Pick<GuaranteeCase, "rule" | "state" | "answer">): string | null {
  switch (state) {
    case "waiting":
    case "asked":
      return null;
    case "granted":
      return `You got a free claim. ${answer ?? ""}`.trim();
    case "capped":
      return `Our team will decide. Either our rules can't settle this, or you're over your limit for free claims: ${FREE_CLAIM_CAP.share * 100}% of your leads in ${FREE_CLAIM_CAP.days} days.`;
    case "contested":
      return "You've contested our decision. Our team will look at it again.";
    case "refused":
      if (rule === "bad_lead_report") return `Declined. ${answer ?? ""}`.trim();
      return `No free claim. ${answer ?? REFUSAL_TEXTS[rule]}`;
    case "revoked":
      return "We've taken back the free claim. You quoted or booked the job after all, the customer changed their answer or number, or your payment was refunded or disputed.";
  }
}

/** What the customer says about the lead. `missed`, `not_missed`: whether they missed the provider's calls. */
export const GUARANTEE_ANSWERS = ["wrong_number", "missed", "not_missed"] as const;
export type GuaranteeAnswer = (typeof GUARANTEE_ANSWERS)[number];

/** Body of POST /api/requests/guarantee. */
export const guaranteeAnswerSchema = z.object({
  token: requestTokenSchema,
  answer: z.enum(GUARANTEE_ANSWERS, "What happened?"),
});

/** Body of POST /api/lead-purchases/{id}/contest. */
export const contestSchema = z.object({
  note: z.string("Please say why").check(z.trim(), z.minLength(1, "Please say why"), maxCharacters(1000)),
});
export type ContestForm = z.infer<typeof contestSchema>;

/** A case as the business sees it. */
export type GuaranteeCase = {
  purchaseId: string;
  rule: GuaranteeRule;
  state: GuaranteeState;
  /** When the case is decided, in epoch ms; null if it waits for a person or is decided. */
  dueAt: number | null;
  /** A person's reason. */
  answer: string | null;
  canContest: boolean;
  /** Whether the customer's number is wrong, and no correction has come. */
  isNumberWrong: boolean;
};

/** Lists of the admins: cases that wait for a person, and all decided ones. */
export const GUARANTEE_LISTS = ["open", "granted", "refused", "pending"] as const;
export type GuaranteeList = (typeof GUARANTEE_LISTS)[number];

/** A case as super admins see it. */
export type AdminGuaranteeCase = Omit<GuaranteeCase, "isNumberWrong"> &
  AdminBoughtLead & { contestNote: string | null; updatedAt: number };

/** Minimum sales for the public rate of free claims. */
export const FREE_CLAIM_RATE_MIN_SALES = 20;

/** Response of GET /api/guarantee-rate: sold leads of the last twelve months, and free claims for them; null below 20 sales. */
export type FreeClaimRate = { sales: number; claims: number };

/** Days in which a customer tells us, the provider puts the job right, and we pay back. */
export const CUSTOMER_GUARANTEE_DAYS = 14;

/**
 * The guarantee for customers, for the home page and the terms. We take no money from customers, so a refund is promised
 * only if the operator has decided to pay it.
 */
export const CUSTOMER_GUARANTEE = {
  promise: `If the first job isn’t right, tell us within ${CUSTOMER_GUARANTEE_DAYS} days. The provider then has ${CUSTOMER_GUARANTEE_DAYS} days to put it right at their own cost, or we find you another provider. We don’t charge for that, but you pay the new provider for their work.`,
  refund: `If neither works out, we pay back what you paid for that job, within ${CUSTOMER_GUARANTEE_DAYS} days.`,
} as const;
