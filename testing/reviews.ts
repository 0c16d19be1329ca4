/** Reviews as customers leave them. */
import { DAY_MS } from "../contract/durations.ts";
import { eq } from "drizzle-orm";
import type { Db } from "../worker/platform/db/client.ts";
import { leadPurchases, reviews } from "../worker/platform/db/schema.ts";
import type { UserRow } from "../worker/platform/session.ts";
import { insertClockedSale } from "./clocked-sales.ts";

/** Stores a sale and its review, written two weeks after it. @returns the review's id */
export async function insertReview(
  db: Db,
  business: UserRow,
  review: Partial<typeof reviews.$inferInsert> & { writtenAt: number; stars: number },
): Promise<string> {
  const purchasedAt = review.writtenAt - 14 * DAY_MS;
  const purchaseId = await insertClockedSale(db, business, { purchasedAt });
  const [sale] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, purchaseId));
  const id = `rev_${purchaseId}`;
  await db.insert(reviews).values({
    id,
    purchaseId,
    leadId: sale!.leadId,
    businessId: business.id,
    invitedAt: review.writtenAt,
    endsAt: review.writtenAt + 60 * DAY_MS,
    words: "Neat edges, and on time.",
    customerName: "Anna",
    serviceType: "lawn_mowing",
    updatedAt: review.writtenAt,
    ...review,
  });
  return id;
}
