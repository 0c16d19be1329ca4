import { and, desc, eq, exists, inArray, or, sql } from "drizzle-orm";

import { findNewMentions } from "../../../contract/mentions.ts";
import { DEFAULT_QUIET_HOURS } from "../../../contract/notifications.ts";
import type { EditableField, PurchaseUpdate } from "../../../contract/purchases.ts";
import { DEFAULT_TEAM_ALERTS } from "../../../contract/team.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import type { BusinessScope } from "../../identity/auth/rules.ts";
import { isMemberOf, listTeammates } from "../../identity/team/store.ts";
import { withdrawPhotos } from "../../leads/photos/commands.ts";
import { enqueue } from "../../outbox/commands.ts";
import { endOfQuiet } from "../../outbox/rules.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch, retryIfChanged } from "../../platform/db/guarded-batch.ts";
import { alertSettings } from "../../platform/db/messages.ts";
import { leadPurchases, stageChanges } from "../../platform/db/purchases.ts";
import { users } from "../../platform/db/users.ts";
import { asRead, nextUpdatedAt } from "../../platform/db/sql.ts";
import { DomainError } from "../../platform/errors.ts";
import { findPurchase } from "../../selling/purchases/queries.ts";
import { archiveColumns, isClosed, type PurchaseRow, shouldLog } from "../../selling/purchases/rules.ts";
import { deleteAnswers } from "../answers/store.ts";
import { recheckCase } from "../guarantee/case-commands.ts";
import { mentioned, type Mentions } from "./messages.ts";
import { findAnyPurchase } from "./queries.ts";
import { applyUpdate, decideRestore, findConflict, type PurchaseChange } from "./rules.ts";

/** @throws DomainError not_found, also for a purchase of another business */
export async function requirePurchase(db: Db, scope: BusinessScope, id: string): Promise<PurchaseRow> {
  const row = await findPurchase(db, scope, id);
  if (!row) throw new DomainError("not_found", "Purchase not found");
  return row;
}

/** @throws DomainError purchase_closed */
export function requireOpen(row: PurchaseRow): void {
  if (isClosed(row)) throw new DomainError("purchase_closed", "This lead is closed. Restore it first.");
}

/** Returns the statement that logs a change of a purchase, with its state and amount before the change. */
export function logPurchase(
  db: Db,
  row: PurchaseRow,
  { actor, requestId, now }: Act,
  { action, after }: { action: string; after: Record<string, unknown> },
) {
  const { id, salesStage, customerPaymentAmountCents, nextActionAt, archivedAt, finalisedAt } = row;
  const assignedTo = row.assignedToUserId;
  const before = {
    salesStage,
    customerPaymentAmountCents,
    nextActionAt,
    assignedTo,
    archivedAt,
    finalisedAt,
  };
  return auditEntry(db, actor, {
    at: now,
    action,
    subjectType: "purchase",
    subjectId: id,
    before,
    after,
    requestId,
  });
}

/** Returns the statement that changes a purchase, and its row after that. */
export function changePurchase(db: Db, { id }: PurchaseRow, change: Partial<PurchaseRow>, now: number) {
  return db
    .update(leadPurchases)
    .set({ ...change, updatedAt: nextUpdatedAt(now) })
    .where(eq(leadPurchases.id, id))
    .returning();
}

/** Returns the statement that inserts a stage change into the history. None if the stage stays. */
export function logStage(
  db: Db,
  row: PurchaseRow,
  { salesStage }: Partial<PurchaseRow>,
  by: { userId: string; now: number },
) {
  if (salesStage === undefined || salesStage === row.salesStage) return [];
  const move = { fromStage: row.salesStage, toStage: salesStage };
  const entry = { purchaseId: row.id, ...move, changedByUserId: by.userId, changedAt: by.now };
  return [db.insert(stageChanges).values(entry)];
}

/** Whether the audit log records a field's value. The log stays after an erasure, so typed text is left out. */
const LOGGED: Readonly<Record<EditableField, boolean>> = {
  salesStage: true,
  salesNotes: false,
  customerPaymentAmount: true,
  nextActionAt: true,
  nextActionNote: false,
  assignedTo: true,
};

