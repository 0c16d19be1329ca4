import { centsToText, textToCents } from "../../contract/money.ts";
import { knownStage, type PurchaseUpdate, type SalesStage } from "../../contract/purchases.ts";
import type { leadPurchases } from "../db/schema.ts";
import type { LeadRow } from "../leads/rules.ts";

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
  return {
    ...toPurchase(row),
    customerName: lead.customerName,
    customerPhone: lead.customerPhone,
    customerEmail: lead.customerEmail,
    customerAddress: lead.customerAddress,
    suburbName: lead.suburbName,
    suburbPostcode: lead.suburbPostcode,
    region: lead.region,
    serviceType: lead.serviceType,
    propertyType: lead.propertyType,
    propertySize: lead.propertySize,
    grassType: lead.grassType,
    urgency: lead.urgency,
    frequency: lead.frequency,
    accessRequirements: lead.accessRequirements,
    budgetConcern: lead.budgetConcern,
    previousExperience: lead.previousExperience,
    specificRequests: lead.specificRequests,
    lawnCondition: lead.lawnCondition,
    hasSlopes: lead.hasSlopes,
    hasPets: lead.hasPets,
    preferredTime: lead.preferredTime,
    additionalServices: lead.additionalServices,
    preferredLocation: lead.preferredLocation,
    leadCreatedAt: lead.createdAt,
  };
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
