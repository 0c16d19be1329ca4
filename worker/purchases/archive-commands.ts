import { laterThanBefore } from "../db/later-than-before.ts";
import { findPurchase } from "./sold-queries.ts";
import type { Act } from "../audit/act.ts";
import { and, eq, gte, isNull } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { leadPurchases } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import { forgetAnswers } from "../answers/commands.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { purchaseLog } from "./commands.ts";
import { findAnyPurchase } from "./queries.ts";
import { archiving, isClosed, type PurchaseRow, UNDO_WITHIN_MS } from "./rules.ts";

function notFound(): DomainError {
  return new DomainError("not_found", "Purchase not found");
}

/** Writes a change of a purchase's place with its line in the log; null when somebody was faster. */
async function write(
  db: Db,
  row: PurchaseRow,
  action: string,
  change: Partial<PurchaseRow>,
  by: Act,
): Promise<PurchaseRow | null> {
  // As it was looked at: a stage moved meanwhile decides whether archiving finishes the job.
  const asSeen = and(
    eq(leadPurchases.id, row.id),
    eq(leadPurchases.salesStage, row.salesStage),
    eq(leadPurchases.isArchived, row.isArchived),
    isNull(leadPurchases.removedAt),
  );
  const log = purchaseLog(db, by, { action, id: row.id, after: change }, asSeen);
  const update = db
    .update(leadPurchases)
    .set({ ...change, updatedAt: laterThanBefore(by.now) })
    .where(asSeen)
    .returning();
  const [, [written]] = await db.batch([log, update]);
  return written ?? null;
}

/** Looks, decides and writes; again when somebody moved the purchase in between. */
async function change(
  db: Db,
  scope: BusinessScope,
  id: string,
  by: Act,
  decide: (row: PurchaseRow) => { action: string; change: Partial<PurchaseRow> } | null,
): Promise<PurchaseRow> {
  for (;;) {
    const row = await findPurchase(db, scope, id);
    if (!row) throw notFound();
    const decision = decide(row);
    if (!decision) return row;
    const written = await write(db, row, decision.action, decision.change, by);
    if (written) return written;
  }
}

/**
 * Puts a purchase away; its data is kept. A paid job is finished with it. Archiving twice changes nothing.
 * @throws DomainError not_found
 */
export function archivePurchase(db: Db, scope: BusinessScope, id: string, by: Act): Promise<PurchaseRow> {
  return change(db, scope, id, by, (row) =>
    row.isArchived ? null : { action: "purchase.archive", change: archiving(row, by.now) },
  );
}

/** Takes back the removal of a lead added by hand, for whoever removed it and a moment after; null otherwise. */
async function unremove(db: Db, scope: BusinessScope, id: string, by: Act): Promise<PurchaseRow | null> {
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
      .set({ ...change, updatedAt: laterThanBefore(by.now) })
      .where(removed)
      .returning(),
  ]);
  return row ?? null;
}

/**
 * Brings a purchase back to the stage it was put away from, or one that was removed a moment ago.
 * @throws DomainError not_found
 */
export async function restorePurchase(
  db: Db,
  scope: BusinessScope,
  id: string,
  by: Act,
): Promise<PurchaseRow> {
  const unremoved = await unremove(db, scope, id, by);
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
 * Takes a purchase out of its pipeline; whoever did may take that back for a moment. The row stays, and its lead is never listed again. An
 * owner removes what they added by hand; what was bought only a super admin, in anybody's pipeline.
 * @returns whose pipeline it was
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
  if (!row) throw notFound();
  if (row.mode !== "manual" && !isSuperAdmin) {
    throw new DomainError("forbidden", "Bought leads can be archived, not removed.");
  }
  const present = and(eq(leadPurchases.id, id), isNull(leadPurchases.removedAt));
  const after = { businessId: row.buyerId, leadId: row.leadId, mode: row.mode };
  const log = purchaseLog(db, by, { action: "purchase.remove", id, after }, present);
  const remove = db
    .update(leadPurchases)
    .set({ removedAt: by.now, removedByUserId: scope.userId, updatedAt: laterThanBefore(by.now) })
    .where(present);
  // What its customer wrote back goes with it: nobody has it any more.
  await db.batch([log, remove, forgetAnswers(db, [id])]);
  return { businessId: row.buyerId };
}
