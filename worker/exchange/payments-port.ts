import type { Answer } from "./listing.ts";
import type { Payment, PaymentOrder } from "./payment.ts";

export type CancelOutcome = {
  status: Payment["status"];
  /** The payment, as the exchange settles it. */
  payment: Payment;
  /** Writes the outcome to the ledger. @param answer the exchange's decision about the payment. @throws D1's errors */
  record: (answer: Answer) => Promise<void>;
};

/** The payment operations that an exchange needs. */
export type PaymentsPort = {
  /**
   * Cancels a payment, or returns its outcome if it is already final.
   * @returns null if the payment does not belong to this app. @throws if the outcome is unknown
   */
  cancel: (intentId: string, order: PaymentOrder) => Promise<CancelOutcome | null>;
  /**
   * Records that a buyer released a lead.
   * @param hold `hasLapsed`: whether the hold's time ran out, rather than the buyer closing it
   * @param now epoch ms
   * @throws D1's errors
   */
  recordAbandonedHold: (
    hold: { leadId: string; holdId: string; hasLapsed: boolean },
    now: number,
  ) => Promise<void>;
  /** Closes the ledger row of a hold that lapsed before it had a payment. @param now epoch ms. @throws D1's errors */
  endUnpaid: (hold: { leadId: string; holdId: string }, now: number) => Promise<void>;
  /** Refunds a sale after D1 refused its purchase. @throws if the refund must be retried */
  refundSale: (intentId: string, order: PaymentOrder) => Promise<void>;
};
