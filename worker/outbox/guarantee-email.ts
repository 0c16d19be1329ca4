/** The email to a business about a decision under the guarantee. */
import { DAY_MS } from "../../contract/durations.ts";
import { DECISION_TITLES, describeDecision, isAnnounced, RULE_LABELS } from "../../contract/guarantee.ts";
import { greetingOf } from "../../contract/names.ts";
import { type EmailContent, emailEntry, type EmailFacts } from "./template.ts";

function decisionMail({
  firstName,
  request: { services, place },
  decision,
  purchaseId,
  reach: { siteUrl, contactPhone },
}: EmailFacts["guarantee"]): EmailContent | null {
  if (!isAnnounced(decision.state)) return null;
  return {
    subject: DECISION_TITLES[decision.state],
    parts: [
      greetingOf(firstName),
      `This is about the lead you bought for ${place ? `${services} in ${place}` : services}.`,
      `${RULE_LABELS[decision.rule]}: ${describeDecision(decision)}`,
      ...(decision.state === "granted" ? ["You can use it for one other lead of the same price."] : []),
      ...(decision.canContest
        ? ["Did we get it wrong? You can contest this once. Open the lead and tell us why."]
        : []),
      ...(siteUrl
        ? [{ link: `${siteUrl}/dashboard?tab=leads&lead=${purchaseId}`, words: "Open the lead" }]
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
