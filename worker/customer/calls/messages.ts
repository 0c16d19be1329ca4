/** Messages about the time that a buyer has to call. */
import { and, eq, sql } from "drizzle-orm";

import { callDeadline, type ClockPurchase } from "../../../contract/call-clock.ts";
import { clockState, isCalled } from "../../../contract/call-state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { formatDeadline } from "../../../contract/sydney-time.ts";
import { createLink, findBoughtRequest, findOwnPurchase } from "../../leads/message-queries.ts";
import {
  describeJob,
  factsOf,
  pipelineLink,
  questionText,
  replacing,
  type TextReach,
} from "../../leads/message-words.ts";
import { hasRecentAlert, toDevices } from "../../outbox/commands.ts";
import { pushMessage, UNWANTED } from "../../outbox/message.ts";
import { visitorMessage } from "../../outbox/visitor-queries.ts";
import { pushDevices } from "../../platform/db/messages.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";

/** @param company the name on the account */
export const didTheyCallText = (company: string, pageLink: string, reach: TextReach) =>
  questionText(company, reach, (name) => `Has ${name} called you yet? Tell us: ${pageLink}`);

/** Follows a reply that was neither yes nor no. */
export const unclearReplyText = (pageLink: string, { contactPhone }: Pick<TextReach, "contactPhone">) =>
  `Naturestrip ${contactPhone}: Was that a yes or a no? Tell us: ${pageLink}. STOP to opt out`;

/** Returns whether the customer has yet to respond to "Did they call?". */
function isQuestionOpen(purchase: ClockPurchase, isAgain: boolean): boolean {
  const { answer, answeredAt = 0, askedAgainAt = 0 } = purchase.callClock ?? {};
  const state = clockState(purchase);
  if (isAgain) return state === "asked_again" && answeredAt < askedAgainAt;
  return (state === "running" || state === "calling") && answer === undefined;
}

/**
 * `isAgain`: the customer said "not yet", but the provider logged a call. `isUnclear`: their reply was neither yes nor
 * no.
 */
type Question = { leadId: string; purchaseId: string; isAgain: boolean; isUnclear?: boolean };

export const didTheyCall = visitorMessage({
  name: "did_they_call",
  reason: "A provider has their request, and we check that the provider calls.",
  lifetimeMs: DAY_MS,
  key: ({ purchaseId, isAgain, isUnclear }: Question) =>
    isUnclear ? `${purchaseId}:unclear` : isAgain ? `${purchaseId}:again` : purchaseId,
  load: async (loading) => {
    const { isAgain = false, isUnclear = false } = loading.message.payload;
    const found = await findBoughtRequest(loading);
    if (found?.purchase.paymentStatus !== "completed") return UNWANTED;
    const { lead, purchase, request, company } = found;
    if (!isQuestionOpen(purchase, isAgain)) return UNWANTED;
    const pageLink = await createLink(loading, "request", lead.id);
    return pageLink ? { request, company, isAgain, isUnclear, pageLink } : UNWANTED;
  },
  email: ({ request, company, isAgain, pageLink }, { contactPhone }) => ({
    subject: `Did ${company} call you?`,
    parts: [
      "Hello,",
      isAgain
        ? `You said you haven't had a call about your request for ${describeJob(request)}. ${company} has logged a call or a text to you. Did you get it?`
        : `${company} has your request for ${describeJob(request)}. Have they called you?`,
      { link: pageLink, words: "Tell Us" },
      `If they haven't called, tell us and we'll step in. You can also call us on ${contactPhone}.`,
    ],
  }),
  text: ({ company, pageLink, isUnclear }, reach) =>
    isUnclear ? unclearReplyText(pageLink, reach) : didTheyCallText(company, pageLink, reach),
});

/** A purchase whose buyer is alerted about its call clock. */
type OfPurchase = { purchaseId: string; leadId: string };

/** Returns the devices of a purchase's buyer. */
const toBuyer = (purchaseId: string) =>
  toDevices(
    eq(leadPurchases.id, purchaseId),
    sql`${leadPurchases} JOIN ${pushDevices} ON ${pushDevices.userId} = ${leadPurchases.buyerId}`,
  );

/** `endsAt`: when the time to call ends, epoch ms. */
export const callReminder = pushMessage({
  name: "call_reminder",
  reason: "They bought a lead and have not called the customer, and three quarters of the time is over.",
  lifetimeMs: 6 * HOUR_MS,
  to: ({ purchaseId, endsAt }: OfPurchase & { endsAt: number }) => ({
    ...toBuyer(purchaseId),
    expiresAt: endsAt,
  }),
  key: ({ purchaseId }) => purchaseId,
  skipsOpenWindow: true,
  waitsForQuietHours: true,
  load: async (loading) => {
    const found = await findOwnPurchase(loading);
    if (!found || found.purchase.paymentStatus === "refunded") return UNWANTED;
    const endsAt = found.purchase.clockEndsAt!;
    // The buyer has called, or the time is over.
    if (clockState(found.purchase) !== "running" || loading.now >= endsAt) return UNWANTED;
    return { ...found.shown, endsAt };
  },
  push: ({ summary, purchaseId, endsAt, origin }) => ({
    title: `Call your customer by ${formatDeadline(endsAt)}`,
    body: factsOf(summary, "They're waiting to hear from you."),
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(`call-${purchaseId}`, "high"),
  }),
});

/** A device gets one alert of a kind about a lead in this time. */
const ANSWER_WINDOW_MS = 5 * MINUTE_MS;

/** `kind`: the customer's response to "Did they call?", or `last_call` for the buyer's last 30 minutes. */
export const callAnswered = pushMessage({
  name: "call_answered",
  reason: "The customer of a bought lead says that no call came, or that they never asked.",
  lifetimeMs: 6 * HOUR_MS,
  to: ({ purchaseId, leadId, kind, at }: OfPurchase & { kind: string; at: number }) => {
    const to = toBuyer(purchaseId);
    const isRecent = hasRecentAlert("call_answered", leadPurchases.leadId, at - ANSWER_WINDOW_MS, kind);
    return { ...to, where: and(to.where, sql`NOT ${isRecent}`), payload: { leadId, purchaseId, kind } };
  },
  key: ({ purchaseId, at }) => `${purchaseId}:${at}`,
  skipsOpenWindow: true,
  waitsForQuietHours: true,
  load: async (loading) => {
    const found = await findOwnPurchase(loading);
    if (!found || found.purchase.paymentStatus === "refunded") return UNWANTED;
    const { purchase, shown } = found;
    const answer = purchase.callClock?.answer;
    if (answer !== "not_yet" && answer !== "never_asked") return UNWANTED;
    const isSettled = ["over", "rescued"].includes(clockState(purchase)!) || isCalled(purchase);
    if (answer === "not_yet" && isSettled) return UNWANTED;
    return { ...shown, answer, endsAt: callDeadline(purchase, loading.now) } as const;
  },
  push: ({ summary, purchaseId, answer, endsAt, origin }) => ({
    title:
      answer === "not_yet"
        ? "Your customer says you haven't called"
        : "Your customer says they never asked for this",
    body:
      answer === "never_asked"
        ? factsOf(summary, "Please don't call. We're looking into it.")
        : factsOf(summary, endsAt ? `Please call by ${formatDeadline(endsAt)}.` : "Please call."),
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(`call-${purchaseId}`, "high"),
  }),
});
