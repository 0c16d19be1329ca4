/** The email to a business about a decision under the guarantee. */
import { DAY_MS } from "../../contract/durations.ts";
import { describeDecision, type GuaranteeState, RULE_LABELS } from "../../contract/guarantee.ts";
import { greetingOf } from "../../contract/names.ts";
import { type EmailContent, emailEntry, type EmailFacts } from "./template.ts";

/** The states that the business gets an email about. It contested the decision itself. */
const SUBJECTS: Readonly<Partial<Record<GuaranteeState, string>>> = {
  granted: "You got a free claim",
  capped: "Our team is looking at your free claim",
  refused: "No free claim for your lead",
  revoked: "We've taken back a free claim",
};

export const EMAILED_STATES = Object.keys(SUBJECTS) as GuaranteeState[];

function decisionMail({
  firstName,
  request: { services, place },
  decision,
  purchaseId,
  reach: { siteHost, contactPhone },
}: EmailFacts["guarantee"]): EmailContent | null {
  const subject = SUBJECTS[decision.state];
  if (!subject) return null;
  return {
    subject,
    parts: [
      greetingOf(firstName),
      `This is about the lead you bought for ${place ? `${services} in ${place}` : services}.`,
      `${RULE_LABELS[decision.rule]}: ${describeDecision(decision)}`,
      ...(decision.state === "granted" ? ["You can use it for one other lead of the same price."] : []),
      ...(decision.canContest
        ? ["Did we get it wrong? You can contest this once. Open the lead and tell us why."]
        : []),
      ...(siteHost
        ? [{ link: `https://${siteHost}/dashboard?tab=leads&lead=${purchaseId}`, words: "Open the lead" }]
        : []),
      `Questions? Call us on ${contactPhone}.`,
    ],
  };
}

export const guaranteeDecision = emailEntry({
  about: "guarantee",
  reason: "A rule of the guarantee, or an admin, decided about a free claim for a lead they bought.",
  lifetimeMs: 3 * DAY_MS,
  key: ({ purchaseId, at }: { purchaseId: string; at: number }) => `${purchaseId}:${at}`,
  email: decisionMail,
});
