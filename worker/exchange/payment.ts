/** What the machine has to know of a payment, as Stripe told it just now. */
export type Payment = {
  paymentIntentId: string;
  /**
   * `open`: could still be paid or cancelled. `processing`: neither, wait. `succeeded` and `cancelled`
   * are final.
   */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  currency: string;
  leadId: string;
  holdId: string;
  businessId: string;
};

/** What a payment was made for: the part of a hold that the ledger knows as well. */
export type PaymentOrder = {
  leadId: string;
  region: string;
  holdId: string;
  businessId: string;
  amountCents: number;
};
