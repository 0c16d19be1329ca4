/** What must agree between Stripe, the ledger, purchases and exchanges, and what to do where it does not. */
import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { formatCents } from "../../contract/money.ts";
import type { ListingRecord, ListingState } from "../exchange/listing.ts";
import type { LeadRow } from "../leads/rules.ts";
import { type KnownPayment, ledgerState, type LedgerRow } from "../payments/rules.ts";
import type { PurchaseRow } from "../purchases/rules.ts";

/** How far back a nightly run looks: a refund can come back weeks after it was made. */
export const RECONCILED_MS = 45 * DAY_MS;
/** What is younger may still be on its way. */
export const SETTLING_MS = 15 * MINUTE_MS;

export const DIFFERENCES = [
  "unknown_payment",
  "payment_state",
  "payment_amount",
  "payment_refund",
  "payment_missing_at_stripe",
  "slot_taken",
  "paid_twice",
  "paid_without_purchase",
  "purchase_amount",
  "purchase_status",
  "purchase_without_payment",
  "bought_not_sold",
  "sale_differs",
  "offer_differs",
] as const;
export type DifferenceKind = (typeof DIFFERENCES)[number];

/** Something that does not agree: about what (a payment's, purchase's or lead's id), and what a person should do. */
export type Difference = { kind: DifferenceKind; subjectId: string; detail: string };

/** Whether the ledger says the same of a payment as Stripe; what we owe back is a payment that was made. */
function isSameState(payment: KnownPayment, row: LedgerRow): boolean {
  const expected = ledgerState(payment);
  return row.state === expected || (row.state === "refund_pending" && expected === "succeeded");
}

/** How a payment differs from its row in the ledger (null: it has none). */
export function paymentDifferences(payment: KnownPayment, row: LedgerRow | null): Difference[] {
  const { paymentIntentId: id, leadId, amountCents, refundedCents, status } = payment;
  if (!row) {
    if (status !== "succeeded") return [];
    const detail = `Stripe took ${formatCents(amountCents)} for lead ${leadId} and the ledger does not know of it. Unless the lead is in that provider's pipeline, refund ${id} in Stripe's dashboard.`;
    return [{ kind: "unknown_payment", subjectId: id, detail }];
  }
  const found: Difference[] = [];
  const add = (kind: DifferenceKind, detail: string) => found.push({ kind, subjectId: id, detail });
  if (!isSameState(payment, row))
    add(
      "payment_state",
      `Stripe says ${ledgerState(payment)}, the ledger ${row.state}. Check in Stripe's dashboard that its events reach /api/stripe/webhook; if the two still differ tomorrow, follow ${id} there by hand.`,
    );
  if (status === "succeeded" && row.amountCents !== amountCents)
    add(
      "payment_amount",
      `Stripe took ${formatCents(amountCents)}, the ledger says ${formatCents(row.amountCents)}. Refund what was taken too much, or the whole of it.`,
    );
  if (refundedCents !== row.refundedCents)
    add(
      "payment_refund",
      `${formatCents(refundedCents)} went back according to Stripe, ${formatCents(row.refundedCents)} according to the ledger. If the lead was never given, see to it that all of it goes back.`,
    );
  return found;
}

/** A payment that the ledger names and Stripe does not know. */
export function missingDifference(row: LedgerRow): Difference {
  const detail = `The ledger says ${row.state}, ${formatCents(row.amountCents)}, and Stripe does not know this payment. Were the keys changed, or do they belong to another account?`;
  return { kind: "payment_missing_at_stripe", subjectId: row.stripePaymentIntentId!, detail };
}

const PURCHASE_STATUS: Partial<Record<LedgerRow["state"], PurchaseRow["paymentStatus"]>> = {
  succeeded: "completed",
  refunded: "refunded",
  disputed: "disputed",
};

/**
 * How a row of the ledger differs from the purchase it paid for (null: there is none).
 * @param paidTwice whether another payment for the same lead was made and kept as well
 */
