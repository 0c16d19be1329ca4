import { centsToText, textToCents } from "../../contract/money.ts";
import { knownStage, type PurchaseUpdate, type SalesStage } from "../../contract/purchases.ts";
import type { leadPurchases } from "../db/schema.ts";
import { contactOf, jobOf, type LeadRow } from "../leads/rules.ts";

export type PurchaseRow = typeof leadPurchases.$inferSelect;

/** The column that remembers when a stage was first reached; accepting has `purchasedAt`. */
export const STAGE_TIMES = {
  called: "calledAt",
  quote_sent: "quoteSentAt",
  job_booked: "jobBookedAt",
  job_complete: "jobCompleteAt",
  invoice_sent: "invoiceSentAt",
  invoice_paid: "invoicePaidAt",
  declined: "declinedAt",
} as const satisfies Partial<Record<SalesStage, keyof PurchaseRow>>;

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

/** The columns an update changes. Absent fields stay; null clears the amount. */
export function changesOf(update: PurchaseUpdate) {
  const { salesStage, salesNotes, customerPaymentAmount } = update;
  return {
    ...(salesStage !== undefined && { salesStage }),
    ...(salesNotes !== undefined && { salesNotes }),
    ...(customerPaymentAmount !== undefined && {
      customerPaymentAmountCents: customerPaymentAmount === null ? null : textToCents(customerPaymentAmount),
    }),
  };
}
