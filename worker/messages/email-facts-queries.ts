/** Loads the facts of emails and texts when they are sent. Creates the secrets of links. */
import { isolate } from "../../contract/names.ts";
import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";

import { callDeadline } from "../../contract/call-clock.ts";
import { nameOfCheck } from "../../contract/checks.ts";
import { clockState } from "../../contract/call-state.ts";
import { type InspectionId, INSPECTIONS, serviceName } from "../../contract/catalogue.ts";
import { MINUTE_MS } from "../../contract/durations.ts";
import { REVIEW_RULE_LABELS } from "../../contract/reviews.ts";
import { joinServices } from "../../contract/service-list.ts";
import { formatLongDay, sydneyMonth } from "../../contract/sydney-time.ts";
import type { CheckNews } from "../identity/checks/commands.ts";
import { findCheck, listShownChecks, readChecks } from "../identity/checks/queries.ts";
import { hashToken, newToken } from "../identity/auth/tokens.ts";
import { createRequestLink } from "../leads/request-links/commands.ts";
import { publicName } from "../leads/public-name.ts";
import { BUYER_NAMES } from "../leads/request-links/queries.ts";
import { createListLink } from "../leads/request-links/list-commands.ts";
import type { LeadRow } from "../leads/rules.ts";
import type { EmailFacts, Reach, RequestLabels } from "../outbox/template.ts";
import type { Db } from "../platform/db/client.ts";
import {
  attention,
  bookings,
  guaranteeCases,
  leadPurchases,
  leads,
  oneTimeSecrets,
  reviews,
  suburbs,
  users,
} from "../platform/db/schema.ts";
import { toCase } from "../pipeline/guarantee/queries.ts";
import { readPublicReviews } from "../pipeline/reviews/queries.ts";
import type { Context } from "../platform/context.ts";
import { log } from "../platform/log.ts";
import type { UserRow } from "../platform/session.ts";
import { findExpiringCards } from "../selling/payments/expiring-cards.ts";
import { acceptsCards } from "../selling/payments/stripe.ts";
import { checkAgainAt, type MessageRow, type Skip, UNWANTED } from "./sender.ts";

type Loading = { env: Context; db: Db; message: MessageRow; reach: Reach; now: number };
type Loaders = {
  [About in keyof EmailFacts]: (loading: Loading) => Promise<EmailFacts[About] | Skip>;
};

/** Returns the account's facts, and its row for further checks; null if it no longer exists. */
async function findAccount({ db, message, reach }: Loading) {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.id, message.userId ?? ""));
  if (!user) return null;
  // An account may be erased before the email about its closure is sent.
  const firstName = user.username === `erased-${user.id}` ? "" : user.firstName;
  return { user, account: { firstName, reach } };
}

/**
 * Creates a new secret for a link and stores only its hash. Earlier secrets stop working, so each retry of an email
 * contains a new link.
 * @returns the token; null for a used or expired link
 */
async function renewToken({ db, message, now }: Loading): Promise<string | null> {
  const token = newToken();
  const { linkId = "" } = message.payload;
  const { id, usedAt, expiresAt } = oneTimeSecrets;
  const changed = await db
    .update(oneTimeSecrets)
    .set({ hash: hashToken(token) })
    .where(and(eq(id, linkId), isNull(usedAt), gt(expiresAt, now)))
    .returning({ id });
  return changed.length > 0 ? token : null;
}

async function loadLink(loading: Loading, path: "/reset-password/" | "/confirm-email/") {
  const found = await findAccount(loading);
  if (!found?.user.isActive) return UNWANTED;
  const token = await renewToken(loading);
  if (token === null) return UNWANTED;
  return { ...found.account, link: `${loading.message.payload.origin ?? ""}${path}${token}` };
}

/** Returns a request's services and suburb as labels. */
const labelsOf = ({ serviceType, suburbName, suburbPostcode }: LeadRow): RequestLabels => ({
  services: joinServices(serviceType.map((service) => serviceName(service).toLowerCase())),
  place: suburbName ? [suburbName, suburbPostcode].filter(Boolean).join(" ") : null,
});

/** Returns how a message sends a link to a customer. */
const sentBy = ({ channel }: Loading["message"]) =>
  channel === "email" || channel === "sms" ? { sentBy: channel } : {};

