/** Messages about cases of the guarantee. */
import { and, eq, isNotNull, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import {
  DECISION_TITLES,
  describeDecision,
  type GuaranteeState,
  isAnnounced,
  NO_ANSWER,
  RULE_LABELS,
} from "../../../contract/guarantee.ts";
import { greetingOf } from "../../../contract/names.ts";
import { findActiveAccount } from "../../identity/messages.ts";
import { createLink, findBoughtRequest } from "../../leads/message-queries.ts";
import {
  describeJob,
  factsOf,
  labelsOf,
  pipelineLink,
  questionText,
  replacing,
  type TextReach,
} from "../../leads/message-words.ts";
import { SHOWN } from "../../leads/queries.ts";
import { maskedSummary } from "../../leads/views.ts";
import { toDevices } from "../../outbox/commands.ts";
import { mailMessage, pushMessage, UNWANTED } from "../../outbox/message.ts";
import { visitorMessage } from "../../outbox/visitor-queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { pushDevices } from "../../platform/db/messages.ts";
import { guaranteeCases } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { toCase } from "./queries.ts";

/** @param company the name on the account */
export const missedCallsText = (company: string, pageLink: string, reach: TextReach) =>
  questionText(company, reach, (name) => `${name} says you missed their calls. Right? ${pageLink}`);

export const missedCalls = visitorMessage({
  name: "missed_calls",
  reason: `A provider says they called ${NO_ANSWER.callsInWords} times without an answer, and may get a free claim for it.`,
  lifetimeMs: DAY_MS,
  key: ({ purchaseId }: { leadId: string; purchaseId: string }) => purchaseId,
  load: async (loading) => {
    const { db, message } = loading;
    const isAsked = and(
      eq(guaranteeCases.purchaseId, message.payload.purchaseId ?? ""),
      eq(guaranteeCases.state, "asked"),
    );
    const [found, asked] = await Promise.all([
      findBoughtRequest(loading),
      db.$count(guaranteeCases, isAsked),
    ]);
    if (found?.purchase.paymentStatus !== "completed" || asked === 0) return UNWANTED;
    const pageLink = await createLink(loading, "request", found.lead.id);
    return pageLink ? { request: found.request, company: found.company, pageLink } : UNWANTED;
  },
  email: ({ request, company, pageLink }, { contactPhone }) => ({
    subject: `${company} couldn't reach you`,
    parts: [
      "Hello,",
      `${company} has your request for ${describeJob(request)}. They say they've called you at least ${NO_ANSWER.callsInWords} times without an answer. Is that right?`,
      { link: pageLink, words: "Tell Us" },
      `Their number is on that page, if you'd like to call them back. You can also call us on ${contactPhone}.`,
    ],
  }),
  text: ({ company, pageLink }, reach) => missedCallsText(company, pageLink, reach),
});

/** `at`: when it was decided, epoch ms. */
type OfDecision = {
  purchaseId: string;
  leadId: string;
  buyerId: string;
  state: GuaranteeState;
  at: number;
};

const keyOfDecision = ({ purchaseId, at }: OfDecision) => `${purchaseId}:${at}`;

/** Returns a case with its lead. A later decision has its own message. The suburb stays after an erasure. */
async function findDecision(db: Db, { purchaseId = "", kind }: { purchaseId?: string; kind?: string }) {
  const [row] = await db
    .select({ decision: guaranteeCases, lead: SHOWN })
    .from(guaranteeCases)
    .innerJoin(leads, eq(leads.id, guaranteeCases.leadId))
    .where(eq(guaranteeCases.purchaseId, purchaseId));
  return row?.decision.state === kind ? row : null;
}

export const guaranteeDecision = mailMessage({
  name: "guarantee_decision",
  reason: "A rule of the guarantee, or an admin, decided about a free claim for a lead they bought.",
  lifetimeMs: 3 * DAY_MS,
  to: ({ purchaseId, buyerId, state }: OfDecision) => ({
    channel: "email",
    from: sql`${users}`,
    where: and(eq(users.id, buyerId), eq(users.isActive, true), isNotNull(users.email)),
    recipient: sql`lower(${users.email})`,
    userId: sql`${users.id}`,
    payload: { purchaseId, kind: state },
  }),
  key: keyOfDecision,
  load: async (loading) => {
    const account = await findActiveAccount(loading);
    const found = await findDecision(loading.db, loading.message.payload);
    if (!account || !found) return UNWANTED;
    const { decision, lead } = found;
    return {
      firstName: account.firstName,
      request: labelsOf(lead),
      decision: toCase(decision),
      purchaseId: decision.purchaseId,
    };
  },
  email: ({ firstName, request, decision, purchaseId }, { siteUrl, contactPhone }) =>
    isAnnounced(decision.state)
      ? {
          subject: DECISION_TITLES[decision.state],
          parts: [
            greetingOf(firstName),
            `This is about the lead you bought for ${describeJob(request)}.`,
            `${RULE_LABELS[decision.rule]}: ${describeDecision(decision)}`,
            ...(decision.state === "granted" ? ["You can use it for one other lead of the same price."] : []),
            ...(decision.canContest
              ? ["Did we get it wrong? You can contest this once. Open the lead and tell us why."]
              : []),
            ...(siteUrl ? [{ link: pipelineLink(siteUrl, purchaseId), words: "Open the lead" }] : []),
            `Questions? Call us on ${contactPhone}.`,
          ],
        }
      : null,
});

export const freeClaimDecided = pushMessage({
  name: "free_claim_decided",
  reason: "Their free claim was granted, refused, revoked or passed to an admin.",
  lifetimeMs: DAY_MS,
  to: ({ purchaseId, buyerId, state }: OfDecision) => ({
    ...toDevices(eq(pushDevices.userId, buyerId)),
    payload: { purchaseId, kind: state },
  }),
  key: keyOfDecision,
  skipsOpenWindow: true,
  waitsForQuietHours: true,
  load: async ({ db, message, recipient }) => {
    const found = recipient.mayBuy ? await findDecision(db, message.payload) : null;
    if (found?.decision.buyerId !== recipient.userId) return UNWANTED;
    const { decision, lead } = found;
    if (!isAnnounced(decision.state)) return UNWANTED;
    const { purchaseId, state } = decision;
    return { summary: maskedSummary(lead), origin: recipient.origin, purchaseId, state };
  },
  push: ({ summary, purchaseId, state, origin }) => ({
    title: DECISION_TITLES[state],
    body: factsOf(summary),
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(`claim-${purchaseId}`, "normal"),
  }),
});
