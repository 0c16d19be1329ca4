/** Records what a customer does after the sale, for the business that bought the request. */
import { and, eq, exists, isNull, ne, type SQL, sql } from "drizzle-orm";

import type { CustomerChange, CustomerUpdateKind } from "../../../contract/request-links.ts";
import { notifyRoom } from "../../live/room.ts";
import { enqueue } from "../../outbox/commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { customerUpdates, leadPurchases, leads } from "../../platform/db/schema.ts";
import { newId } from "../../platform/ids.ts";
import { customerUpdate } from "./messages.ts";

/** Maximum updates of a kind for one buyer. Anyone may have the link. */
export const MAX_UPDATES = 50;

/** `id`: a stable one makes a repeat harmless. */
type CustomerUpdate = {
  id?: string;
  leadId: string;
  kind: CustomerUpdateKind;
  changes?: readonly CustomerChange[];
};

/**
 * Returns the statements that store a customer's act and mark the purchase as changed. Without a buyer they change
 * nothing, nor after `MAX_UPDATES` of a kind. The second statement returns the purchase.
 * @param when a condition on the lead's row before the batch's own change
 */
export function recordCustomerUpdate(
  db: Db,
  { id = newId("upd"), leadId, kind, changes = [] }: CustomerUpdate,
  now: number,
  when?: SQL,
) {
  const bought = and(
    eq(leadPurchases.leadId, leadId),
    ne(leadPurchases.paymentStatus, "refunded"),
    isNull(leadPurchases.removedAt),
  );
  const hasRoom = sql`(SELECT count(*) FROM customer_updates
    WHERE lead_id = ${leadId} AND kind = ${kind}) < ${MAX_UPDATES}`;
  const isRecorded = exists(
    db
      .select({ id: customerUpdates.id })
      .from(customerUpdates)
      .where(and(eq(customerUpdates.id, id), eq(customerUpdates.at, now))),
  );
  return [
    db
      .insert(customerUpdates)
      .select(
        db
          .select({
            id: sql`${id}`.as("id"),
            leadId: sql`${leadPurchases.leadId}`.as("lead_id"),
            kind: sql`${kind}`.as("kind"),
            changes: sql`${JSON.stringify(changes)}`.as("changes"),
            at: sql`${now}`.as("at"),
          })
          .from(leadPurchases)
          .innerJoin(leads, eq(leads.id, leadPurchases.leadId))
          .where(and(bought, hasRoom, when)),
      )
      .onConflictDoNothing(),
    db
      .update(leadPurchases)
      .set({ updatedAt: nextUpdatedAt(now) })
      .where(and(bought, isRecorded))
      .returning({ purchaseId: leadPurchases.id, businessId: leadPurchases.buyerId }),
  ] as const;
}

/** Like `recordCustomerUpdate`, and enqueues the alert to the buyer's devices. */
export function announceCustomerUpdate(db: Db, update: CustomerUpdate, now: number, when?: SQL) {
  const id = update.id ?? newId("upd");
  const alert = enqueue(db, customerUpdate, { updateId: id }, now);
  return [...recordCustomerUpdate(db, { ...update, id }, now, when), alert] as const;
}

/** Notifies the buyer's open windows of a recorded act. */
export async function notifyBuyerOfUpdate(
  context: Context,
  purchases: readonly { purchaseId: string; businessId: string }[],
): Promise<void> {
  for (const { purchaseId, businessId } of purchases)
    await notifyRoom(context, { businessId, userId: "system" }, purchaseId);
}