export function purchaseDifferences(
  row: LedgerRow,
  purchase: Pick<PurchaseRow, "id" | "amountPaidCents" | "paymentStatus"> | null,
  paidTwice: boolean,
): Difference[] {
  const found: Difference[] = [];
  const isOver = row.state !== "pending" && row.state !== "processing";
  if (row.slot !== null && isOver)
    found.push({
      kind: "slot_taken",
      subjectId: row.id,
      detail: `This payment is over (${row.state}) and still takes one of its provider's two places. Set its slot to NULL.`,
    });
  if (row.state === "succeeded" && paidTwice)
    found.push({
      kind: "paid_twice",
      subjectId: row.id,
      detail: `Lead ${row.leadId} was paid for more than once. Refund the payment that has no purchase.`,
    });
  if (!purchase) {
    if (row.state !== "succeeded") return found;
    const detail = `${formatCents(row.amountCents)} was paid for lead ${row.leadId} and there is no purchase. \`npm run exchange:reproject\` brings it back if the exchange sold it; else refund it.`;
    return [...found, { kind: "paid_without_purchase", subjectId: row.id, detail }];
  }
  if (purchase.amountPaidCents !== row.amountCents)
    found.push({
      kind: "purchase_amount",
      subjectId: purchase.id,
      detail: `The purchase says ${formatCents(purchase.amountPaidCents)}, its payment ${formatCents(row.amountCents)}. The payment is right.`,
    });
  const expected = PURCHASE_STATUS[row.state];
  if (expected && purchase.paymentStatus !== expected)
    found.push({
      kind: "purchase_status",
      subjectId: purchase.id,
      detail: `The purchase shows ${purchase.paymentStatus}, its payment is ${row.state}. The payment is right.`,
    });
  return found;
}

/** A purchase that should have a payment, and the state of that payment in the ledger (null: none). */
export function chargeDifferences(
  purchase: Pick<PurchaseRow, "id" | "mode" | "amountPaidCents">,
  state: LedgerRow["state"] | null,
): Difference[] {
  if (purchase.mode !== "stripe") return [];
  if (state === "succeeded" || state === "refunded" || state === "disputed") return [];
  const stand = state === null ? "the ledger has no payment of it" : `its payment is ${state}`;
  const detail = `A lead was handed over for ${formatCents(purchase.amountPaidCents)} and ${stand}. Look the lead up in Stripe's dashboard before you ask for the money.`;
  return [{ kind: "purchase_without_payment", subjectId: purchase.id, detail }];
}

/** A purchase, and the status of its lead in D1. */
export function statusDifferences(
  { leadId }: Pick<PurchaseRow, "leadId">,
  leadStatus: LeadRow["status"],
): Difference[] {
  if (leadStatus === "sold") return [];
  const detail = `This lead was bought, and D1 said ${leadStatus}. It is marked as sold again; nothing is left to do.`;
  return [{ kind: "bought_not_sold", subjectId: leadId, detail }];
}

/** How an exchange's record differs from what D1 says of the lead and its purchase. */
export function saleDifferences(
  { leadId, state, sale }: Pick<ListingRecord, "leadId" | "state" | "sale">,
  lead: Pick<LeadRow, "status"> | undefined,
  purchase: Pick<PurchaseRow, "id" | "buyerId" | "amountPaidCents" | "paymentIntentId"> | undefined,
): Difference[] {
  const differ = (what: string): Difference[] => [
    {
      kind: "sale_differs",
      subjectId: leadId,
      detail: `${what} The exchange is right: \`npm run exchange:reproject\` writes its word into D1.`,
    },
  ];
  if (!sale) {
    const isSold = lead?.status === "sold";
    return isSold ? differ(`The exchange says ${state}, D1 says sold.`) : [];
  }
  if (lead?.status !== "sold") return differ(`The exchange sold it, D1 says ${lead?.status ?? "nothing"}.`);
  if (!purchase) return differ(`The exchange sold it to ${sale.businessId}, D1 has no such purchase.`);
  if (purchase.buyerId !== sale.businessId)
    return differ(`The exchange sold it to ${sale.businessId}, D1 says ${purchase.buyerId}.`);
  if (purchase.amountPaidCents !== sale.amountCents)
    return differ(
      `Sold for ${formatCents(sale.amountCents)}, D1 says ${formatCents(purchase.amountPaidCents)}.`,
    );
  if (purchase.paymentIntentId !== (sale.paymentIntentId ?? null))
    return differ(
      `Sold with payment ${sale.paymentIntentId ?? "none"}, D1 says ${purchase.paymentIntentId ?? "none"}.`,
    );
  return [];
}

/** A lead that D1 offers, and where it stands at its exchange (undefined: it was never heard of there). */
export function offerDifferences(leadId: string, state: ListingState | undefined): Difference[] {
  if (state === "available" || state === "held" || state === "releasing") return [];
  const detail = state
    ? `D1 offers this lead, at its exchange it is ${state}. \`npm run exchange:reproject\` writes the exchange's word into D1.`
    : "D1 offers this lead and its exchange does not know it: nobody can buy it. Has the exchange lost its storage?";
  return [{ kind: "offer_differs", subjectId: leadId, detail }];
}
