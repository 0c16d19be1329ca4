/** Compares Stripe, the ledger, purchases and exchanges, and advises what to do about each difference. */
import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { formatCents } from "../../../contract/money.ts";
import type { Region } from "../../../contract/regions.ts";
import { isOpen, type ListingRecord, type ListingState } from "../../exchange/listing.ts";
import type { LeadRow } from "../../leads/rules.ts";
import { type KnownPayment, ledgerState, type LedgerRow } from "../../selling/payments/rules.ts";
import type { PurchaseRow } from "../../selling/purchases/rules.ts";
import { fateOf } from "../rewinding/rules.ts";

/** How far back a nightly run checks. A refund can fail weeks after it was made. */
export const RECONCILED_MS = 45 * DAY_MS;
/** Minimum age of a checked row. Newer rows may not have reached every store yet. */
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
  "market_differs",
] as const;
export type DifferenceKind = (typeof DIFFERENCES)[number];

/** A difference. `subjectId` is the ID of a payment, purchase or lead. `detail` advises the admin what to do. */
export type Difference = { kind: DifferenceKind; subjectId: string; detail: string };

/** Returns the command that updates D1 from the exchanges. @param since epoch ms */
const reproject = (since: number) =>
  `\`npm run operate -- reproject --since=${new Date(since).toISOString()} --remote\``;

/**
 * Returns whether the ledger agrees with Stripe about a payment. A payment with a pending refund still counts as
 * succeeded.
 */
function isSameState(payment: KnownPayment, row: LedgerRow): boolean {
  const expected = ledgerState(payment);
  return row.state === expected || (row.state === "refund_pending" && expected === "succeeded");
}

/** Compares a payment with its ledger row (null if missing). `since`: the start of the run's period (epoch ms). */
export function paymentDifferences(
  payment: KnownPayment,
  row: LedgerRow | null,
  since: number,
): Difference[] {
  const { paymentIntentId: id, leadId, amountCents, refundedCents, status } = payment;
  const keptCents = status === "succeeded" ? amountCents - refundedCents : 0;
  if (!row) {
    if (keptCents === 0) return [];
    const detail = `Stripe took ${formatCents(amountCents)} for lead ${leadId}, but the ledger has no record of it. If the exchange sold the lead with it, ${reproject(since)} adds it to the ledger. Otherwise refund ${id} in the Stripe dashboard.`;
    return [{ kind: "unknown_payment", subjectId: id, detail }];
  }
  const found: Difference[] = [];
  const add = (kind: DifferenceKind, detail: string) => found.push({ kind, subjectId: id, detail });
  if (!isSameState(payment, row))
    add(
      "payment_state",
      `Stripe says ${ledgerState(payment)}, but the ledger says ${row.state}. This run follows Stripe where it can. Check in the Stripe dashboard that events reach /api/stripe/webhook. If the two still differ tomorrow, update the ledger: \`npx wrangler d1 execute DB --remote --command "UPDATE payments SET state = '${ledgerState(payment)}' WHERE id = '${row.id}'"\``,
    );
  if (status === "succeeded" && row.amountCents !== amountCents)
    add(
      "payment_amount",
      `Stripe took ${formatCents(amountCents)}, but the ledger said ${formatCents(row.amountCents)}. The ledger now agrees with Stripe. You don't need to do anything.`,
    );
  if (refundedCents !== row.refundedCents)
    add(
      "payment_refund",
      `Stripe has refunded ${formatCents(refundedCents)}, but the ledger says ${formatCents(row.refundedCents)}. This run updates the ledger to match. If no one got the lead, refund the rest of ${id} in the Stripe dashboard.`,
    );
  return found;
}

/** Describes a payment that is in the ledger but unknown to Stripe. */
export function missingDifference(row: LedgerRow): Difference {
  const detail = `The ledger says ${row.state}, ${formatCents(row.amountCents)}, but Stripe has no record of this payment. Set STRIPE_SECRET_KEY to a key of the account that took it.`;
  return { kind: "payment_missing_at_stripe", subjectId: row.stripePaymentIntentId!, detail };
}

export const PURCHASE_STATUS: Partial<Record<LedgerRow["state"], PurchaseRow["paymentStatus"]>> = {
  succeeded: "completed",
  refunded: "refunded",
  disputed: "disputed",
};

/**
 * Compares a ledger row with the purchase it paid for (null if missing).
 * @param paidTwice Whether another payment for the same lead also succeeded and was not refunded
 * @param since the start of the run's period (epoch ms)
 */
export function purchaseDifferences(
  row: LedgerRow,
  purchase: Pick<PurchaseRow, "id" | "amountPaidCents" | "paymentStatus"> | null,
  paidTwice: boolean,
  since: number,
): Difference[] {
  const found: Difference[] = [];
  const isOver = row.state !== "pending" && row.state !== "processing";
  if (row.slot !== null && isOver)
    found.push({
      kind: "slot_taken",
      subjectId: row.id,
      detail: `This payment has finished (${row.state}) but still counted as one of the provider's two open purchases. We've fixed that. You don't need to do anything.`,
    });
  if (row.state === "succeeded" && paidTwice)
    found.push({
      kind: "paid_twice",
      subjectId: row.id,
      detail: `Lead ${row.leadId} was paid for more than once. In the Stripe dashboard, refund the payment that has no purchase.`,
    });
  if (!purchase) {
    if (row.state !== "succeeded") return found;
    const detail = `${formatCents(row.amountCents)} was paid for lead ${row.leadId}, but there is no purchase. If the exchange sold it, ${reproject(since)} restores the purchase. Otherwise refund ${row.stripePaymentIntentId} in the Stripe dashboard.`;
    return [...found, { kind: "paid_without_purchase", subjectId: row.id, detail }];
  }
  const keptCents = row.amountCents - row.refundedCents;
  const agreedCents = purchase.amountPaidCents;
  // A refund of the excess, or of the full amount, settles a wrong amount.
  if (row.amountCents !== agreedCents && keptCents !== agreedCents && keptCents > 0)
    found.push({
      kind: "purchase_amount",
      subjectId: purchase.id,
      detail: `The purchase says ${formatCents(agreedCents)}, but its payment says ${formatCents(row.amountCents)}. ${reproject(since)} copies the price from the exchange. If the two still differ tomorrow, refund ${keptCents > agreedCents ? `${formatCents(keptCents - agreedCents)} of` : "all of"} ${row.stripePaymentIntentId} in the Stripe dashboard.`,
    });
  const expected = PURCHASE_STATUS[row.state];
  if (expected && purchase.paymentStatus !== expected)
    found.push({
      kind: "purchase_status",
      subjectId: purchase.id,
      detail: `The purchase said ${purchase.paymentStatus}, but its payment is ${row.state}. We've updated the purchase. You don't need to do anything.`,
    });
  return found;
}

