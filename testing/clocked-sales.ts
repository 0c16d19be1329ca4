/** Sales with a call clock, as the market leaves them. */
import { eq } from "drizzle-orm";

import { clockEnd } from "../contract/call-clock.ts";
import { DAY_MS, HOUR_MS } from "../contract/durations.ts";
import { REVIEW_AFTER_DAYS } from "../contract/reviews.ts";
import type { Db } from "../worker/platform/db/client.ts";
import { leadPurchases, leads, type reviews } from "../worker/tables.ts";
import { newId } from "../worker/platform/ids.ts";
import type { UserRow } from "../worker/platform/caller.ts";
import { insertPendingLead, insertReview } from "./world.ts";

type Purchase = Partial<typeof leadPurchases.$inferInsert> & { purchasedAt: number };

/**
 * Stores a request and its sale with a call clock. The request is an hour older than the sale.
 * @returns the purchase's id
 */
export async function insertClockedSale(
  db: Db,
  buyer: UserRow,
  purchase: Purchase,
  lead: Partial<typeof leads.$inferInsert> = {},
): Promise<string> {
  const { purchasedAt } = purchase;
  const { id: leadId, urgency } = await insertPendingLead(db, {}, lead.createdAt ?? purchasedAt - HOUR_MS);
  const sold = { status: "sold", listingState: "closed", exchangeVersion: 2, confirmedBy: "email" } as const;
  await db
    .update(leads)
    .set({ ...sold, quarantineReasons: [], ...lead })
    .where(eq(leads.id, leadId));
  const id = newId("pur");
  await db.insert(leadPurchases).values({
    id,
    leadId,
    buyerId: buyer.id,
    boughtByUserId: buyer.id,
    buyerName: `${buyer.firstName} ${buyer.lastName}`,
    buyerCompany: buyer.companyName,
    mode: "stripe",
    amountPaidCents: 5000,
    paymentStatus: "completed",
    clockEndsAt: clockEnd(purchasedAt, urgency),
    updatedAt: purchasedAt,
    ...purchase,
  });
  return id;
}

/** Stores a sale and its review, written two weeks after it. @returns the review's id */
export async function insertReviewedSale(
  db: Db,
  business: UserRow,
  review: Partial<typeof reviews.$inferInsert> & { writtenAt: number; stars: number },
): Promise<string> {
  const purchasedAt = review.writtenAt - REVIEW_AFTER_DAYS * DAY_MS;
  return insertReview(db, await insertClockedSale(db, business, { purchasedAt }), review);
}
