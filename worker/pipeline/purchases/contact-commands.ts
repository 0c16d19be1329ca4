import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import { and, eq, exists, type SQL, sql } from "drizzle-orm";

import {
  type ContactForm,
  type ContactOutcome,
  CONTACTS,
  getStageMove,
  reachesCustomer,
} from "../../../contract/contacts.ts";
import type { SalesStage } from "../../../contract/stages.ts";
import type { Act } from "../../identity/audit/act.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { Db } from "../../platform/db/client.ts";
import { contactLog, leadPurchases, stageChanges } from "../../platform/db/schema.ts";
import { recheckCase } from "../../leads/guarantee-commands.ts";
import { askAboutCalls } from "../guarantee/commands.ts";
import { newId } from "../../platform/ids.ts";
import { isOpenPurchase, purchaseLog, whyUnchanged } from "./commands.ts";
import { hasContact } from "./queries.ts";
import { contactTime, type PurchaseRow, stampOf } from "../../selling/purchases/rules.ts";

/**
 * Condition: the purchase's stage is not in `stays`, so the outcome changes it. An unknown stage counts as
 * `accepted_lead`.
 */
function isMovedFrom(stays: readonly SalesStage[]): SQL {
  const names = sql.join(
    stays.map((stage) => sql`${stage}`),
    sql`, `,
  );
  return sql`${leadPurchases.salesStage} NOT IN (${names})`;
}

const TRIES_AFTER = {
  more: sql<number>`${leadPurchases.tries} + 1`,
  none: sql<number>`0`,
  same: sql<number>`${leadPurchases.tries}`,
};

/**
 * Returns the columns that a call or message changes: tries, and the stage and its time if the outcome changes the
 * stage.
 */
function changesOf(outcome: ContactOutcome, at: number, now: number) {
  const move = getStageMove(outcome);
  const stamp = move && stampOf(move.to);
  const moves = move && isMovedFrom(move.excludedStages);
  return {
    tries: TRIES_AFTER[CONTACTS[outcome].tries],
    lastContactAt: sql`max(coalesce(${leadPurchases.lastContactAt}, 0), ${at})`,
    ...(reachesCustomer(outcome) && {
      reachedAt: sql`max(coalesce(${leadPurchases.reachedAt}, 0), ${at})`,
    }),
    updatedAt: nextUpdatedAt(now),
    ...(move && {
      salesStage: sql<string>`CASE WHEN ${moves} THEN ${move.to} ELSE ${leadPurchases.salesStage} END`,
    }),
    ...(stamp && {
      [stamp]: sql`CASE WHEN ${moves} THEN coalesce(${leadPurchases[stamp]}, ${now}) ELSE ${leadPurchases[stamp]} END`,
    }),
  };
}

/** Returns the statement that inserts an outcome's stage change into the history, if the outcome changes the stage. */
function stageEntry(db: Db, by: { userId: string; now: number }, outcome: ContactOutcome, fresh: SQL) {
  const move = getStageMove(outcome);
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
      .where(and(fresh, sql`${move?.to ?? null} IS NOT NULL`, isMovedFrom(move?.excludedStages ?? []))),
  );
}

/**
 * Records a call or a text message and its effect on the lead, in one batch. A repeated entry, for example from a phone
 * that missed the response, changes nothing.
 * @returns the updated purchase
 * @throws DomainError not_found if the purchase belongs to another business; purchase_closed
 */
export async function logContact(
  db: Db,
  scope: BusinessScope,
  id: string,
  { outcome, entryKey, at: reportedAt }: ContactForm,
  by: Act,
): Promise<PurchaseRow> {
  const { now } = by;
  const at = contactTime(reportedAt, now);
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
          loggedAt: sql`${now}`.as("logged_at"),
        })
        .from(leadPurchases)
        .where(isOpenPurchase(scope, id)),
    )
    .onConflictDoNothing();
  // The other statements apply only if the entry was inserted.
  const isNew = exists(db.select({ id: contactLog.id }).from(contactLog).where(eq(contactLog.id, entryId)));
  const fresh = and(eq(leadPurchases.id, id), isNew)!;
  const lead = sql`(SELECT lead_id FROM lead_purchases WHERE id = ${id})`;
  const guarantee = reachesCustomer(outcome)
    ? [recheckCase(db, fresh, now)]
    : askAboutCalls(db, { id, leadId: lead }, isNew, now);
  const [, , , [row]] = await db.batch([
    entry,
    purchaseLog(db, by, { action: "purchase.contact", id, after: { outcome } }, fresh),
    stageEntry(db, { userId: scope.userId, now }, outcome, fresh),
    db
      .update(leadPurchases)
      .set(changesOf(outcome, at, now))
      .where(fresh)
      .returning(),
    ...guarantee,
  ]);
  if (row) return row;
  const known = await findPurchase(db, scope, id);
  if (known && (await hasContact(db, id, entryKey))) return known;
  throw await whyUnchanged(db, scope, id);
}
