import { findPurchase } from "../../selling/purchases/queries.ts";
import type { Act } from "../../identity/audit/act.ts";
import { and, eq, exists, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";

import { HOUR_MS } from "../../../contract/durations.ts";
import { CHANGE_KEY_LENGTH, type PurchaseUpdate } from "../../../contract/purchases.ts";
import { REVIEW_MIN_HOURS } from "../../../contract/reviews.ts";
import { parseStage, SALES_STAGES, type SalesStage } from "../../../contract/stages.ts";
import { auditWhen } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { recheckCase } from "../../leads/guarantee-commands.ts";
import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { leadPurchases, stageChanges, users } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import { findMentions, type Mentions, enqueueMentions } from "./mention-commands.ts";
import { isMemberOf } from "../../identity/team/queries.ts";
import { findPurchaseDetail } from "./queries.ts";
import {
  changesOf,
  isClosed,
  shouldLog,
  type PurchaseRow,
  stampOf,
  UNDO_WITHIN_MS,
} from "../../selling/purchases/rules.ts";

/** Selects one purchase of this business, if it is open. */
export function isOpenPurchase(scope: BusinessScope, id: string): SQL | undefined {
  return and(
    eq(leadPurchases.id, id),
    eq(leadPurchases.buyerId, scope.businessId),
    isNull(leadPurchases.removedAt),
    eq(leadPurchases.isArchived, false),
    isNull(leadPurchases.finalisedAt),
  );
}

/**
 * Returns the statement that logs a change of the purchase that `where` selects, with its state and amount before the
 * change.
 */
export function purchaseLog(
  db: Db,
  { actor, requestId, now }: Act,
  entry: { action: string; id: string; after: Record<string, unknown> },
  where: SQL | undefined,
) {
  const { id, action, after } = entry;
  const found = db.select({ id: leadPurchases.id }).from(leadPurchases).where(where);
  const before = sql`(SELECT json_object('salesStage', sales_stage, 'customerPaymentAmountCents', customer_payment_amount_cents, 'nextActionAt', next_action_at, 'assignedTo', assigned_to_user_id, 'archivedAt', archived_at, 'finalisedAt', finalised_at) FROM lead_purchases WHERE id = ${id})`;
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

/** Returns the fields of an update for the audit log, without the text of notes. */
function loggedUpdate(update: PurchaseUpdate) {
  const { salesNotes, nextActionNote, notesVersion: _, changeKey: __, was: ___, ...states } = update;
  return {
    ...states,
    ...(salesNotes !== undefined && { salesNotes: "changed" }),
    ...(nextActionNote !== undefined && { nextActionNote: "changed" }),
  };
}

/** Number of recent change keys stored per purchase. A window never has more unconfirmed changes of one purchase. */
const KEYS_KEPT = 8;

/** Condition: the purchase does not have this change's key yet. A change without a key is always new. */
function isNewChange(key: string | undefined): SQL | undefined {
  return key === undefined ? undefined : sql`instr(${leadPurchases.changeKeys}, ${key}) = 0`;
}

/** Returns SQL that prepends a key and drops the oldest key. */
function withKey(key: string): SQL<string> {
  return sql`substr(${`${key} `} || ${leadPurchases.changeKeys}, 1, ${KEYS_KEPT * (CHANGE_KEY_LENGTH + 1)})`;
}

/** Compare-and-set: each field in `was` still has that value, or already has the new value. */
function isUnchanged(update: PurchaseUpdate): SQL | undefined {
  const after: Record<string, unknown> = changesOf(update);
  const before = Object.entries(changesOf(update.was ?? {}));
  return and(
    ...before.map(([name, value]) => {
      const column = leadPurchases[name as keyof ReturnType<typeof changesOf>];
      // An unknown stage is shown as `accepted_lead`.
      const matchesUnknownStage = name === "salesStage" && value === "accepted_lead";
      const isUnknownStage = matchesUnknownStage ? notInArray(column, [...SALES_STAGES]) : sql`0`;
      return sql`(${column} IS ${value} OR ${column} IS ${name in after ? after[name] : value} OR ${isUnknownStage})`;
    }),
  );
}

/**
 * Changes the stage, notes, amount and next action of a purchase, and enqueues alerts for newly mentioned team members.
 * Uses one batch, so either everything is written or nothing. Skips a change with a key that is already stored.
 * @returns the purchase after the change
 * @throws DomainError not_found if the purchase belongs to another business; purchase_closed; notes_conflict, with the
 *   current notes, if the notes changed since `notesVersion`; stage_changed or changed_since if a field no longer has
 *   the value that the update expects; impersonating if an admin changes the stage
 */
export async function updatePurchase(
  db: Db,
  scope: BusinessScope,
  id: string,
  update: PurchaseUpdate,
  by: Act,
): Promise<PurchaseRow> {
  const { now } = by;
  const { salesStage, salesNotes, notesVersion, undoes, changeKey } = update;
  // Stages after "Accepted lead" stop the call clock and tell the customer what the business did.
  if ((salesStage ?? undoes) && by.actor.asUserId !== null)
    throw new DomainError("impersonating", "You can't move a lead to another stage while impersonating.");
  const checksNotesVersion = salesNotes !== undefined && notesVersion !== undefined;
  const canApply = and(
    isOpenPurchase(scope, id),
    checksNotesVersion ? eq(leadPurchases.notesVersion, notesVersion) : undefined,
    undoes ? eq(leadPurchases.salesStage, undoes) : undefined,
    isNewChange(changeKey),
    update.assignedTo ? exists(selectAssignee(db, scope, update.assignedTo)) : undefined,
    isUnchanged(update),
  );
  const time = salesStage && !undoes ? stampOf(salesStage) : null;
  const change = db
    .update(leadPurchases)
    .set({
      ...changesOf(update),
      ...(changeKey !== undefined && { changeKeys: withKey(changeKey) }),
      ...(salesNotes !== undefined && {
        notesVersion: sql`${leadPurchases.notesVersion} + 1`,
        notesByUserId: scope.userId,
        notesAt: now,
      }),
      ...(time && { [time]: sql`coalesce(${leadPurchases[time]}, ${now})` }),
      ...(undoes && whereStageUnset(undoes, id, now)),
      ...(salesStage === "job_complete" && { reviewDueAt: earlierReview(now) }),
      updatedAt: nextUpdatedAt(now),
    })
    .where(canApply)
    .returning();
  // Write the log and the history first, because they read the values that the update replaces.
  const logged = purchaseLog(
    db,
    by,
    { action: "purchase.update", id, after: loggedUpdate(update) },
    // With a plain 0, SQLite drops the ID from the condition and plans a full scan.
    and(canApply, shouldLog(update, by.actor.asUserId !== null) ? undefined : sql`1 = 0`),
  );
  const moved = stageEntry(db, scope, salesStage, canApply, now);
  const mentions = await mentionsOf(db, scope, id, salesNotes, now);
  const others = [
    ...(mentions ? [enqueueMentions(db, mentions, canApply, now)] : []),
    // A free claim ends with a quote.
    ...(salesStage ? [recheckCase(db, and(eq(leadPurchases.id, id), canApply)!, now)] : []),
  ];
  const [, , ...results] = await db.batch([logged, moved, ...others, change]);
  const [row] = results.at(-1) as PurchaseRow[];
  if (row) return row;
  const known = changeKey === undefined ? null : await findPurchase(db, scope, id);
  if (known?.changeKeys.includes(changeKey!)) return known;
  throw await whyUnchanged(db, scope, id, update);
}

/**
 * Returns the team members that the new notes mention and the old notes did not. Skips D1 if the notes contain no "@".
 */
async function mentionsOf(
  db: Db,
  scope: BusinessScope,
  id: string,
  notes: string | null | undefined,
  now: number,
): Promise<Mentions | null> {
  if (!notes?.includes("@")) return null;
  const before = await findPurchase(db, scope, id);
  return before && findMentions(db, scope, before, notes, now);
}

/**
 * Returns the column that clears a stage's time when the move to that stage is undone. A time from an earlier move
 * stays.
 */
function whereStageUnset(stage: SalesStage, id: string, now: number) {
  const stamp = stampOf(stage);
  if (!stamp) return {};
  const column = leadPurchases[stamp];
  const reached = sql`(SELECT max(changed_at) FROM stage_changes WHERE purchase_id = ${id} AND to_stage = ${stage})`;
  return {
    [stamp]: sql`CASE WHEN ${column} >= ${now - UNDO_WITHIN_MS} AND ${column} = ${reached} THEN NULL ELSE ${column} END`,
  };
}

/**
 * SQL: when the customer is asked for a review once the job is complete. It never moves back, so that no business can
 * avoid the question.
 */
const earlierReview = (now: number) =>
  sql`min(${leadPurchases.reviewDueAt}, max(${now}, ${leadPurchases.purchasedAt} + ${REVIEW_MIN_HOURS * HOUR_MS}))`;

/** Returns the statement that inserts a stage change into the history, unless the purchase is already at that stage. */
function stageEntry(
  db: Db,
  scope: BusinessScope,
  salesStage: string | undefined,
  canApply: SQL | undefined,
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
      .where(and(canApply, sql`${leadPurchases.salesStage} <> ${salesStage ?? null}`)),
  );
}

/** Selects a user to whom the business may assign leads: the owner, or a current team member. */
function selectAssignee(db: Db, scope: BusinessScope, userId: string) {
  return db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.id, userId),
        or(eq(users.id, scope.businessId), isMemberOf(scope)),
        eq(users.isActive, true),
      ),
    );
}

