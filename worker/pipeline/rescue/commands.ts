/** Passes on a request whose buyer did not call. */
import { and, eq, isNotNull, sql } from "drizzle-orm";

import { raiseAttention } from "../../outbox/attention-commands.ts";
import type { Context } from "../../platform/context.ts";
import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { leadPurchases } from "../../platform/db/schema.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";

/**
 * Passes on the request of a purchase: its call clock has run out, and the customer says that no call came. Safe to
 * repeat.
 * @throws Error if D1 is unavailable. The sweep retries.
 */
export async function startRescue(context: Context, purchase: PurchaseRow, now: number): Promise<void> {
  const { db } = context;
  const { id, leadId } = purchase;
  const detail = "The provider did not call. Please find the customer another one.";
  await raiseAttention(db, "rescue_needed", leadId, detail, now);
  const state = JSON.stringify({ state: "rescued", rescuedAt: now });
  await db
    .update(leadPurchases)
    .set({
      callClock: sql`json_patch(coalesce(${leadPurchases.callClock}, '{}'), ${state})`,
      clockDueAt: null,
      updatedAt: nextUpdatedAt(now),
    })
    .where(and(eq(leadPurchases.id, id), isNotNull(leadPurchases.clockEndsAt)));
}