/** Returns a new link to the page of a request; null if this deployment has no site host. */
async function createPageLink({ db, message, reach, now }: Loading, leadId: string): Promise<string | null> {
  if (!reach.siteUrl) return null;
  return `${reach.siteUrl}/request/${await createRequestLink(db, leadId, now, sentBy(message))}`;
}

async function findRequest({ db, message }: Loading): Promise<LeadRow | null> {
  const [lead] = await db
    .select()
    .from(leads)
    .where(and(eq(leads.id, message.leadId ?? ""), isNull(leads.erasedAt)));
  return lead ?? null;
}

/** Returns a live purchase with its buyer's names and number, or null. */
async function findSale(db: Db, purchaseId: string) {
  const [row] = await db
    .select({
      purchase: leadPurchases,
      names: BUYER_NAMES,
      phone: sql<string | null>`coalesce(${users.phone}, ${leadPurchases.buyerPhone})`,
    })
    .from(leadPurchases)
    .innerJoin(users, eq(users.id, leadPurchases.buyerId))
    .where(and(eq(leadPurchases.id, purchaseId), eq(leadPurchases.paymentStatus, "completed")));
  return row ?? null;
}

/** Returns whether the customer has yet to respond to "Did they call?". */
function isQuestionOpen(purchase: typeof leadPurchases.$inferSelect, isAgain: boolean): boolean {
  const { answer, answeredAt = 0, askedAgainAt = 0 } = purchase.callClock ?? {};
  const state = clockState(purchase);
  if (isAgain) return state === "asked_again" && answeredAt < askedAgainAt;
  return (state === "running" || state === "calling") && answer === undefined;
}

/** Delay before another request to Stripe for the cards. */
const STRIPE_RETRY_MS = 15 * MINUTE_MS;

/** Checks an account's cards again: the user may have removed one, or the bank may have renewed it. */
async function loadCards({ env, message, now }: Loading, { stripeCustomerId, isActive, email }: UserRow) {
  const { id: messageId, payload, recipient, template } = message;
  const month = sydneyMonth(now);
  if (!stripeCustomerId || !isActive || email?.toLowerCase() !== recipient) return UNWANTED;
  if (payload.month !== month || !acceptsCards(env)) return UNWANTED;
  try {
    const found = await findExpiringCards(env, stripeCustomerId, now);
    const cards = found.cards.filter(({ id }) => payload.cardIds?.includes(id));
    return cards.length > 0 ? { cards, month, validCard: found.validCard } : UNWANTED;
  } catch (error) {
    // Stripe failed, so a later attempt may work.
    log("warn", "email_words_wait", { messageId, template, error });
    return checkAgainAt(now + STRIPE_RETRY_MS);
  }
}

