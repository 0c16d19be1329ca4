/** Tells the buyer of a request what its customer did after the sale. */
import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";

import type { CustomerChange, CustomerUpdateKind } from "../../../contract/request-links.ts";
import { notifyRoom } from "../../live/room.ts";
import { enqueueCustomerUpdate } from "../../outbox/lead-commands.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { customerUpdates, leadPurchases } from "../../platform/db/schema.ts";

/** `when`: an extra condition. `id`: a stable one makes a repeat harmless. */
type CustomerUpdate = {
  id: string;
  leadId: string;
  kind: CustomerUpdateKind;
  changes?: readonly CustomerChange[];
  when?: SQL | undefined;
};

/**
 * Returns the statements that store a customer's update for the buyer's timeline and enqueue the alert to the buyer's
 * devices. Without a buyer they change nothing. After the batch, call `notifyBuyer`.
 */
export function customerUpdateStatements(db: Db, update: CustomerUpdate, now: number) {
  const { id, leadId, kind, changes = [], when } = update;
  const ownPurchase = and(eq(leadPurchases.leadId, leadId), isNull(leadPurchases.removedAt));
  const row = {
    id: sql`${id}`.as("id"),
    leadId: leadPurchases.leadId,
    kind: sql`${kind}`.as("kind"),
    changes: sql`${JSON.stringify(changes)}`.as("changes"),
    at: sql`${now}`.as("at"),
  };
  const isStored = exists(
    db
      .select({ id: customerUpdates.id })
      .from(customerUpdates)
      .where(and(eq(customerUpdates.id, id), eq(customerUpdates.at, now))),
  );
  return [
    db
      .insert(customerUpdates)
      .select(db.select(row).from(leadPurchases).where(and(ownPurchase, when)))
      .onConflictDoNothing(),
    enqueueCustomerUpdate(db, id, now),
    db
      .update(leadPurchases)
      .set({ updatedAt: nextUpdatedAt(now) })
      .where(and(ownPurchase, isStored)),
  ] as const;
}

/** Notifies the buyer's open windows. A window that misses the notice catches up when it reconnects. */
export async function notifyBuyer(context: Context, leadId: string): Promise<void> {
  const bought = await context.db
    .select({ purchaseId: leadPurchases.id, businessId: leadPurchases.buyerId })
    .from(leadPurchases)
    .where(and(eq(leadPurchases.leadId, leadId), isNull(leadPurchases.removedAt)));
  for (const { purchaseId, businessId } of bought)
    await notifyRoom(context, { businessId, userId: "system" }, purchaseId);
}
