import { findPurchase } from "./sold-queries.ts";
import type { Act } from "../audit/act.ts";
import { and, eq, exists, isNull, notInArray, or, type SQL, sql } from "drizzle-orm";

import { CHANGE_KEY_LENGTH, type PurchaseUpdate } from "../../contract/purchases.ts";
import { knownStage, SALES_STAGES, type SalesStage } from "../../contract/stages.ts";
import { auditWhen } from "../audit/commands.ts";
import type { Db } from "../db/client.ts";
import { laterThanBefore } from "../db/later-than-before.ts";
import { leadPurchases, stageChanges, users } from "../db/schema.ts";
import { DomainError } from "../errors.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { findMentions, type Mentions, noteMentions } from "./mention-commands.ts";
import { isMemberOf } from "../team/queries.ts";
import { findPurchaseDetail } from "./queries.ts";
import { changesOf, isClosed, isLogged, type PurchaseRow, stampOf, UNDO_WITHIN_MS } from "./rules.ts";

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

/** What an update says for the log: the fields it names, without what people wrote. */
function loggedUpdate(update: PurchaseUpdate) {
  const { salesNotes, nextActionNote, notesVersion: _, changeKey: __, was: ___, ...states } = update;
  return {
    ...states,
    ...(salesNotes !== undefined && { salesNotes: "changed" }),
    ...(nextActionNote !== undefined && { nextActionNote: "changed" }),
  };
}

/** So many changes of a purchase are known again. Nobody makes more of one before an answer is asked for anew. */
const KEYS_KEPT = 8;

/** A change that is not written yet; any without a key. */
function isNewChange(key: string | undefined): SQL | undefined {
  return key === undefined ? undefined : sql`instr(${leadPurchases.changeKeys}, ${key}) = 0`;
}

/** The keys with this one before the others. */
function withKey(key: string): SQL<string> {
  return sql`substr(${`${key} `} || ${leadPurchases.changeKeys}, 1, ${KEYS_KEPT * (CHANGE_KEY_LENGTH + 1)})`;
}

/** Fields that stand as they did when the change was made, or as it would have them. */
function standsAsBefore(update: PurchaseUpdate): SQL | undefined {
  const after: Record<string, unknown> = changesOf(update);
  const before = Object.entries(changesOf(update.was ?? {}));
  return and(
    ...before.map(([name, value]) => {
      const column = leadPurchases[name as keyof ReturnType<typeof changesOf>];
      // A stage that no list knows is shown as a fresh lead's.
      const mayBeFresh = name === "salesStage" && value === "accepted_lead";
      const isFresh = mayBeFresh ? notInArray(column, [...SALES_STAGES]) : sql`0`;
      return sql`(${column} IS ${value} OR ${column} IS ${name in after ? after[name] : value} OR ${isFresh})`;
    }),
  );
}

/**
 * Moves a purchase along its pipeline and saves notes, amount and next action, and has those told whom the notes
 * mention anew. One batch: either all of it or nothing. A change with a key that was made already is not made again.
 * @returns the purchase after the change
 * @throws DomainError not_found when it is not this business's; purchase_closed; notes_conflict when the
 *   notes changed since `notesVersion`, with what they are now; stage_changed or changed_since when somebody
 *   changed what the update says stood there
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
  const guardsNotes = salesNotes !== undefined && notesVersion !== undefined;
  const mine = and(
    isOpenPurchase(scope, id),
    guardsNotes ? eq(leadPurchases.notesVersion, notesVersion) : undefined,
    undoes ? eq(leadPurchases.salesStage, undoes) : undefined,
    isNewChange(changeKey),
    update.assignedTo ? exists(mateOf(db, scope, update.assignedTo)) : undefined,
    standsAsBefore(update),
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
    // Of a plain 0 SQLite makes a condition without the id, and plans to go through all there are.
    and(mine, isLogged(update, by.actor.asUserId !== null) ? undefined : sql`1 = 0`),
  );
  const moved = stageEntry(db, scope, salesStage, mine, now);
  const mentions = await mentionsOf(db, scope, id, salesNotes, now);
  const [row] = mentions
    ? (await db.batch([noteMentions(db, mentions, mine, now), logged, moved, change]))[3]
    : (await db.batch([logged, moved, change]))[2];
  if (row) return row;
  const known = changeKey === undefined ? null : await findPurchase(db, scope, id);
  if (known?.changeKeys.includes(changeKey!)) return known;
  throw await whyUnchanged(db, scope, id, update);
}

/** Whom new notes mention that the ones before them did not; without a look at the database where they mention nobody. */
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

/** The person of a business who may look after its leads: the owner, or a member of the team as it is now. */
function mateOf(db: Db, scope: BusinessScope, userId: string) {
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

/** Why an update found nothing to change. @param update what it was to take back, or took for granted */
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
  if (assignedTo && (await mateOf(db, scope, assignedTo)).length === 0) {
    return new DomainError("invalid_input", "They are not on your team.", {
      assignedTo: "They are not on your team",
    });
  }
  const stage = undoes ?? was?.salesStage;
  if (stage && knownStage(purchase.salesStage) !== stage) {
    return new DomainError("stage_changed", "Somebody has moved this lead since. It stays where it is.");
  }
  if (was) return new DomainError("changed_since", "Somebody has changed this since. It stays as it is.");
  return new DomainError("notes_conflict", undefined, undefined, {
    text: purchase.salesNotes ?? "",
    version: purchase.notesVersion,
    by: notesBy,
  });
}