/** Returns an update for the audit log. */
function loggedUpdate(update: PurchaseUpdate) {
  const { undoes, madeBy } = update;
  const fields = Object.entries(LOGGED).map(([field, isLogged]) => {
    const value = update[field as EditableField];
    return [field, value === undefined || isLogged ? value : "changed"];
  });
  return { ...Object.fromEntries(fields), undoes, madeBy };
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

/** Returns when a purchase last moved to a stage; null if it never did. */
async function findMove(db: Db, purchaseId: string, toStage: string): Promise<number | null> {
  const [move] = await db
    .select({ at: stageChanges.changedAt })
    .from(stageChanges)
    .where(and(eq(stageChanges.purchaseId, purchaseId), eq(stageChanges.toStage, toStage)))
    .orderBy(desc(stageChanges.changedAt))
    .limit(1);
  return move?.at ?? null;
}

/** Returns the error for an update that comes too late, with the current notes if these differ. */
async function conflictError(
  db: Db,
  row: PurchaseRow,
  conflict: NonNullable<ReturnType<typeof findConflict>>,
) {
  if (conflict === "stage_changed")
    return new DomainError(conflict, "Someone has already moved this lead, so we left it where it is.");
  if (conflict === "changed_since")
    return new DomainError(conflict, "Someone has already changed this, so we left it as it is.");
  const [author] = await db
    .select()
    .from(users)
    .where(eq(users.id, row.notesByUserId ?? ""));
  return new DomainError(conflict, undefined, undefined, {
    text: row.salesNotes ?? "",
    version: row.notesVersion,
    by: author ? `${author.firstName} ${author.lastName}` : null,
  });
}

/**
 * Changes the stage, notes, amount and next action of a purchase, and enqueues alerts for newly mentioned team members.
 * Skips a change with a key that is already stored.
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
  const { userId } = scope;
  const { salesStage, salesNotes, undoes, changeKey, assignedTo } = update;
  const isImpersonating = by.actor.asUserId !== null;
  // Stages after "Accepted lead" stop the call clock and tell the customer what the business did.
  if ((salesStage ?? undoes) && isImpersonating)
    throw new DomainError("impersonating", "You can't move a lead to another stage while impersonating.");
  return retryIfChanged(async () => {
    const row = await requirePurchase(db, scope, id);
    if (changeKey !== undefined && row.changeKeys.includes(changeKey)) return row;
    requireOpen(row);
    const assignee = assignedTo ? selectAssignee(db, scope, assignedTo) : null;
    if (assignee && (await assignee).length === 0) {
      const message = "That person isn't on your team";
      throw new DomainError("invalid_input", `${message}.`, { assignedTo: message });
    }
    const conflict = findConflict(row, update);
    if (conflict) throw await conflictError(db, row, conflict);
    const mentions = salesNotes?.includes("@") ? await findMentions(db, scope, row, salesNotes, now) : null;
    const undoneAt = undoes ? await findMove(db, id, undoes) : null;
    const change = applyUpdate(row, update, { userId, undoneAt, now });
    const guard = asRead(row);
    const [[written]] = await guardedBatch(
      db,
      { ...guard, where: and(guard.where, assignee ? exists(assignee) : undefined) },
      [
        changePurchase(db, row, change, now),
        ...logStage(db, row, change, { userId, now }),
        ...(shouldLog(update, isImpersonating)
          ? [logPurchase(db, row, by, { action: "purchase.update", after: loggedUpdate(update) })]
          : []),
        ...(mentions ? [enqueue(db, mentioned, { ...mentions, at: now }, now)] : []),
        // A free claim ends with a quote.
        ...(salesStage ? [recheckCase(db, eq(leadPurchases.id, id), now)] : []),
      ],
    );
    return written!;
  });
}

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

// Finds the team members to alert about mentions in a purchase's notes.

/** Returns the users who may receive alerts about mentions, with the quiet hours of each. */
async function listMentionable(db: Db, userIds: readonly string[]) {
  const rows = await db
    .select({ id: users.id, hours: alertSettings.quietHours })
    .from(users)
    .leftJoin(alertSettings, eq(alertSettings.userId, users.id))
    .where(
      and(
        inArray(users.id, sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`),
        // The team settings do not apply to owners, because other users cannot choose an owner's alerts.
        sql`(${users.teamOwnerId} IS NULL OR coalesce(${alertSettings.team} ->> 'mentions', ${DEFAULT_TEAM_ALERTS.mentions}))`,
      ),
    );
  return rows.map(({ id, hours }) => ({ id, hours: hours ?? DEFAULT_QUIET_HOURS }));
}

/** Delay before an alert, because notes are autosaved while the user types and the name may be incomplete. */
const ALERT_DELAY_MS = 30_000;

/** The purchase before its notes are saved. */
type Before = { id: string; leadId: string; salesNotes: string | null };

/**
 * Finds the team members that the new notes mention and the old notes did not. Excludes the writer and users of other
 * businesses.
 * @param before the purchase as it was read
 * @returns null if there are no new mentions
 */
async function findMentions(
  db: Db,
  scope: BusinessScope,
  before: Before,
  notes: string,
  now: number,
): Promise<Mentions | null> {
  const teammates = await listTeammates(db, scope);
  const added = findNewMentions(before.salesNotes ?? "", notes, teammates).filter(
    (id) => id !== scope.userId,
  );
  if (added.length === 0) return null;
  const people = (await listMentionable(db, added)).map(({ id, hours }) => {
    const due = endOfQuiet(now, hours) ?? now + ALERT_DELAY_MS;
    return { id, due, expiresAt: due + mentioned.lifetimeMs };
  });
  return { purchaseId: before.id, leadId: before.leadId, byUserId: scope.userId, people };
}
