import type { Sale } from "./listing.ts";

/** The buyer's details on the purchase, from the purchase form or else from the account. */
export type BuyerDetails = {
  name: string;
  email: string | null;
  phone: string | null;
  company: string | null;
};

/** Returns the row of a new purchase, for any purchase mode. Other columns keep their defaults. */
export function purchaseRow(leadId: string, sale: Sale, buyer: BuyerDetails) {
  return {
    id: sale.purchaseId,
    leadId,
    buyerId: sale.businessId,
    boughtByUserId: sale.userId,
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    buyerPhone: buyer.phone,
    buyerCompany: buyer.company,
    mode: sale.mode,
    amountPaidCents: sale.amountCents,
    paymentStatus: "completed" as const,
    paymentIntentId: sale.paymentIntentId ?? null,
    purchasedAt: sale.soldAt,
    updatedAt: sale.soldAt,
  };
}
