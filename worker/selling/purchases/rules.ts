import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { textToCents } from "../../../contract/money.ts";
import type { EditableField, PurchaseUpdate } from "../../../contract/purchases.ts";
import { parseStage, SALES_STAGES, type SalesStage, STAGES } from "../../../contract/stages.ts";
import type { leadPurchases } from "../../platform/db/purchases.ts";
import type { SoldLeadRow } from "../../leads/views.ts";

/** A purchase as stored, without the columns that SQLite generates. */
export type PurchaseRow = Omit<typeof leadPurchases.$inferSelect, "tile" | "nextActionOrder">;

/** A sold lead with its purchase. */
export type SoldLead = { purchase: PurchaseRow; lead: SoldLeadRow };

type Stamp = NonNullable<(typeof STAGES)[SalesStage]["timestampColumn"]>;

/** Returns the column that stores when a stage was first reached; null if another column has that time. */
export function stampOf(stage: SalesStage): Extract<keyof PurchaseRow, Stamp> | null {
  return STAGES[stage].timestampColumn satisfies keyof PurchaseRow | null;
}

/** The columns of `stampOf`, in the order of a job. */
export const STAMPS = SALES_STAGES.flatMap((stage) => stampOf(stage) ?? []);

/** Stages after the job was done. */
export const DONE_STAGES = SALES_STAGES.filter((stage) => STAGES[stage].isWon && stage !== "job_booked");

/** Returns whether a purchase is closed. Closed purchases are read-only until restored. */
export function isClosed(row: Pick<PurchaseRow, "isArchived" | "finalisedAt">): boolean {
  return row.isArchived || row.finalisedAt !== null;
}

/**
 * Returns the columns that archiving writes. A purchase with a paid invoice is also finalised.
 * @param now epoch ms
 */
export function archiveColumns(row: Pick<PurchaseRow, "salesStage" | "finalisedAt">, now: number) {
  const isFinished = parseStage(row.salesStage) === "invoice_paid";
  return { isArchived: true, archivedAt: now, finalisedAt: isFinished ? (row.finalisedAt ?? now) : null };
}

/**
 * Returns whether an update is written to the audit log. Autosaved notes are not, because they would flood the log.
 * Every update by an impersonating admin is logged.
 */
export function shouldLog(update: PurchaseUpdate, isImpersonating: boolean): boolean {
  const { salesNotes: _, notesVersion: __, changeKey: ___, was: ____, ...rest } = update;
  return isImpersonating || Object.values(rest).some((value) => value !== undefined);
}

/** The rest of an update. The compiler refuses a field that `changesOf` forgets. */
type Unchanged = Omit<PurchaseUpdate, EditableField | "was"> & { [Name in EditableField]?: never };

/**
 * Returns the columns an update changes. Absent fields stay unchanged. Null clears an amount, or a next action's date
 * and note.
 */
export function changesOf(update: Omit<PurchaseUpdate, "was">) {
  const { salesStage, salesNotes, customerPaymentAmount, assignedTo, ...more } = update;
  const { nextActionAt, nextActionNote: note, ...rest } = more;
  rest satisfies Unchanged;
  const nextActionNote = nextActionAt === null ? null : note;
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

/** Maximum delay of a phone's report of a call. Earlier times are set to this limit. */
const MAX_REPORT_DELAY_MS = 7 * DAY_MS;

/**
 * Returns when a call was made, from the time that the phone reports.
 * @param reportedAt epoch ms by the phone's clock, which may be wrong; undefined for now
 * @param now epoch ms
 */
export function contactTime(reportedAt: number | undefined, now: number): number {
  return reportedAt === undefined ? now : Math.min(now, Math.max(reportedAt, now - MAX_REPORT_DELAY_MS));
}

/** The server accepts an undo for this long. The toast offers it for 8 s. */
export const UNDO_WITHIN_MS = 5 * MINUTE_MS;
