import { centsToText, textToCents } from "../../contract/money.ts";
import { type PurchaseUpdate } from "../../contract/purchases.ts";
import { knownStage, type SalesStage, STAGES } from "../../contract/stages.ts";
import type { leadPurchases } from "../db/schema.ts";
import { contactOf, jobOf, type LeadRow } from "../leads/rules.ts";

/** A purchase as stored, without what SQLite works out from the rest. */
export type PurchaseRow = Omit<typeof leadPurchases.$inferSelect, "tile" | "nextActionOrder">;

/** A lead that has an owner, with everything its owner sees. */
export type SoldLead = { purchase: PurchaseRow; lead: LeadRow };

type Stamp = NonNullable<(typeof STAGES)[SalesStage]["stamp"]>;

/** The column that keeps when a stage was first reached; null where another fact says so. */
export function stampOf(stage: SalesStage): Extract<keyof PurchaseRow, Stamp> | null {
  return STAGES[stage].stamp satisfies keyof PurchaseRow | null;
}

/** A purchase as its business sees it. */
export function toPurchase(row: PurchaseRow) {
  return {
    id: row.id,
    leadId: row.leadId,
    buyerId: row.buyerId,
    buyerName: row.buyerName,
    buyerEmail: row.buyerEmail,
    buyerPhone: row.buyerPhone,
    buyerCompany: row.buyerCompany,
    mode: row.mode,
    amountPaid: centsToText(row.amountPaidCents),
    paymentStatus: row.paymentStatus,
    purchasedAt: row.purchasedAt,
    salesStage: knownStage(row.salesStage),
    salesNotes: row.salesNotes,
    notesVersion: row.notesVersion,
    notesAt: row.notesAt,
    nextActionAt: row.nextActionAt,
    nextActionNote: row.nextActionNote,
    customerPaymentAmount:
      row.customerPaymentAmountCents === null ? null : centsToText(row.customerPaymentAmountCents),
    calledAt: row.calledAt,
    quoteSentAt: row.quoteSentAt,
    jobBookedAt: row.jobBookedAt,
    jobCompleteAt: row.jobCompleteAt,
    invoiceSentAt: row.invoiceSentAt,
    invoicePaidAt: row.invoicePaidAt,
    declinedAt: row.declinedAt,
    finalisedAt: row.finalisedAt,
    isArchived: row.isArchived,
    archivedAt: row.archivedAt,
    updatedAt: row.updatedAt,
  };
}
export type Purchase = ReturnType<typeof toPurchase>;

/** A purchase together with everything its customer told us; only its business ever gets this. */
export function toPurchasedLead(row: PurchaseRow, lead: LeadRow) {
  return { ...toPurchase(row), ...contactOf(lead), ...jobOf(lead), leadCreatedAt: lead.createdAt };
}
export type PurchasedLead = ReturnType<typeof toPurchasedLead>;

/** One step of a purchase's way through the pipeline. */
export type StageChange = {
  fromStage: string | null;
  toStage: string;
  changedAt: number;
  firstName: string | null;
  lastName: string | null;
};

/** The history as people read it: each change with who made it. */
export function toHistory(changes: readonly StageChange[]) {
  return changes.map(({ fromStage, toStage, changedAt, firstName, lastName }) => ({
    fromStage: fromStage === null ? null : knownStage(fromStage),
    toStage: knownStage(toStage),
    changedAt,
    changedBy: firstName === null ? null : `${firstName} ${lastName ?? ""}`.trim(),
  }));
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
  const { salesNotes: _, notesVersion: __, ...rest } = update;
  return isImpersonating || Object.values(rest).some((value) => value !== undefined);
}

/** The columns an update changes. Absent fields stay; null clears an amount, and a next action's note with its date. */
export function changesOf(update: PurchaseUpdate) {
  const { salesStage, salesNotes, customerPaymentAmount, nextActionAt } = update;
  const nextActionNote = nextActionAt === null ? null : update.nextActionNote;
  return {
    ...(nextActionAt !== undefined && { nextActionAt }),
    ...(nextActionNote !== undefined && { nextActionNote }),
    ...(salesStage !== undefined && { salesStage }),
    ...(salesNotes !== undefined && { salesNotes }),
    ...(customerPaymentAmount !== undefined && {
      customerPaymentAmountCents: customerPaymentAmount === null ? null : textToCents(customerPaymentAmount),
    }),
  };
}
