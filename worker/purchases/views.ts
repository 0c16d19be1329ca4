import { isContactOutcome } from "../../contract/contacts.ts";
import { centsToText } from "../../contract/money.ts";
import { knownStage } from "../../contract/stages.ts";
import type { LeadRow } from "../leads/rules.ts";
import { contactOf, jobOf } from "../leads/views.ts";
import type { PurchaseRow } from "./rules.ts";

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
    tries: row.tries,
    lastContactAt: row.lastContactAt,
    answeredAt: row.answeredAt,
    answersSeenAt: row.answersSeenAt,
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

function fullName(firstName: string | null, lastName: string | null): string | null {
  return firstName === null ? null : `${firstName} ${lastName ?? ""}`.trim();
}

/** The history as people read it: each change with who made it. */
export function toHistory(changes: readonly StageChange[]) {
  return changes.map(({ fromStage, toStage, changedAt, firstName, lastName }) => ({
    fromStage: fromStage === null ? null : knownStage(fromStage),
    toStage: knownStage(toStage),
    changedAt,
    changedBy: fullName(firstName, lastName),
  }));
}

/** One call or text message. */
export type ContactEntry = {
  outcome: string;
  at: number;
  firstName: string | null;
  lastName: string | null;
};

/** Calls and messages as people read them. What another release wrote and this one does not know is left out. */
export function toContacts(entries: readonly ContactEntry[]) {
  return entries.flatMap(({ outcome, at, firstName, lastName }) =>
    isContactOutcome(outcome) ? [{ outcome, at, by: fullName(firstName, lastName) }] : [],
  );
}
