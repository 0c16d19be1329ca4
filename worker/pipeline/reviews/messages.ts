/** Messages about reviews. */
import { and, eq, gt, isNotNull, isNull } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import { greetingOf } from "../../../contract/names.ts";
import { formatStars, REVIEW_OPEN_DAYS, REVIEW_RULE_LABELS } from "../../../contract/reviews.ts";
import { findActiveAccount } from "../../identity/messages.ts";
import { createLink, findBoughtRequest, findOwnLead } from "../../leads/message-queries.ts";
import {
  describeJob,
  factsOf,
  labelsOf,
  questionText,
  replacing,
  type TextReach,
} from "../../leads/message-words.ts";
import { toDevices } from "../../outbox/commands.ts";
import { mailMessage, pushMessage, UNWANTED } from "../../outbox/message.ts";
import { toGsmText } from "../../outbox/rules.ts";
import { visitorMessage } from "../../outbox/visitor-queries.ts";
import { reviews } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { pushDevices } from "../../platform/db/messages.ts";

type OfPurchase = { leadId: string; purchaseId: string };

/** @param company the name on the account */
export const reviewText = (company: string, reviewLink: string, reach: TextReach) =>
  questionText(company, reach, (name) => `How was ${name}? Write a review: ${reviewLink}`);

export const reviewInvitation = visitorMessage({
  name: "review_invitation",
  reason: "A provider bought their request, and we ask every such customer once for a review.",
  lifetimeMs: 3 * DAY_MS,
  key: ({ purchaseId }: OfPurchase) => purchaseId,
  load: async (loading) => {
    const { db, message, now } = loading;
    const isOpen = and(
      eq(reviews.purchaseId, message.payload.purchaseId ?? ""),
      isNull(reviews.writtenAt),
      gt(reviews.endsAt, now),
    );
    const [found, open] = await Promise.all([findBoughtRequest(loading), db.$count(reviews, isOpen)]);
    // A disputed payment does not stop the invitation, or a business could avoid reviews by disputing.
    if (!found || found.purchase.paymentStatus === "refunded" || open === 0) return UNWANTED;
    const { lead, request, company } = found;
    const reviewLink = await createLink(loading, "review", lead.id);
    return reviewLink ? { request, company, reviewLink } : UNWANTED;
  },
  email: ({ request, company, reviewLink }, { contactPhone }) => ({
    subject: `How was ${company}?`,
    parts: [
      "Hello,",
      `${company} had your request for ${describeJob(request)}. How did it go? Good or bad, your review helps your neighbours decide whether to book.`,
      { link: reviewLink, words: "Write a Review" },
      `We won't ask again. The link works for ${REVIEW_OPEN_DAYS} days. We show your first name and suburb with the review, never your number or address.`,
      `Anything we should sort out? Call us on ${contactPhone}.`,
    ],
  }),
  text: ({ company, reviewLink }, reach) => reviewText(company, reviewLink, reach),
});

/** @param company the name on the account */
export const hiddenReviewText = (company: string, rule: string, reach: TextReach) =>
  questionText(company, reach, (name) => `We've hidden your review of ${name}. ${toGsmText(rule)}`);

/** Goes to the customer. `rule`: why an admin hid it, as a sentence without its full stop. */
export const reviewHidden = visitorMessage({
  name: "review_hidden",
  reason: "An admin hid their review, and they can object.",
  lifetimeMs: 3 * DAY_MS,
  key: ({ purchaseId, at }: OfPurchase & { at: number }) => `${purchaseId}:${at}`,
  load: async (loading) => {
    const { db, message } = loading;
    const [found, [review]] = await Promise.all([
      findBoughtRequest(loading),
      db
        .select({ rule: reviews.hiddenRule })
        .from(reviews)
        .where(eq(reviews.purchaseId, message.payload.purchaseId ?? "")),
    ]);
    // An admin may have shown it again.
    if (!found || !review?.rule) return UNWANTED;
    return { request: found.request, company: found.company, rule: REVIEW_RULE_LABELS[review.rule] };
  },
  email: ({ request, company, rule }, { contactPhone, siteUrl }) => ({
    subject: `We've hidden your review of ${company}`,
    parts: [
      "Hello,",
      `We've hidden your review of ${company}, about your request for ${describeJob(request)}. ${rule}.`,
      "We hide a review only by one of our published rules.",
      ...(siteUrl ? [{ link: `${siteUrl}/reviews`, words: "Read the Rules" }] : []),
      `Did we get it wrong? Call us on ${contactPhone}, and we'll look at it again.`,
    ],
  }),
  text: ({ company, rule }, reach) => hiddenReviewText(company, rule, reach),
});