/** Checks that a card purchase has a payment. `state`: that payment's state in the ledger (null if missing). */
export function chargeDifferences(
  purchase: Pick<PurchaseRow, "id" | "mode" | "amountPaidCents">,
  state: LedgerRow["state"] | null,
  since: number,
): Difference[] {
  if (purchase.mode !== "stripe") return [];
  if (state === "succeeded" || state === "refunded" || state === "disputed") return [];
  const stand = state === null ? "the ledger has no payment for it" : `its payment is ${state}`;
  const detail = `A provider got this lead for ${formatCents(purchase.amountPaidCents)}, but ${stand}. ${reproject(since)} copies the payment from the exchange. If the two still differ tomorrow, look up the lead in the Stripe dashboard. If nothing was charged, ask the provider for the money.`;
  return [{ kind: "purchase_without_payment", subjectId: purchase.id, detail }];
}

/** Checks that a purchased lead is sold in D1. */
export function statusDifferences(
  { leadId }: Pick<PurchaseRow, "leadId">,
  leadStatus: LeadRow["status"],
): Difference[] {
  if (leadStatus === "sold") return [];
  const detail = `A provider bought this lead, but D1 said ${leadStatus}. We've marked it as sold again. You don't need to do anything.`;
  return [{ kind: "bought_not_sold", subjectId: leadId, detail }];
}

/** D1's row of a lead that an exchange has a record of. `isBought`: whether D1 has a purchase of the lead. */
type KnownLead = Parameters<typeof fateOf>[2] & { isBought: boolean };

const standing = (lead: KnownLead | undefined) =>
  lead ? `${lead.erasedAt === null ? "" : "erased, "}${lead.status}, ${lead.listingState}` : "nothing";

export function recordDifferences(
  region: Region,
  record: ListingRecord,
  lead: KnownLead | undefined,
  purchase: Pick<PurchaseRow, "id" | "buyerId" | "amountPaidCents" | "paymentIntentId"> | undefined,
  since: number,
): Difference[] {
  const { leadId, state, sale } = record;
  const differ = (what: string): Difference[] => [
    {
      kind: "sale_differs",
      subjectId: leadId,
      detail: `${what} The exchange is right. ${reproject(since)} updates D1 to match.`,
    },
  ];
  if (isOpen(state)) {
    const fate = lead ? fateOf(region, record, lead) : "close";
    if (fate === "keep" || fate === "relist") return [];
    const detail = `The exchange of ${region} offers this lead, but D1 says ${standing(lead)}. ${reproject(since)} takes it off that market, or updates D1 if D1 doesn't have the listing yet. If someone is paying for it, repeat the command ten minutes later.`;
    return [{ kind: "market_differs", subjectId: leadId, detail }];
  }
  if (!sale) {
    // A bought lead stays sold in D1 if its exchange was rewound to before the sale.
    const isSoldToNoOne = lead?.status === "sold" && !lead.isBought;
    return isSoldToNoOne ? differ(`The exchange says ${state}, but D1 says sold.`) : [];
  }
  if (lead?.status !== "sold")
    return differ(`The exchange sold it, but D1 says ${lead?.status ?? "nothing"}.`);
  if (!purchase)
    return differ(`The exchange sold it to ${sale.businessId}, but D1 doesn't have that purchase.`);
  if (purchase.buyerId !== sale.businessId)
    return differ(`The exchange sold it to ${sale.businessId}, but D1 says ${purchase.buyerId}.`);
  if (purchase.amountPaidCents !== sale.amountCents)
    return differ(
      `The exchange sold it for ${formatCents(sale.amountCents)}, but D1 says ${formatCents(purchase.amountPaidCents)}.`,
    );
  if (purchase.paymentIntentId !== (sale.paymentIntentId ?? null))
    return differ(
      `The exchange sold it with payment ${sale.paymentIntentId ?? "none"}, but D1 says ${purchase.paymentIntentId ?? "none"}.`,
    );
  return [];
}

/** Checks that a lead D1 offers is open at its exchange (`undefined`: the exchange does not know it). */
export function offerDifferences(
  { id, region, createdAt }: Pick<LeadRow, "id" | "region" | "createdAt">,
  state: ListingState | undefined,
): Difference[] {
  if (state !== undefined && isOpen(state)) return [];
  const detail = state
    ? `D1 offers this lead, but its exchange says ${state}. ${reproject(createdAt)} updates D1 to match.`
    : `D1 offers this lead, but its exchange has no record of it, so no one can buy it. \`npm run operate -- relist --region=${region} --remote\` puts it back on the market.`;
  return [{ kind: "offer_differs", subjectId: id, detail }];
}
