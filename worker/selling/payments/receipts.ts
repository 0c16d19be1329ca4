/** Builds the views of payments and saved cards for businesses. */
import type { Stripe } from "stripe";
import { centsToText } from "../../../contract/money.ts";
import type { ReceiptState, SavedCard } from "../../../contract/payments.ts";
import type { Settings } from "../../platform/env.ts";
import type { UserRow } from "../../platform/session.ts";
import type { LeadRow } from "../../leads/rules.ts";
import type { PurchaseRow } from "../purchases/rules.ts";
import { distinctCards, expiryOf } from "./card-rules.ts";
import type { LedgerRow } from "./rules.ts";

/** Returns the GST included in a price, in cents: one eleventh, to the nearest cent. */
export function gstWithin(cents: number): number {
  return Math.round(cents / 11);
}

/**
 * Returns a business's saved cards for display. Shows only the later copy of a card saved twice.
 * @param now epoch ms, to determine each card's expiry
 */
export function shownCards(methods: readonly Stripe.PaymentMethod[], now: number): SavedCard[] {
  return distinctCards(methods).map(({ id, card }) => {
    const { brand, last4, exp_month: expMonth, exp_year: expYear } = card!;
    return { id, brand, last4, expMonth, expYear, expiry: expiryOf({ expMonth, expYear }, now) };
  });
}

/** The data of a receipt. `purchase` is null if the payment did not result in a purchase. */
export type ReceiptFacts = {
  payment: LedgerRow;
  lead: Pick<LeadRow, "serviceType" | "suburbName" | "suburbPostcode">;
  purchase: Pick<PurchaseRow, "buyerName" | "buyerCompany"> | null;
  account: Pick<UserRow, "firstName" | "lastName" | "companyName" | "abn">;
};

export function toReceiptLine({ payment, lead }: ReceiptFacts) {
  const { id, leadId, state, amountCents, cardBrand, cardLast4, succeededAt, createdAt } = payment;
  return {
    id,
    leadId,
    state: state as ReceiptState,
    amount: centsToText(amountCents),
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
    paidAt: succeededAt ?? createdAt,
    refundedAt: payment.refundedAt,
    refunded: payment.refundedCents > 0 ? centsToText(payment.refundedCents) : null,
    lead,
  };
}

/** Returns a full receipt. It is a tax invoice if the seller is registered for GST. */
export function toReceipt(
  facts: ReceiptFacts,
  { legalEntity, isGstRegistered: isTaxInvoice }: Pick<Settings, "legalEntity" | "isGstRegistered">,
) {
  const { purchase, account, payment } = facts;
  return {
    ...toReceiptLine(facts),
    isTaxInvoice,
    gst: isTaxInvoice ? centsToText(gstWithin(payment.amountCents)) : null,
    seller: legalEntity,
    buyer: {
      name: purchase?.buyerName || `${account.firstName} ${account.lastName}`,
      company: purchase ? purchase.buyerCompany : account.companyName,
      abn: account.abn,
    },
  };
}
