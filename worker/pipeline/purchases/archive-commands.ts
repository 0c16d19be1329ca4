import { and, eq } from "drizzle-orm";

import type { Act } from "../../identity/audit/act.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { withdrawPhotos } from "../../leads/photos/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { asRead } from "../../platform/db/next-updated-at.ts";
import { leadPurchases } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { archiveColumns, type PurchaseRow } from "../../selling/purchases/rules.ts";
import { deleteAnswers } from "../answers/commands.ts";
import { changePurchase, logPurchase, requirePurchase } from "./commands.ts";
import { findAnyPurchase } from "./queries.ts";
import { decideRestore, type PurchaseChange } from "./rules.ts";

const notFoundError = () => new DomainError("not_found", "Purchase not found");

/** Writes a change of a purchase and its audit log entry. */
async function writeChange(
  db: Db,
  row: PurchaseRow,
  { action, change }: PurchaseChange,
  by: Act,
): Promise<PurchaseRow> {
  const [[written]] = await guardedBatch(db, asRead(row), [
    changePurchase(db, row, change, by.now),
    logPurchase(db, row, by, { action, after: change }),
  ]);
  return written!;
}

/**
 * Archives a purchase and keeps its data. Also finalises a paid job. A repeated call changes nothing.
 * @throws DomainError not_found
 */
export function archivePurchase(db: Db, scope: BusinessScope, id: string, by: Act): Promise<PurchaseRow> {
  return retryIfChanged(async () => {
    const row = await requirePurchase(db, scope, id);
    if (row.isArchived) return row;
    return writeChange(db, row, { action: "purchase.archive", change: archiveColumns(row, by.now) }, by);
  });
}

/**
 * Restores a closed purchase to its stage, or undoes the removal of a manually added lead within a few minutes.
 * @throws DomainError not_found
 */
export function restorePurchase(db: Db, scope: BusinessScope, id: string, by: Act): Promise<PurchaseRow> {
  const own = and(eq(leadPurchases.id, id), eq(leadPurchases.buyerId, scope.businessId));
  return retryIfChanged(async () => {
    const [row] = await db.select().from(leadPurchases).where(own);
    const decision = row ? decideRestore(row, scope.userId, by.now) : "gone";
    if (!row || decision === "gone") throw notFoundError();
    return decision ? writeChange(db, row, decision, by) : row;
  });
}

/**
 * Removes a purchase from its business's pipeline. A user who removes a manually added lead can undo that for a few
 * minutes. The row stays, and the lead is never listed again. Owners can only remove manually added leads. A super
 * admin can remove any purchase from any pipeline.
 * @returns the business that the purchase belonged to
 * @throws DomainError not_found, forbidden
 */
export function removePurchase(
  db: Db,
  scope: BusinessScope,
  id: string,
  isSuperAdmin: boolean,
  by: Act,
): Promise<{ businessId: string }> {
  return retryIfChanged(async () => {
    const row = isSuperAdmin ? await findAnyPurchase(db, id) : await requirePurchase(db, scope, id);
    if (!row) throw notFoundError();
    const { buyerId: businessId, leadId, mode } = row;
    if (mode !== "manual" && !isSuperAdmin)
      throw new DomainError("forbidden", "You can archive leads you bought, but not remove them.");
    const change = { removedAt: by.now, removedByUserId: scope.userId };
    await guardedBatch(db, asRead(row), [
      changePurchase(db, row, change, by.now),
      logPurchase(db, row, by, { action: "purchase.remove", after: { businessId, leadId, mode } }),
      // Delete the customer's replies as well, because they no longer belong to any business.
      deleteAnswers(db, [id]),
      withdrawPhotos(db, id),
    ]);
    return { businessId };
  });
}
