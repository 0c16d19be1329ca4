/** What a user's change does to a purchase. */
import {
  applyContact,
  type ContactOutcome,
  getStageMove,
  reachesCustomer,
} from "../../../contract/contacts.ts";
import type { CorrectedDetail, CustomerCorrection } from "../../../contract/corrections.ts";
import { HOUR_MS } from "../../../contract/durations.ts";
import { CHANGE_KEY_LENGTH, type PurchaseUpdate } from "../../../contract/purchases.ts";
import { REVIEW_MIN_HOURS } from "../../../contract/reviews.ts";
import { parseStage, SALES_STAGES, type SalesStage } from "../../../contract/stages.ts";
import {
  changesOf,
  isClosed,
  type PurchaseRow,
  type SoldLead,
  stampOf,
  UNDO_WITHIN_MS,
} from "../../selling/purchases/rules.ts";

/** Returns whether a field has the value that a late change expects, or already has its new value. */
function isAsExpected(
  row: PurchaseRow,
  name: string,
  before: unknown,
  after: Record<string, unknown>,
): boolean {
  const current = row[name as keyof PurchaseRow];
  // An unknown stage is shown as `accepted_lead`.
  const isUnknownStage = name === "salesStage" && !SALES_STAGES.includes(current as SalesStage);
  return (
    current === before ||
    (name in after && current === after[name]) ||
    (isUnknownStage && before === "accepted_lead")
  );
}

/** Returns why an update comes too late for a purchase; null if it does not. */
export function findConflict(
  row: PurchaseRow,
  update: PurchaseUpdate,
): "stage_changed" | "changed_since" | "notes_conflict" | null {
  const { salesNotes, notesVersion, undoes, was } = update;
  const after = changesOf(update);
  const isOutdated =
    salesNotes !== undefined && notesVersion !== undefined && notesVersion !== row.notesVersion;
  const isExpected = Object.entries(changesOf(was ?? {})).every(([name, value]) =>
    isAsExpected(row, name, value, after),
  );
  if (!isOutdated && isExpected && (undoes ?? row.salesStage) === row.salesStage) return null;
  const stage = undoes ?? was?.salesStage;
  if (stage && parseStage(row.salesStage) !== stage) return "stage_changed";
  return was ? "changed_since" : "notes_conflict";
}

/** Number of recent change keys stored per purchase. A window never has more unconfirmed changes of one purchase. */
const KEYS_KEPT = 8;

/** Returns a purchase's change keys with a new one, without the oldest. */
const withKey = (key: string, keys: string) => `${key} ${keys}`.slice(0, KEYS_KEPT * (CHANGE_KEY_LENGTH + 1));

/**
 * Returns the column that clears a stage's time when the move to that stage is undone. A time from an earlier move
 * stays.
 * @param movedAt when the purchase last moved to the stage
 */
function clearedStamp(row: PurchaseRow, stage: SalesStage, movedAt: number | null, now: number) {
  const stamp = stampOf(stage);
  if (!stamp) return {};
  const at = row[stamp];
  return at !== null && at >= now - UNDO_WITHIN_MS && at === movedAt ? { [stamp]: null } : {};
}

/**
 * Returns when the customer is asked for a review once the job is complete. It never moves back, so that no business
 * can avoid the question.
 */
const earlierReview = ({ reviewDueAt, purchasedAt }: PurchaseRow, now: number) =>
  reviewDueAt && Math.min(reviewDueAt, Math.max(now, purchasedAt + REVIEW_MIN_HOURS * HOUR_MS));

/**
 * Returns the columns that an update changes.
 * @param by `undoneAt`: when the purchase moved to the stage that the update undoes
 */
export function applyUpdate(
  row: PurchaseRow,
  update: PurchaseUpdate,
  by: { userId: string; undoneAt: number | null; now: number },
): Partial<PurchaseRow> {
  const { userId, undoneAt, now } = by;
  const { salesStage, salesNotes, undoes, changeKey } = update;
  const stamp = salesStage && !undoes ? stampOf(salesStage) : null;
  return {
    ...changesOf(update),
    ...(changeKey !== undefined && { changeKeys: withKey(changeKey, row.changeKeys) }),
    ...(salesNotes !== undefined && {
      notesVersion: row.notesVersion + 1,
      notesByUserId: userId,
      notesAt: now,
    }),
    ...(stamp && { [stamp]: row[stamp] ?? now }),
    ...(undoes && clearedStamp(row, undoes, undoneAt, now)),
    ...(salesStage === "job_complete" &&
      row.reviewDueAt !== null && { reviewDueAt: earlierReview(row, now) }),
  };
}

/**
 * Returns the columns that a call or message changes: tries, and the stage and its time if the outcome changes the
 * stage.
 * @param at when it happened
 */
export function applyOutcome(
  row: PurchaseRow,
  outcome: ContactOutcome,
  { at, now }: { at: number; now: number },
): Partial<PurchaseRow> {
  const move = getStageMove(outcome);
  const salesStage = move && !move.excludedStages.some((stage) => stage === row.salesStage) ? move.to : null;
  const stamp = salesStage && stampOf(salesStage);
  return {
    tries: applyContact(row, outcome).tries,
    lastContactAt: Math.max(row.lastContactAt ?? 0, at),
    ...(reachesCustomer(outcome) && { reachedAt: Math.max(row.reachedAt ?? 0, at) }),
    ...(salesStage && { salesStage }),
    ...(stamp && { [stamp]: row[stamp] ?? now }),
  };
}

/** A change of a purchase, with the audit log's action. */
export type PurchaseChange = { action: string; change: Partial<PurchaseRow> };

/**
 * Returns what restoring a purchase changes: a closed one is open again, and a removed one is back, for a few minutes
 * and only for the user who removed it.
 * @returns null if the purchase is open; `gone` if it stays removed
 */
export function decideRestore(row: PurchaseRow, userId: string, now: number): PurchaseChange | null | "gone" {
  if (row.removedAt !== null) {
    const canUndo =
      row.mode === "manual" && row.removedByUserId === userId && row.removedAt >= now - UNDO_WITHIN_MS;
    return canUndo
      ? { action: "purchase.unremove", change: { removedAt: null, removedByUserId: null } }
      : "gone";
  }
  if (!isClosed(row)) return null;
  return { action: "purchase.restore", change: { isArchived: false, archivedAt: null, finalisedAt: null } };
}

/**
 * Returns a purchase's corrections after a further one, and the shown details that it replaces.
 * @param correction null clears a detail
 */
export function applyCorrection({ purchase, lead }: SoldLead, correction: CustomerCorrection) {
  const known = purchase.corrected ?? {};
  const shown: Record<CorrectedDetail, string> = {
    name: known.name ?? lead.customerName,
    phone: known.phone ?? lead.customerPhone,
    email: known.email ?? lead.customerEmail ?? "",
    address: known.address ?? lead.customerAddress,
  };
  const given: Record<CorrectedDetail, string | null | undefined> = {
    name: correction.customerName,
    phone: correction.customerPhone,
    email: correction.customerEmail,
    address: correction.customerAddress,
  };
  const corrected = { ...known };
  const before: Partial<typeof shown> = {};
  for (const detail of Object.keys(shown) as CorrectedDetail[]) {
    if (given[detail] === undefined) continue;
    corrected[detail] = given[detail] ?? "";
    if (corrected[detail] !== shown[detail]) before[detail] = shown[detail];
  }
  return { corrected, before };
}
