/** Reads reviews: for everyone, for the customer, for the business and for admins. */
import { and, asc, count, desc, eq, isNotNull, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import { calledOffId } from "../../leads/customer-update-queries.ts";

import type { CallClock } from "../../../contract/call-clock.ts";
import {
  type AdminReview,
  type AdminReviewList,
  type CustomerReview,
  type OwnReview,
  type PublicReviews,
  REVIEWS_PER_PAGE,
  type ReviewTotals,
} from "../../../contract/reviews.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { businessName } from "../../identity/providers/queries.ts";
import { BUYER_NAMES, publicName } from "../../leads/public-name.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { findRequestByToken } from "../../leads/request-link-store.ts";
import type { Db } from "../../platform/db/client.ts";
import { type After, olderThan } from "../../platform/db/sql.ts";
import { reviews } from "../tables.ts";
import { leads } from "../../platform/db/leads.ts";
import { customerUpdates, leadPurchases } from "../../platform/db/purchases.ts";
import { suburbs } from "../../platform/db/suburbs.ts";
import { users } from "../../platform/db/users.ts";

/** SQL: a business's written reviews. Repeats the condition of the partial index, or SQLite does not use it. */
const writtenFor = (businessId: string) =>
  and(eq(reviews.businessId, businessId), isNotNull(reviews.writtenAt));

/** Returns the query for a business's reviews: the mean of all shown ones, and how many are written and hidden. */
export const selectReviewTotals = (db: Db, businessId: string) =>
  db
    .select({
      mean: sql<number | null>`avg(CASE WHEN ${reviews.hiddenRule} IS NULL THEN ${reviews.stars} END)`,
      written: count(),
      hidden: count(reviews.hiddenRule),
    })
    .from(reviews)
    .where(writtenFor(businessId));

const SHOWN = {
  id: reviews.id,
  stars: sql<number>`${reviews.stars}`,
  words: reviews.words,
  name: reviews.customerName,
  suburb: suburbs.name,
  service: reviews.serviceType,
  at: sql<number>`${reviews.writtenAt}`,
  reply: reviews.reply,
};

/**
 * Returns a business's reviews for public display: the mean and the count of all shown reviews, the count of hidden
 * ones, and one page of the list.
 * @param page from 1
 */
export async function readPublicReviews(db: Db, businessId: string, page = 1): Promise<PublicReviews> {
  const isShown = and(writtenFor(businessId), isNull(reviews.hiddenRule));
  const [[totals], rows] = await db.batch([
    selectReviewTotals(db, businessId),
    db
      .select(SHOWN)
      .from(reviews)
      .leftJoin(suburbs, eq(suburbs.id, reviews.suburbId))
      .where(isShown)
      .orderBy(desc(reviews.writtenAt), desc(reviews.id))
      .limit(REVIEWS_PER_PAGE)
      .offset((page - 1) * REVIEWS_PER_PAGE),
  ]);
  const { mean = null, written = 0, hidden = 0 } = totals ?? {};
  return { mean, shown: written - hidden, hidden, reviews: rows };
}

const IN_LIST: Readonly<Record<AdminReviewList, ReturnType<typeof and>>> = {
  // Each repeats a condition of the partial index.
  flagged: and(sql`flag IS NOT NULL`, isNotNull(reviews.writtenAt)),
  hidden: and(sql`hidden_rule IS NOT NULL`, isNotNull(reviews.writtenAt)),
  all: isNotNull(reviews.writtenAt),
};

/** Counts all reviews that were written, and the hidden ones by rule. */
export async function countReviews(db: Db): Promise<ReviewTotals> {
  const [[all], hidden] = await db.batch([
    db.select({ written: count() }).from(reviews).where(isNotNull(reviews.writtenAt)),
    db
      .select({ rule: reviews.hiddenRule, n: count() })
      .from(reviews)
      .where(IN_LIST.hidden)
      .groupBy(reviews.hiddenRule),
  ]);
  return { written: all?.written ?? 0, hidden: Object.fromEntries(hidden.map(({ rule, n }) => [rule, n])) };
}

/**
 * SQL: the buyer got a free claim that rules out a review. The customer knows whether they were called, so a free claim
 * for unanswered calls does not count.
 * @param purchaseId the column of the outer query
 */
export const hasVoidingClaim = (purchaseId: "lead_purchases.id" | "reviews.purchase_id") =>
  (
    sql.raw(`EXISTS (SELECT 1 FROM guarantee_cases
      WHERE guarantee_cases.purchase_id = ${purchaseId} AND guarantee_cases.state = 'granted'
        AND guarantee_cases.rule <> 'no_answer')`) as SQL<boolean>
  ).mapWith(Boolean);

type AskedPurchase = Pick<typeof leadPurchases.$inferSelect, "removedAt" | "paymentStatus"> & {
  callClock: CallClock | null;
};

/**
 * Returns whether we invite the customer of a purchase to review the buyer. False after a removal, a refund or a
 * deletion of the customer's details, if the customer never asked for a quote, or if the request was passed on because
 * the buyer did not call.
 * @param isExcluded the customer called off the job, or the buyer got a free claim by a rule other than `no_answer`
 */
export function canInviteReview(
  { removedAt, paymentStatus, callClock }: AskedPurchase,
  { erasedAt }: Pick<LeadRow, "erasedAt">,
  isExcluded: boolean,
): boolean {
  const isSold = removedAt === null && paymentStatus !== "refunded";
  const isGenuineSale = callClock?.answer !== "never_asked" && callClock?.rescuedAt === undefined;
  return isSold && isGenuineSale && erasedAt === null && !isExcluded;
}

/** SQL: the business got a free claim for the reviewed purchase, other than for unanswered calls. */
export const isVoid = hasVoidingClaim("reviews.purchase_id");

/**
 * Returns the review that a link to a request opens, with its lead and purchase; null for an unknown link and before
 * the invitation. After a rescue it is the second buyer's.
 */
export async function findReviewByToken(db: Db, token: string) {
  const found = await findRequestByToken(db, token);
  if (!found) return null;
  const [row] = await db
    .select({
      review: reviews,
      isVoid,
      purchase: { phone: leadPurchases.buyerPhone, email: leadPurchases.buyerEmail },
      provider: BUYER_NAMES,
    })
    .from(reviews)
    .innerJoin(leadPurchases, eq(leadPurchases.id, reviews.purchaseId))
    .innerJoin(users, eq(users.id, reviews.businessId))
    // An admin may have removed the purchase, and another business may have bought the lead since.
    .where(and(eq(leadPurchases.leadId, found.lead.id), isNull(leadPurchases.removedAt)))
    .orderBy(desc(leadPurchases.purchasedAt))
    .limit(1);
  return row ? { ...row, lead: found.lead } : null;
}
export type FoundReview = NonNullable<Awaited<ReturnType<typeof findReviewByToken>>>;

/** Returns a review as its customer sees it. */
export function toCustomerReview({ review, isVoid, provider }: FoundReview, now: number): CustomerReview {
  const { stars, words, reply, hiddenRule, endsAt, writtenAt, serviceType } = review;
  const isOpen = writtenAt === null && now < endsAt && !isVoid;
  return {
    provider: publicName(provider),
    service: serviceType,
    isOpen,
    stars,
    words,
    reply,
    hiddenRule,
    endsAt,
  };
}

/** Returns the owner of a business and its team, also removed members. */
export function listPeople(db: Db, businessId: string) {
  return db
    .select()
    .from(users)
    .where(or(eq(users.id, businessId), eq(users.teamOwnerId, businessId)));
}

/** Returns the purchases whose customer is to be asked for a review, earliest first. */
export function listDueReviews(db: Db, now: number, limit: number) {
  const calledOff = db
    .select({ id: customerUpdates.id })
    .from(customerUpdates)
    .where(sql`${customerUpdates.id} = ${calledOffId("")} || ${leadPurchases.leadId}`);
  return (
    db
      .select({
        purchase: leadPurchases,
        lead: { erasedAt: leads.erasedAt, serviceType: leads.serviceType },
        isExcluded: sql<number>`${hasVoidingClaim("lead_purchases.id")} OR EXISTS ${calledOff}`,
      })
      .from(leadPurchases)
      .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
      // Repeats the condition of the partial index, or SQLite does not use it.
      .where(and(isNotNull(leadPurchases.reviewDueAt), lte(leadPurchases.reviewDueAt, now)))
      .orderBy(asc(leadPurchases.reviewDueAt))
      .limit(limit)
  );
}
export type DueReview = Awaited<ReturnType<typeof listDueReviews>>[number];

const OWN = { ...SHOWN, createdAt: SHOWN.at, hiddenRule: reviews.hiddenRule };

/** Returns a business's reviews for the business, newest first. */
export async function listOwnReviews(
  db: Db,
  scope: BusinessScope,
  page: { after: After; limit: number },
): Promise<OwnReview[]> {
  const rows = await db
    .select(OWN)
    .from(reviews)
    .leftJoin(suburbs, eq(suburbs.id, reviews.suburbId))
    .where(and(writtenFor(scope.businessId), olderThan(reviews.writtenAt, reviews.id, page.after)))
    .orderBy(desc(reviews.writtenAt), desc(reviews.id))
    .limit(page.limit);
  return rows;
}

/** Returns all businesses' reviews, newest first. */
export async function listReviews(
  db: Db,
  { list, after, limit }: { list: AdminReviewList; after: After; limit: number },
): Promise<AdminReview[]> {
  const rows = await db
    .select({
      ...OWN,
      businessId: reviews.businessId,
      leadId: reviews.leadId,
      purchaseId: reviews.purchaseId,
      flag: reviews.flag,
      businessName,
    })
    .from(reviews)
    .innerJoin(users, eq(users.id, reviews.businessId))
    .leftJoin(suburbs, eq(suburbs.id, reviews.suburbId))
    .where(and(IN_LIST[list], olderThan(reviews.writtenAt, reviews.id, after)))
    .orderBy(desc(reviews.writtenAt), desc(reviews.id))
    .limit(limit);
  return rows;
}
