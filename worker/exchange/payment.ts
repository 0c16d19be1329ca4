/** The facts about a payment that the state machine needs, as Stripe just reported them. */
export type Payment = {
  paymentIntentId: string;
  /**
   * `open`: can still be paid or cancelled. `processing`: can be neither until Stripe reports the outcome. `succeeded`
   * and `cancelled` are final.
   */
  status: "open" | "processing" | "succeeded" | "cancelled";
  amountCents: number;
  currency: string;
  leadId: string;
  holdId: string;
  businessId: string;
};

/** The purpose of a payment: the part of a hold that the ledger stores as well. */
export type PaymentOrder = {
  leadId: string;
  region: string;
  holdId: string;
  businessId: string;
  amountCents: number;
};
