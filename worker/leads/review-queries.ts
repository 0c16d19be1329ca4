/** Who is asked for a review. */
import { and, eq, isNull, sql } from "drizzle-orm";

import type { CallClock } from "../../contract/call-clock.ts";
import type { Db } from "../platform/db/client.ts";
import { freeClaims, leadPurchases } from "../platform/db/schema.ts";
import type { LeadRow } from "./rules.ts";

/** Selects the free claim that stops the invitation to review a purchase. For the EXISTS of a query of purchases. */
export const selectFreeClaim = (db: Db) =>
  db
    .select({ id: freeClaims.id })
    .from(freeClaims)
    .where(
      and(
        eq(freeClaims.purchaseId, leadPurchases.id),
        isNull(freeClaims.revokedAt),
        // The customer knows whether they were called. A free claim for unanswered calls does not stop the invitation.
        sql`NOT EXISTS (SELECT 1 FROM guarantee_cases
          WHERE guarantee_cases.purchase_id = lead_purchases.id AND guarantee_cases.rule = 'no_answer')`,
      ),
    );

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