/**
 * Returns the error that explains why an update changed no row.
 * @param update the stage that the update undoes, and the values and assignee that it expects
 */
export async function whyUnchanged(
  db: Db,
  scope: BusinessScope,
  id: string,
  { undoes, was, assignedTo }: Pick<PurchaseUpdate, "undoes" | "was" | "assignedTo"> = {},
): Promise<DomainError> {
  const current = await findPurchaseDetail(db, scope, id);
  if (!current) return new DomainError("not_found", "Purchase not found");
  const { purchase, notesBy } = current;
  if (isClosed(purchase)) return new DomainError("purchase_closed", "This lead is closed. Restore it first.");
  if (assignedTo && (await selectAssignee(db, scope, assignedTo)).length === 0) {
    return new DomainError("invalid_input", "That person isn't on your team.", {
      assignedTo: "That person isn't on your team",
    });
  }
  const stage = undoes ?? was?.salesStage;
  if (stage && parseStage(purchase.salesStage) !== stage) {
    return new DomainError(
      "stage_changed",
      "Someone has already moved this lead, so we left it where it is.",
    );
  }
  if (was)
    return new DomainError("changed_since", "Someone has already changed this, so we left it as it is.");
  return new DomainError("notes_conflict", undefined, undefined, {
    text: purchase.salesNotes ?? "",
    version: purchase.notesVersion,
    by: notesBy,
  });
}
