/** Finds customers to ask for a review, and a business's ratings. */
import { and, count, eq, isNotNull, type SQL, sql } from "drizzle-orm";

import type { CallClock } from "../../contract/call-clock.ts";
import type { Db } from "../platform/db/client.ts";
import { type leadPurchases, reviews } from "../platform/db/schema.ts";
import type { LeadRow } from "./rules.ts";

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

/** SQL: a business's written reviews. Repeats the condition of the partial index, or SQLite does not use it. */
export const writtenFor = (businessId: string) =>
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