/** Goes to the reviewed business's address. */
export const reviewEmail = mailMessage({
  name: "review_email",
  reason: "A customer reviewed their business, and they can reply.",
  lifetimeMs: 3 * DAY_MS,
  key: ({ purchaseId }: { purchaseId: string }) => purchaseId,
  load: async (loading) => {
    const { db, message } = loading;
    const account = await findActiveAccount(loading);
    const [row] = await db
      .select({
        stars: reviews.stars,
        lead: {
          serviceType: leads.serviceType,
          suburbName: leads.suburbName,
          suburbPostcode: leads.suburbPostcode,
        },
      })
      .from(reviews)
      .innerJoin(leads, eq(leads.id, reviews.leadId))
      .where(eq(reviews.purchaseId, message.payload.purchaseId ?? ""));
    if (!account || !row?.stars) return UNWANTED;
    return { firstName: account.firstName, request: labelsOf(row.lead), stars: row.stars };
  },
  email: ({ firstName, request, stars }, { siteUrl }) => ({
    subject: `You have a new review: ${formatStars(stars)}`,
    parts: [
      greetingOf(firstName),
      `A customer has reviewed your business after their request for ${describeJob(request)}. They gave you ${formatStars(stars)}.`,
      siteUrl
        ? { link: `${siteUrl}/my-reviews`, words: "Read it and reply" }
        : "You can read it and reply under Reviews.",
      "Everyone can read your reply, below the review.",
    ],
  }),
});

/** A review of a business. */
type OfReview = OfPurchase & { businessId: string };

const toReviewed = ({ businessId }: OfReview) => toDevices(eq(pushDevices.userId, businessId));

export const reviewWritten = pushMessage({
  name: "review_written",
  reason: "A customer reviewed their business, and they can reply.",
  lifetimeMs: DAY_MS,
  to: toReviewed,
  key: ({ purchaseId }: OfReview) => purchaseId,
  waitsForQuietHours: true,
  load: async (loading) => {
    const { db, message, recipient } = loading;
    const found = await findOwnLead(loading);
    const [review] = await db
      .select({ stars: reviews.stars })
      .from(reviews)
      .where(
        and(
          eq(reviews.purchaseId, message.payload.purchaseId ?? ""),
          eq(reviews.businessId, recipient.userId),
        ),
      );
    return found && review?.stars ? { ...found.shown, stars: review.stars } : UNWANTED;
  },
  push: ({ summary, stars, origin }) => ({
    title: `You have a new review: ${formatStars(stars)}`,
    body: factsOf(summary),
    navigate: `${origin}/my-reviews`,
    ...replacing(`review-${summary.id}`, "normal"),
  }),
});

export const ownReviewHidden = pushMessage({
  name: "own_review_hidden",
  reason: "An admin hid a review of their business.",
  lifetimeMs: DAY_MS,
  to: toReviewed,
  key: ({ purchaseId, at }: OfReview & { at: number }) => `${purchaseId}:${at}`,
  waitsForQuietHours: true,
  load: async (loading) => {
    const { db, message, recipient } = loading;
    const found = await findOwnLead(loading);
    // The admin may have shown it again.
    const isHidden = and(
      eq(reviews.purchaseId, message.payload.purchaseId ?? ""),
      eq(reviews.businessId, recipient.userId),
      isNotNull(reviews.hiddenRule),
    );
    return found && (await db.$count(reviews, isHidden)) > 0 ? found.shown : UNWANTED;
  },
  push: ({ summary, origin }) => ({
    title: "We've hidden a review of your business",
    body: factsOf(summary),
    navigate: `${origin}/my-reviews`,
    ...replacing(`review-${summary.id}`, "normal"),
  }),
});
