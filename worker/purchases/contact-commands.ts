import { laterThanBefore } from "../db/later-than-before.ts";
import { findPurchase } from "./sold-queries.ts";
import { and, eq, exists, type SQL, sql } from "drizzle-orm";

import { type Contact, type ContactOutcome, CONTACTS, moveOf } from "../../contract/contacts.ts";
import type { SalesStage } from "../../contract/stages.ts";
import type { Act } from "../audit/act.ts";
import type { BusinessScope } from "../auth/rights.ts";
import type { Db } from "../db/client.ts";
import { contactLog, leadPurchases, stageChanges } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { isOpenPurchase, purchaseLog, whyUnchanged } from "./commands.ts";
import { hasContact } from "./queries.ts";
import { contactTime, type PurchaseRow, stampOf } from "./rules.ts";

/** Whether the purchase stands on a stage that this outcome moves it from; one no list knows is a fresh lead's. */
function isMovedFrom(stays: readonly SalesStage[]): SQL {
  const names = sql.join(
    stays.map((stage) => sql`${stage}`),
    sql`, `,
  );
  return sql`${leadPurchases.salesStage} NOT IN (${names})`;
}

const TRIES = {
  more: sql<number>`${leadPurchases.tries} + 1`,
  none: sql<number>`0`,
  same: sql<number>`${leadPurchases.tries}`,
};

/** What a call or message writes on its purchase: tries, and the stage with its time where it moves one. */
function changesOf(outcome: ContactOutcome, at: number, now: number) {
  const move = moveOf(outcome);
  const stamp = move && stampOf(move.to);
  const moves = move && isMovedFrom(move.stays);
  return {
    tries: TRIES[CONTACTS[outcome].tries],
    lastContactAt: sql`max(coalesce(${leadPurchases.lastContactAt}, 0), ${at})`,
    updatedAt: laterThanBefore(now),
    ...(move && {
      salesStage: sql<string>`CASE WHEN ${moves} THEN ${move.to} ELSE ${leadPurchases.salesStage} END`,
    }),
    ...(stamp && {
      [stamp]: sql`CASE WHEN ${moves} THEN coalesce(${leadPurchases[stamp]}, ${now}) ELSE ${leadPurchases[stamp]} END`,
    }),
  };
}

/** The history's line about the stage an outcome moves to; none when it moves nothing. */
function stageEntry(db: Db, by: { userId: string; now: number }, outcome: ContactOutcome, fresh: SQL) {
  const move = moveOf(outcome);
  return db.insert(stageChanges).select(
    db
      .select({
        id: sql`NULL`.as("id"),
        purchaseId: leadPurchases.id,
        fromStage: leadPurchases.salesStage,
        toStage: sql`${move?.to ?? null}`.as("to_stage"),
        changedByUserId: sql`${by.userId}`.as("changed_by_user_id"),
        changedAt: sql`${by.now}`.as("changed_at"),
      })
      .from(leadPurchases)
      .where(and(fresh, sql`${move?.to ?? null} IS NOT NULL`, isMovedFrom(move?.stays ?? []))),
  );
}

/**
 * Writes down a call or a text message, and what it says of the lead: one batch. The same entry again, from a
 * phone that never heard the answer, changes nothing.
 * @returns the purchase after it
 * @throws DomainError not_found when it is not this business's; purchase_closed
 */
export async function logContact(
  db: Db,
  scope: BusinessScope,
  id: string,
  { outcome, entryKey, at: told }: Contact,
  by: Act,
): Promise<PurchaseRow> {
  const { now } = by;
  const at = contactTime(told, now);
  const entryId = newId("con");
  const entry = db
    .insert(contactLog)
    .select(
      db
        .select({
          id: sql`${entryId}`.as("id"),
          purchaseId: leadPurchases.id,
          outcome: sql`${outcome}`.as("outcome"),
          byUserId: sql`${scope.userId}`.as("by_user_id"),
          at: sql`${at}`.as("at"),
          entryKey: sql`${entryKey}`.as("entry_key"),
        })
        .from(leadPurchases)
        .where(isOpenPurchase(scope, id)),
    )
    .onConflictDoNothing();
  // Everything else happens when that line was new.
  const isNew = exists(db.select({ id: contactLog.id }).from(contactLog).where(eq(contactLog.id, entryId)));
  const fresh = and(eq(leadPurchases.id, id), isNew)!;
  const [, , , [row]] = await db.batch([
    entry,
    purchaseLog(db, by, { action: "purchase.contact", id, after: { outcome } }, fresh),
    stageEntry(db, { userId: scope.userId, now }, outcome, fresh),
    db
      .update(leadPurchases)
      .set(changesOf(outcome, at, now))
      .where(fresh)
      .returning(),
  ]);
  if (row) return row;
  const known = await findPurchase(db, scope, id);
  if (known && (await hasContact(db, id, entryKey))) return known;
  throw await whyUnchanged(db, scope, id);
}