const LOADERS: Loaders = {
  account: async (loading) => (await findAccount(loading))?.account ?? UNWANTED,
  passwordLink: (loading) => loadLink(loading, "/reset-password/"),
  emailLink: (loading) => loadLink(loading, "/confirm-email/"),
  attention: async (loading) => {
    const { db, message } = loading;
    const found = await findAccount(loading);
    if (!found?.user.isActive || !found.user.isSuperAdmin) return UNWANTED;
    const items = await db
      .select({ detail: attention.detail, subjectId: attention.subjectId })
      .from(attention)
      .where(
        and(
          // An item that was resolved and reopened belongs to a later email.
          sql`(${attention.kind}, ${attention.subjectId}, ${attention.since}) IN (SELECT value ->> 0, value ->> 1, value ->> 2
            FROM json_each(${JSON.stringify(message.payload.items ?? [])}))`,
          isNull(attention.resolvedAt),
        ),
      );
    return items.length > 0 ? { ...found.account, items } : UNWANTED;
  },
  check: async (loading) => {
    const { db, message } = loading;
    const { checkId = "", kind: news } = message.payload as { checkId?: string; kind?: CheckNews };
    const found = await findAccount(loading);
    const check = await findCheck(db, checkId);
    if (!found?.user.isActive || !check || !news) return UNWANTED;
    // The check may have changed since then, or a new one may be waiting already.
    const own = (await readChecks(db, check.businessId)).find(({ kind }) => kind === check.kind);
    if (check.state !== (news === "ending" ? "valid" : news)) return UNWANTED;
    if (
      (news === "ending" || news === "ended") &&
      (own?.latest?.state === "waiting" || (news === "ended" && own?.valid))
    )
      return UNWANTED;
    return {
      ...found.account,
      news,
      name: nameOfCheck(check.kind),
      endsOn: check.endsOn && formatLongDay(check.endsOn),
      reason: check.reason,
      isVerified: found.user.isVerified,
    };
  },
  cards: async (loading) => {
    const found = await findAccount(loading);
    if (!found) return UNWANTED;
    const cards = await loadCards(loading, found.user);
    return "cards" in cards ? { ...found.account, ...cards } : cards;
  },
  request: async (loading) => {
    const lead = await findRequest(loading);
    if (!lead) return UNWANTED;
    const { id, status } = lead;
    return {
      request: labelsOf(lead),
      status,
      reach: loading.reach,
      // Emails about the end of a request have no link.
      pageLink: status === "available" || status === "sold" ? await createPageLink(loading, id) : null,
    };
  },
  purchase: async (loading) => {
    const { env, db, message, reach } = loading;
    const [lead, sale] = await Promise.all([
      findRequest(loading),
      findSale(db, message.payload.purchaseId ?? ""),
    ]);
    if (!lead || !sale) return UNWANTED;
    // The number may have been corrected since then.
    if (message.channel === "sms" && lead.phoneKey !== message.recipient) return UNWANTED;
    const { purchase, names, phone } = sale;
    const [rating, checks] = await Promise.all([
      readPublicReviews(db, purchase.buyerId),
      listShownChecks(db, purchase.buyerId, loading.now),
    ]);
    return {
      request: labelsOf(lead),
      company: isolate(publicName(names)),
      phone,
      rating,
      checks,
      callBy: callDeadline(purchase, loading.now),
      reach,
      pageLink: message.channel === "email" ? await createPageLink(loading, lead.id) : null,
      takesReplies: env.settings.sms?.takesReplies ?? false,
    };
  },
  callQuestion: async (loading) => {
    const { env, db, message, reach } = loading;
    const { purchaseId = "", isAgain = false, isUnclear = false } = message.payload;
    const [lead, sale] = await Promise.all([findRequest(loading), findSale(db, purchaseId)]);
    if (!lead || !sale) return UNWANTED;
    // The number may have been corrected since then.
    if (message.channel === "sms" && lead.phoneKey !== message.recipient) return UNWANTED;
    if (!isQuestionOpen(sale.purchase, isAgain)) return UNWANTED;
    const pageLink = await createPageLink(loading, lead.id);
    if (!pageLink) return UNWANTED;
    const takesReplies = env.settings.sms?.takesReplies ?? false;
    const company = isolate(publicName(sale.names));
    return { request: labelsOf(lead), company, reach, takesReplies, isAgain, isUnclear, pageLink };
  },
  missedCalls: async (loading) => {
    const { env, db, message, reach } = loading;
    const { purchaseId = "" } = message.payload;
    const isAsked = and(eq(guaranteeCases.purchaseId, purchaseId), eq(guaranteeCases.state, "asked"));
    const [lead, sale, asked] = await Promise.all([
      findRequest(loading),
      findSale(db, purchaseId),
      db.$count(guaranteeCases, isAsked),
    ]);
    if (!lead || !sale || asked === 0) return UNWANTED;
    // The number may have been corrected since then.
    if (message.channel === "sms" && lead.phoneKey !== message.recipient) return UNWANTED;
    const pageLink = await createPageLink(loading, lead.id);
    if (!pageLink) return UNWANTED;
    return {
      request: labelsOf(lead),
      company: isolate(publicName(sale.names)),
      reach,
      takesReplies: env.settings.sms?.takesReplies ?? false,
      pageLink,
    };
  },
  guarantee: async (loading) => {
    const { db, message } = loading;
    const { purchaseId = "", kind } = message.payload;
    const found = await findAccount(loading);
    const [row] = await db
      .select({ decision: guaranteeCases, lead: leads })
      .from(guaranteeCases)
      .innerJoin(leads, eq(leads.id, guaranteeCases.leadId))
      .where(eq(guaranteeCases.purchaseId, purchaseId));
    // A later decision has its own email.
    if (!found?.user.isActive || !row || row.decision.state !== kind) return UNWANTED;
    return {
      ...found.account,
      request: labelsOf(row.lead),
      decision: toCase(row.decision),
      purchaseId,
    };
  },
  hiddenReview: async (loading) => {
    const { env, db, message, reach } = loading;
    const { purchaseId = "" } = message.payload;
    const [lead, [review]] = await Promise.all([
      findRequest(loading),
      db
        .select({ rule: reviews.hiddenRule, names: BUYER_NAMES })
        .from(reviews)
        .innerJoin(leadPurchases, eq(leadPurchases.id, reviews.purchaseId))
        .innerJoin(users, eq(users.id, leadPurchases.buyerId))
        .where(eq(reviews.purchaseId, purchaseId)),
    ]);
    // An admin may have shown it again.
    if (!lead || !review?.rule) return UNWANTED;
    if (message.channel === "sms" && lead.phoneKey !== message.recipient) return UNWANTED;
    return {
      request: labelsOf(lead),
      company: isolate(publicName(review.names)),
      rule: REVIEW_RULE_LABELS[review.rule],
      reach,
      takesReplies: env.settings.sms?.takesReplies ?? false,
    };
  },
  reviewInvitation: async (loading) => {
    const { env, db, message, reach, now } = loading;
    const isOpen = and(
      eq(reviews.purchaseId, message.payload.purchaseId ?? ""),
      isNull(reviews.writtenAt),
      gt(reviews.endsAt, now),
      // A disputed payment does not stop the invitation, or a business could avoid reviews by disputing.
      ne(leadPurchases.paymentStatus, "refunded"),
    );
    const [lead, [review]] = await Promise.all([
      findRequest(loading),
      db
        .select({ names: BUYER_NAMES })
        .from(reviews)
        .innerJoin(leadPurchases, eq(leadPurchases.id, reviews.purchaseId))
        .innerJoin(users, eq(users.id, leadPurchases.buyerId))
        .where(isOpen),
    ]);
    if (!lead || !review || !reach.siteUrl) return UNWANTED;
    // The number may have been corrected since then.
    if (message.channel === "sms" && lead.phoneKey !== message.recipient) return UNWANTED;
    const reviewLink = `${reach.siteUrl}/review/${await createRequestLink(db, lead.id, now, sentBy(message))}`;
    const takesReplies = env.settings.sms?.takesReplies ?? false;
    return {
      request: labelsOf(lead),
      company: isolate(publicName(review.names)),
      reach,
      takesReplies,
      reviewLink,
    };
  },
  newReview: async (loading) => {
    const { db, message } = loading;
    const found = await findAccount(loading);
    const [row] = await db
      .select({ stars: reviews.stars, lead: leads })
      .from(reviews)
      .innerJoin(leads, eq(leads.id, reviews.leadId))
      .where(eq(reviews.purchaseId, message.payload.purchaseId ?? ""));
    if (!found?.user.isActive || !row?.stars) return UNWANTED;
    return { ...found.account, request: labelsOf(row.lead), stars: row.stars };
  },
  requestList: async ({ db, message, now }) => {
    const { payload, recipient } = message;
    if (!recipient) return UNWANTED;
    const token = await createListLink(db, recipient, now);
    return { link: `${payload.origin ?? ""}/my-requests/${token}` };
  },
  booking: async ({ db, message, reach }) => {
    const [row] = await db
      .select({
        serviceType: bookings.serviceType,
        reference: bookings.reference,
        name: suburbs.name,
        postcode: suburbs.postcode,
      })
      .from(bookings)
      .leftJoin(suburbs, eq(suburbs.id, bookings.suburbId))
      .where(and(eq(bookings.id, message.leadId ?? ""), isNull(bookings.erasedAt)));
    if (!row) return UNWANTED;
    const services = INSPECTIONS[row.serviceType as InspectionId].toLowerCase();
    const place = row.name ? [row.name, row.postcode].filter(Boolean).join(" ") : null;
    return { inspection: { services, place }, reference: row.reference, reach };
  },
};

/** Loads the facts of an email or a text from the current data. @param now epoch ms */
export function loadEmailFacts(
  context: Context,
  about: keyof EmailFacts,
  message: MessageRow,
  now: number,
): Promise<EmailFacts[keyof EmailFacts] | Skip> {
  const { contactPhone, contactEmail, siteUrl } = context.settings;
  const reach = { contactPhone, contactEmail, siteUrl };
  return LOADERS[about]({ env: context, db: context.db, message, reach, now });
}
