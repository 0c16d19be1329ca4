import { isContactOutcome } from "../../../contract/contacts.ts";
import { centsToText } from "../../../contract/money.ts";
import { parseStage } from "../../../contract/stages.ts";
import { contactPreferenceOf, jobOf, pick, type SoldLeadRow } from "../../leads/views.ts";
import { type PurchaseRow, STAMPS } from "./rules.ts";

/** Returns a purchase as its business sees it. */
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
    salesStage: parseStage(row.salesStage),
    salesNotes: row.salesNotes,
    notesVersion: row.notesVersion,
    notesAt: row.notesAt,
    nextActionAt: row.nextActionAt,
    nextActionNote: row.nextActionNote,
    assignedTo: row.assignedToUserId,
    customerPaymentAmount:
      row.customerPaymentAmountCents === null ? null : centsToText(row.customerPaymentAmountCents),
    ...pick(row, STAMPS),
    finalisedAt: row.finalisedAt,
    isArchived: row.isArchived,
    archivedAt: row.archivedAt,
    tries: row.tries,
    lastContactAt: row.lastContactAt,
    reachedAt: row.reachedAt,
    answeredAt: row.answeredAt,
    answersSeenAt: row.answersSeenAt,
    clockEndsAt: row.clockEndsAt,
    callClock: row.callClock,
    updatedAt: row.updatedAt,
  };
}
export type Purchase = ReturnType<typeof toPurchase>;

/** Returns the customer's contact details, with the business's corrections. */
function correctedContact(row: PurchaseRow, lead: SoldLeadRow) {
  const { name, phone, email, address } = row.corrected ?? {};
  return {
    customerName: name ?? lead.customerName,
    customerPhone: phone ?? lead.customerPhone,
    customerEmail: (email ?? lead.customerEmail) || null,
    customerAddress: address ?? lead.customerAddress,
  };
}

/** Returns a purchase with all of the customer's details. Send the result only to the purchase's own business. */
export function toPurchasedLead(row: PurchaseRow, lead: SoldLeadRow) {
  return {
    ...toPurchase(row),
    ...correctedContact(row, lead),
    ...contactPreferenceOf(lead),
    confirmedBy: lead.confirmedBy,
    ...jobOf(lead),
    leadCreatedAt: lead.createdAt,
  };
}
export type PurchasedLeadView = ReturnType<typeof toPurchasedLead>;

/** One stage change of a purchase. */
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

/** Returns the stage changes with the full name of the user who made each. */
export function toHistory(changes: readonly StageChange[]) {
  return changes.map(({ fromStage, toStage, changedAt, firstName, lastName }) => ({
    fromStage: fromStage === null ? null : parseStage(fromStage),
    toStage: parseStage(toStage),
    changedAt,
    changedBy: fullName(firstName, lastName),
  }));
}

/** The details that a business corrected in one change, with their previous values. */
export type Correction = {
  nameBefore: string | null;
  phoneBefore: string | null;
  emailBefore: string | null;
  addressBefore: string | null;
  changedAt: number;
  firstName: string | null;
  lastName: string | null;
};

/** Returns one entry per corrected detail: its previous value, who changed it and when. */
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

/** Returns the calls and messages for display. Omits outcomes that this release does not know. */
export function toContacts(entries: readonly ContactEntry[]) {
  return entries.flatMap(({ outcome, at, firstName, lastName }) =>
    isContactOutcome(outcome) ? [{ outcome, at, by: fullName(firstName, lastName) }] : [],
  );
}
