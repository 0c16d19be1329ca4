import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import type { Act } from "../../identity/audit/act.ts";
import { and, eq, gte, isNull } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { leadPurchases } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { deleteAnswers } from "../answers/commands.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { purchaseLog } from "./commands.ts";
import { findAnyPurchase } from "./queries.ts";
import { withdrawPhotos } from "../../leads/photos/commands.ts";
import { archiveColumns, isClosed, type PurchaseRow, UNDO_WITHIN_MS } from "../../selling/purchases/rules.ts";

function notFoundError(): DomainError {
  return new DomainError("not_found", "Purchase not found");
}

/** Writes a change of a purchase and its audit log line. Returns null if a concurrent write came first. */
async function writeChange(
  db: Db,
  row: PurchaseRow,
  action: string,
  change: Partial<PurchaseRow>,
  by: Act,
): Promise<PurchaseRow | null> {
  // Compare-and-set: only if the row is unchanged since the read. If the stage has changed, archiving may have to
  // finalise the purchase.
  const isUnchanged = and(
    eq(leadPurchases.id, row.id),
    eq(leadPurchases.salesStage, row.salesStage),
    eq(leadPurchases.isArchived, row.isArchived),
    isNull(leadPurchases.removedAt),
  );
  const log = purchaseLog(db, by, { action, id: row.id, after: change }, isUnchanged);
  const update = db
    .update(leadPurchases)
    .set({ ...change, updatedAt: nextUpdatedAt(by.now) })
    .where(isUnchanged)
    .returning();
  const [, [written]] = await db.batch([log, update]);
  return written ?? null;
}

/** Reads a purchase, decides on a change and writes it. Retries if the purchase changed in between. */
async function change(
  db: Db,
  scope: BusinessScope,
  id: string,
  by: Act,
  decide: (row: PurchaseRow) => { action: string; change: Partial<PurchaseRow> } | null,
): Promise<PurchaseRow> {
  for (;;) {
    const row = await findPurchase(db, scope, id);
    if (!row) throw notFoundError();
    const decision = decide(row);
    if (!decision) return row;
    const written = await writeChange(db, row, decision.action, decision.change, by);
    if (written) return written;
  }
}

/**
 * Archives a purchase and keeps its data. Also finalises a paid job. A repeated call changes nothing.
 * @throws DomainError not_found
 */
export function archivePurchase(db: Db, scope: BusinessScope, id: string, by: Act): Promise<PurchaseRow> {
  return change(db, scope, id, by, (row) =>
    row.isArchived ? null : { action: "purchase.archive", change: archiveColumns(row, by.now) },
  );
}

/**
 * Undoes the removal of a manually added lead, within a few minutes and only for the user who removed it. Otherwise
 * returns null.
 */
async function undoRemoval(db: Db, scope: BusinessScope, id: string, by: Act): Promise<PurchaseRow | null> {
  const removed = and(
    eq(leadPurchases.id, id),
    eq(leadPurchases.buyerId, scope.businessId),
    eq(leadPurchases.mode, "manual"),
    eq(leadPurchases.removedByUserId, scope.userId),
    gte(leadPurchases.removedAt, by.now - UNDO_WITHIN_MS),
  );
  const change = { removedAt: null, removedByUserId: null };
  const [, [row]] = await db.batch([
    purchaseLog(db, by, { action: "purchase.unremove", id, after: change }, removed),
    db
      .update(leadPurchases)
      .set({ ...change, updatedAt: nextUpdatedAt(by.now) })
      .where(removed)
      .returning(),
  ]);
  return row ?? null;
}

/**
 * Restores a closed purchase to its stage, or undoes a removal within a few minutes.
 * @throws DomainError not_found
 */
export async function restorePurchase(
  db: Db,
  scope: BusinessScope,
  id: string,
  by: Act,
): Promise<PurchaseRow> {
  const unremoved = await undoRemoval(db, scope, id, by);
  if (unremoved) return unremoved;
  return change(db, scope, id, by, (row) =>
    isClosed(row)
      ? {
          action: "purchase.restore",
          change: { isArchived: false, archivedAt: null, finalisedAt: null },
        }
      : null,
  );
}

/**
 * Removes a purchase from its business's pipeline. A user who removes a manually added lead can undo that for a few
 * minutes. The row stays, and the lead is never listed again. Owners can only remove manually added leads. A super
 * admin can remove any purchase from any pipeline.
 * @returns the business that the purchase belonged to
 * @throws DomainError not_found, forbidden
 */
export async function removePurchase(
  db: Db,
  scope: BusinessScope,
  id: string,
  isSuperAdmin: boolean,
  by: Act,
): Promise<{ businessId: string }> {
  const row = isSuperAdmin ? await findAnyPurchase(db, id) : await findPurchase(db, scope, id);
  if (!row) throw notFoundError();
  if (row.mode !== "manual" && !isSuperAdmin) {
    throw new DomainError("forbidden", "You can archive leads you bought, but not remove them.");
  }
  const present = and(eq(leadPurchases.id, id), isNull(leadPurchases.removedAt));
  const after = { businessId: row.buyerId, leadId: row.leadId, mode: row.mode };
  const log = purchaseLog(db, by, { action: "purchase.remove", id, after }, present);
  const remove = db
    .update(leadPurchases)
    .set({ removedAt: by.now, removedByUserId: scope.userId, updatedAt: nextUpdatedAt(by.now) })
    .where(present);
  // Delete the customer's replies as well, because they no longer belong to any business.
  await db.batch([log, remove, deleteAnswers(db, [id]), withdrawPhotos(db, id)]);
  return { businessId: row.buyerId };
}
