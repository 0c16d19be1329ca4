import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { textToCents } from "../../contract/money.ts";
import { type PurchaseUpdate } from "../../contract/purchases.ts";
import { knownStage, type SalesStage, STAGES } from "../../contract/stages.ts";
import type { leadPurchases } from "../db/schema.ts";
import { type LeadRow } from "../leads/rules.ts";

/** A purchase as stored, without what SQLite works out from the rest. */
export type PurchaseRow = Omit<typeof leadPurchases.$inferSelect, "tile" | "nextActionOrder">;

/** A lead that has an owner, with everything its owner sees. */
export type SoldLead = { purchase: PurchaseRow; lead: LeadRow };

type Stamp = NonNullable<(typeof STAGES)[SalesStage]["stamp"]>;

/** The column that keeps when a stage was first reached; null where another fact says so. */
export function stampOf(stage: SalesStage): Extract<keyof PurchaseRow, Stamp> | null {
  return STAGES[stage].stamp satisfies keyof PurchaseRow | null;
}

/** Closed purchases are read only until they are restored. */
export function isClosed(row: Pick<PurchaseRow, "isArchived" | "finalisedAt">): boolean {
  return row.isArchived || row.finalisedAt !== null;
}

/**
 * What archiving writes. A purchase whose invoice was paid is finished with it; any other is only put away.
 * @param now epoch ms
 */
export function archiving(row: Pick<PurchaseRow, "salesStage" | "finalisedAt">, now: number) {
  const isFinished = knownStage(row.salesStage) === "invoice_paid";
  return { isArchived: true, archivedAt: now, finalisedAt: isFinished ? (row.finalisedAt ?? now) : null };
}

/**
 * Whether the log gets a line. Autosaved notes carry their author on the purchase itself and would bury
 * the rest of the log; what somebody writes in another person's name is logged all the same.
 */
export function isLogged(update: PurchaseUpdate, isImpersonating: boolean): boolean {
  const { salesNotes: _, notesVersion: __, changeKey: ___, was: ____, ...rest } = update;
  return isImpersonating || Object.values(rest).some((value) => value !== undefined);
}

/** The columns an update changes. Absent fields stay; null clears an amount, and a next action's note with its date. */
export function changesOf(update: Omit<PurchaseUpdate, "was">) {
  const { salesStage, salesNotes, customerPaymentAmount, nextActionAt, assignedTo } = update;
  const nextActionNote = nextActionAt === null ? null : update.nextActionNote;
  return {
    ...(nextActionAt !== undefined && { nextActionAt }),
    ...(nextActionNote !== undefined && { nextActionNote }),
    ...(assignedTo !== undefined && { assignedToUserId: assignedTo }),
    ...(salesStage !== undefined && { salesStage }),
    ...(salesNotes !== undefined && { salesNotes }),
    ...(customerPaymentAmount !== undefined && {
      customerPaymentAmountCents: customerPaymentAmount === null ? null : textToCents(customerPaymentAmount),
    }),
  };
}

/** How long ago a call may have been that a phone tells of only now. */
const TOLD_WITHIN_MS = 7 * DAY_MS;

/**
 * When a call was, from what the phone that tells of it says.
 * @param told epoch ms by the phone's clock, which may be wrong; undefined for now
 * @param now epoch ms
 */
export function contactTime(told: number | undefined, now: number): number {
  return told === undefined ? now : Math.min(now, Math.max(told, now - TOLD_WITHIN_MS));
}

/** How long what somebody did may be taken back as if it had never been: the message offers it for 8 s. */
export const UNDO_WITHIN_MS = 5 * MINUTE_MS;
