import { isContactOutcome } from "../../contract/contacts.ts";
import { centsToText } from "../../contract/money.ts";
import { knownStage } from "../../contract/stages.ts";
import type { LeadRow } from "../leads/rules.ts";
import { jobOf } from "../leads/views.ts";
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
    assignedTo: row.assignedToUserId,
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

/** How to reach the customer, with what the business corrected. */
function correctedContact(row: PurchaseRow, lead: LeadRow) {
  const { name, phone, email, address } = row.corrected ?? {};
  return {
    customerName: name ?? lead.customerName,
    customerPhone: phone ?? lead.customerPhone,
    customerEmail: (email ?? lead.customerEmail) || null,
    customerAddress: address ?? lead.customerAddress,
  };
}

/** A purchase together with everything its customer told us; only its business ever gets this. */
export function toPurchasedLead(row: PurchaseRow, lead: LeadRow) {
  return {
    ...toPurchase(row),
    ...correctedContact(row, lead),
    ...jobOf(lead),
    leadCreatedAt: lead.createdAt,
  };
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

/** What a business corrected of its customer's details, at one time. */
export type Correction = {
  nameBefore: string | null;
  phoneBefore: string | null;
  emailBefore: string | null;
  addressBefore: string | null;
  changedAt: number;
  firstName: string | null;
  lastName: string | null;
};

/** Corrections as people read them: what each detail was before, who changed it and when. */
export function toCorrections(corrections: readonly Correction[]) {
  return corrections.flatMap(({ changedAt, firstName, lastName, ...before }) => {
    const [changedBy, details] = [fullName(firstName, lastName), Object.entries(DETAILS)];
    return details.flatMap(([name, detail]) => {
      const was = before[name as keyof typeof DETAILS];
      return was === null ? [] : [{ detail, was, changedBy, changedAt }];
    });
  });
}

const DETAILS = {
  nameBefore: "Name",
  phoneBefore: "Phone",
  emailBefore: "Email",
  addressBefore: "Address",
} as const;

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
