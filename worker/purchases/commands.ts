import type { Act } from "../audit/act.ts";
import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";

import type { PurchaseUpdate } from "../../contract/purchases.ts";
import type { SalesStage } from "../../contract/stages.ts";
import { auditWhen } from "../audit/commands.ts";
import type { Db } from "../db/client.ts";
import { leadPurchases, stageChanges } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { findPurchaseDetail } from "./queries.ts";
import { changesOf, isClosed, isLogged, type PurchaseRow, stampOf, UNDO_WITHIN_MS } from "./rules.ts";

/**
 * The time of a change that is later than the one before, whatever the clocks of two Workers say: windows
 * tell an old answer from a new one by it.
 */
export function laterThanBefore(now: number): SQL<number> {
  return sql<number>`max(${now}, ${leadPurchases.updatedAt} + 1)`;
}

/** One purchase of this business, while it may be changed. */
export function isOpenPurchase(scope: BusinessScope, id: string): SQL | undefined {
  return and(
    eq(leadPurchases.id, id),
    eq(leadPurchases.buyerId, scope.businessId),
    isNull(leadPurchases.removedAt),
    eq(leadPurchases.isArchived, false),
    isNull(leadPurchases.finalisedAt),
  );
}

/** The log's line about a purchase that `where` finds, with its states and amounts before the change. */
export function purchaseLog(
  db: Db,
  { actor, requestId, now }: Act,
  entry: { action: string; id: string; after: Record<string, unknown> },
  where: SQL | undefined,
) {
  const { id, action, after } = entry;
  const found = db.select({ id: leadPurchases.id }).from(leadPurchases).where(where);
  const before = sql`(SELECT json_object('salesStage', sales_stage, 'customerPaymentAmountCents', customer_payment_amount_cents, 'nextActionAt', next_action_at, 'archivedAt', archived_at, 'finalisedAt', finalised_at) FROM lead_purchases WHERE id = ${id})`;
  return auditWhen(db, exists(found), actor, {
    at: now,
    action,
    subjectType: "purchase",
    subjectId: id,
    before,
    after,
    requestId,
  });
}

/** What an update says for the log: the fields it names, without what people wrote. */
function loggedUpdate(update: PurchaseUpdate) {
  const { salesNotes, nextActionNote, notesVersion: _, ...states } = update;
  return {
    ...states,
    ...(salesNotes !== undefined && { salesNotes: "changed" }),
    ...(nextActionNote !== undefined && { nextActionNote: "changed" }),
  };
}

/**
 * Moves a purchase along its pipeline and saves notes, amount and next action. One batch: either all of
 * it or nothing.
 * @returns the purchase after the change
 * @throws DomainError not_found when it is not this business's; purchase_closed; notes_conflict when the
 *   notes changed since `notesVersion`, with what they are now
 */
export async function updatePurchase(
  db: Db,
  scope: BusinessScope,
  id: string,
  update: PurchaseUpdate,
  by: Act,
): Promise<PurchaseRow> {
  const { now } = by;
  const { salesStage, salesNotes, notesVersion, undoes } = update;
  const guardsNotes = salesNotes !== undefined && notesVersion !== undefined;
  const mine = and(
    isOpenPurchase(scope, id),
    guardsNotes ? eq(leadPurchases.notesVersion, notesVersion) : undefined,
    undoes ? eq(leadPurchases.salesStage, undoes) : undefined,
  );
  const time = salesStage && !undoes ? stampOf(salesStage) : null;
  const change = db
    .update(leadPurchases)
    .set({
      ...changesOf(update),
      ...(salesNotes !== undefined && {
        notesVersion: sql`${leadPurchases.notesVersion} + 1`,
        notesByUserId: scope.userId,
        notesAt: now,
      }),
      ...(time && { [time]: sql`coalesce(${leadPurchases[time]}, ${now})` }),
      ...(undoes && unstamped(undoes, id, now)),
      updatedAt: laterThanBefore(now),
    })
    .where(mine)
    .returning();
  // Log and history are written first, from what the update is about to replace.
  const logged = purchaseLog(
    db,
    by,
    { action: "purchase.update", id, after: loggedUpdate(update) },
    and(mine, isLogged(update, by.actor.asUserId !== null) ? undefined : sql`0`),
  );
  const [, , [row]] = await db.batch([logged, stageEntry(db, scope, salesStage, mine, now), change]);
  if (row) return row;
  throw await whyUnchanged(db, scope, id, undoes);
}

/** The time of a stage goes with the move to it that is taken back; one reached before keeps it. */
function unstamped(stage: SalesStage, id: string, now: number) {
  const stamp = stampOf(stage);
  if (!stamp) return {};
  const column = leadPurchases[stamp];
  const reached = sql`(SELECT max(changed_at) FROM stage_changes WHERE purchase_id = ${id} AND to_stage = ${stage})`;
  return {
    [stamp]: sql`CASE WHEN ${column} >= ${now - UNDO_WITHIN_MS} AND ${column} = ${reached} THEN NULL ELSE ${column} END`,
  };
}

/** The history's line about a new stage; none when the purchase is on it already. */
function stageEntry(
  db: Db,
  scope: BusinessScope,
  salesStage: string | undefined,
  mine: SQL | undefined,
  now: number,
) {
  return db.insert(stageChanges).select(
    db
      .select({
        id: sql`NULL`.as("id"),
        purchaseId: leadPurchases.id,
        fromStage: leadPurchases.salesStage,
        toStage: sql`${salesStage ?? null}`.as("to_stage"),
        changedByUserId: sql`${scope.userId}`.as("changed_by_user_id"),
        changedAt: sql`${now}`.as("changed_at"),
      })
      .from(leadPurchases)
      .where(and(mine, sql`${leadPurchases.salesStage} <> ${salesStage ?? null}`)),
  );
}

/** Why an update found nothing to change. @param undoes the stage it was to take back */
export async function whyUnchanged(
  db: Db,
  scope: BusinessScope,
  id: string,
  undoes?: SalesStage,
): Promise<DomainError> {
  const current = await findPurchaseDetail(db, scope, id);
  if (!current) return new DomainError("not_found", "Purchase not found");
  const { purchase, notesBy } = current;
  if (isClosed(purchase)) return new DomainError("purchase_closed", "This lead is closed. Restore it first.");
  if (undoes && purchase.salesStage !== undoes) {
    return new DomainError("stage_changed", "Somebody has moved this lead since. It stays where it is.");
  }
  return new DomainError("notes_conflict", undefined, undefined, {
    text: purchase.salesNotes ?? "",
    version: purchase.notesVersion,
    by: notesBy,
  });
}
