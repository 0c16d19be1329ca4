/** Messages about requests on the market and sold leads. The projection of the exchange enqueues them. */
import { and, eq, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { formatDeadline } from "../../contract/sydney-time.ts";
import { findTeamAlerts } from "../identity/team/store.ts";
import { toDevices } from "../outbox/commands.ts";
import { type Enqueued, type Loading, pushMessage, UNWANTED } from "../outbox/message.ts";
import { endOfQuiet } from "../outbox/rules.ts";
import { toVisitor, visitorMessage } from "../outbox/visitor-queries.ts";
import { rescueOffers } from "./tables.ts";
import { alertSettings, pushDevices } from "../platform/db/messages.ts";
import type { leadPurchases } from "../platform/db/purchases.ts";
import { users } from "../platform/db/users.ts";
import {
  createLink,
  findOwnLead,
  findOwnPurchase,
  findRequest,
  findTeamPurchase,
} from "./message-queries.ts";
import {
  describeJob,
  dollars,
  labelsOf,
  leadLink,
  linkToPage,
  pipelineLink,
  placeOf,
  replacing,
  servicesOf,
} from "./message-words.ts";

type OfRequest = { leadId: string };
type OfListing = { leadId: string; generation: number };

/** Returns a request's labels and status. */
async function loadRequest(loading: Loading) {
  const lead = await findRequest(loading);
  return lead ? { request: labelsOf(lead), status: lead.status } : UNWANTED;
}

/** Sent when the request is listed, so a quarantined request gets no thank-you email. */
export const requestReceived = visitorMessage({
  name: "request_received",
  reason: "Their request is on the market.",
  lifetimeMs: 6 * HOUR_MS,
  key: ({ leadId }: OfRequest) => leadId,
  load: async (loading) => {
    const lead = await findRequest(loading);
    if (!lead || (lead.status !== "available" && lead.status !== "sold")) return UNWANTED;
    return { request: labelsOf(lead), pageLink: await createLink(loading, "request", lead.id) };
  },
  email: ({ request, pageLink }, { contactPhone, contactEmail }) => ({
    subject: `We've got your request for ${describeJob(request)}`,
    parts: [
      "Hello,",
      `Thanks for asking us about ${describeJob(request)}. Local providers can see the job now, but not your last name, number or street.`,
      "The first one to take it gets your details and calls you. The others don't. We'll email you to say who it is.",
      ...linkToPage(pageLink),
      `Something not right, or it wasn't you who asked? Call us on ${contactPhone} or email ${contactEmail}, and we'll take it down.`,
    ],
  }),
});

export const requestWithdrawn = visitorMessage({
  name: "request_withdrawn",
  reason: "Their request is off the market.",
  lifetimeMs: DAY_MS,
  key: ({ leadId, generation }: OfListing) => `${leadId}:${generation}`,
  load: loadRequest,
  email: ({ request, status }, { contactPhone, contactEmail }) =>
    status === "withdrawn"
      ? {
          subject: `Your request for ${describeJob(request)} is off our list`,
          parts: [
            "Hello,",
            `We've taken down your request for ${describeJob(request)}. Providers can't see it any more, and none of them has your details.`,
            `If you asked us to, you're all set. If you didn't, call us on ${contactPhone} or email ${contactEmail}, and we'll tell you why.`,
          ],
        }
      : null,
});

export const requestExpired = visitorMessage({
  name: "request_expired",
  reason: "No provider took their request in time.",
  lifetimeMs: 3 * DAY_MS,
  key: ({ leadId, generation }: OfListing) => `${leadId}:${generation}`,
  load: loadRequest,
  email: ({ request, status }, { contactPhone, siteUrl }) =>
    status === "expired"
      ? {
          subject: `No provider has taken your request for ${describeJob(request)}`,
          parts: [
            "Hello,",
            `We're sorry: no provider took your request for ${describeJob(request)}, and it's off our list now. None of them has your details.`,
            siteUrl
              ? "If you still need it done, you can ask again. It takes a minute."
              : "If you still need it done, you can ask again on our site. It takes a minute.",
            ...(siteUrl ? [{ link: `${siteUrl}/get-quote`, words: "Get Free Quote" }] : []),
            `Or call us on ${contactPhone} and tell us about the job.`,
          ],
        }
      : null,
});

/** Facts of a sale for its messages. */
type OfSale = {
  leadId: string;
  purchaseId: string;
  businessId: string;
  mode: (typeof leadPurchases.$inferSelect)["mode"];
  /** Epoch ms. */
  soldAt: number;
};

/**
 * The customer's message about a sale, as the projection enqueues it. Its words and its text are in
 * worker/customer/request, which knows the provider's reviews.
 */
export const requestTakenRows: Enqueued<OfRequest & { purchaseId: string }> = {
  name: "request_taken",
  reason: "A provider has their name and number now.",
  lifetimeMs: DAY_MS,
  to: toVisitor("request_taken", true),
  key: ({ purchaseId }) => purchaseId,
};

/** Lifetime of an alert about an assigned lead, in ms. The alert may have to wait for quiet hours to end. */
const ASSIGNED_LIFETIME_MS = DAY_MS;
const WON_LIFETIME_MS = 15 * MINUTE_MS;

/** A sale written too late causes no alert. */
export const leadWon = pushMessage({
  name: "lead_won",
  reason:
    "The buyer got the lead without having Naturestrip open: a bank took its time, or an admin gave the lead.",
  lifetimeMs: WON_LIFETIME_MS,
  to: ({ leadId, purchaseId, businessId, mode, soldAt }: OfSale, now) => {
    const expiresAt = soldAt + (mode === "assigned" ? ASSIGNED_LIFETIME_MS : WON_LIFETIME_MS);
    const isInTime = sql`${expiresAt} > ${now}`;
    const to = toDevices(and(eq(pushDevices.userId, businessId), isInTime));
    return { ...to, expiresAt, payload: { leadId, purchaseId } };
  },
  key: ({ purchaseId }) => purchaseId,
  skipsOpenWindow: true,
  load: async (loading) => {
    const found = await findOwnPurchase(loading);
    if (found?.purchase.paymentStatus !== "completed") return UNWANTED;
    return { ...found.shown, isGiven: found.purchase.mode === "assigned" };
  },
  // A buyer is awake. A provider may be asleep when an admin assigns a lead.
  waitsForQuietHours: ({ isGiven }) => isGiven,
  push: ({ summary, purchaseId, isGiven, origin }) => ({
    title: isGiven
      ? `We've given you a lead in ${placeOf(summary)}`
      : `The lead in ${placeOf(summary)} is yours`,
    body: `${servicesOf(summary)} · The name and number are in your pipeline. Give them a call.`,
    navigate: pipelineLink(origin, purchaseId),
    ...replacing(summary.id, "normal"),
  }),
});

const TEAM_SALE_LIFETIME_MS = 2 * HOUR_MS;

export const teamSale = pushMessage({
  name: "team_sale",
  reason: "Their business got a lead, and their owner chose them for such alerts.",
  lifetimeMs: TEAM_SALE_LIFETIME_MS,
  to: ({ leadId, purchaseId, businessId, soldAt }: OfSale, now) => {
    const expiresAt = soldAt + TEAM_SALE_LIFETIME_MS;
    const isChosen = and(
      eq(users.teamOwnerId, businessId),
      eq(users.isActive, true),
      // Use a subquery per member: with a join, SQLite would scan the settings of all owners.
      sql`(SELECT ${alertSettings.team} ->> 'sales' FROM ${alertSettings} WHERE ${alertSettings.userId} = ${users.id}) = 1`,
      sql`${expiresAt} > ${now}`,
    );
    const to = toDevices(isChosen, sql`${users} JOIN ${pushDevices} ON ${pushDevices.userId} = ${users.id}`);
    return { ...to, expiresAt, payload: { leadId, purchaseId } };
  },
  key: ({ purchaseId }) => purchaseId,
  waitsForQuietHours: true,
  load: async (loading) => {
    const { db, recipient } = loading;
    const found = await findTeamPurchase(loading);
    // An owner gets no alerts about team sales.
    const isWanted = recipient.isTeam && (await findTeamAlerts(db, recipient.userId)).sales;
    return found?.purchase.paymentStatus === "completed" && isWanted ? found.shown : UNWANTED;
  },
  push: ({ summary, purchaseId, tab, origin }) => ({
    title: `Your team got a lead in ${placeOf(summary)}`,
    body: `${servicesOf(summary)} · The name and number are in your pipeline.`,
    navigate: pipelineLink(origin, purchaseId, tab),
    ...replacing(purchaseId, "high"),
  }),
});

/** `endsAt`: when the offer ends, epoch ms. */
export const rescueOffer = pushMessage({
  name: "rescue_offer",
  reason: "They lost a lead to a provider who did not call, and can now buy it before the market sees it.",
  lifetimeMs: 15 * HOUR_MS,
  to: ({ businessId, endsAt }: { leadId: string; businessId: string; endsAt: number }, now) => ({
    ...toDevices(and(eq(pushDevices.userId, businessId), sql`${endsAt} > ${now}`)),
    expiresAt: endsAt,
  }),
  // An offer in a paused region starts again.
  key: ({ leadId, endsAt }) => `${leadId}:${endsAt}`,
  waitsForQuietHours: true,
  load: async (loading) => {
    const { db, recipient, now } = loading;
    const found = await findOwnLead(loading);
    if (!found) return UNWANTED;
    const [offer] = await db
      .select()
      .from(rescueOffers)
      .where(and(eq(rescueOffers.leadId, found.lead.id), eq(rescueOffers.businessId, recipient.userId)));
    if (!offer || offer.outcome !== null || offer.endsAt <= now) return UNWANTED;
    if ((endOfQuiet(now, recipient.quietHours) ?? now) >= offer.endsAt) return UNWANTED;
    return { ...found.shown, endsAt: offer.endsAt };
  },
  push: ({ summary, endsAt, origin }) => ({
    title: `A lead in ${placeOf(summary)}, just for you`,
    body: `${servicesOf(summary)} · ${dollars(summary.price)} · Yours to buy until ${formatDeadline(endsAt)}`,
    navigate: leadLink(origin, summary),
    ...replacing(summary.id, "high"),
  }),
});
