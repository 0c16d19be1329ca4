import type { Answer } from "./listing.ts";
import type { Payment, PaymentOrder } from "./payment.ts";

export type CancelOutcome = {
  status: Payment["status"];
  /** The payment, as the exchange settles it. */
  payment: Payment;
  /** Writes the outcome to the ledger. @param answer the exchange's decision about it. @throws D1's errors */
  record: (answer: Answer) => Promise<void>;
};

/** The payment operations that an exchange calls, wherever they run. */
export type PaymentsPort = {
  /**
   * Cancels a payment, or finds out its outcome.
   * @returns null when the payment is none of ours. @throws when the outcome is unknown
   */
  cancel: (intentId: string, order: PaymentOrder) => Promise<CancelOutcome | null>;
  /**
   * Records that a buyer released a lead.
   * @param hold `hasLapsed`: its time ran out, and the buyer did not close it
   * @param now epoch ms
   * @throws D1's errors
   */
  recordAbandonedHold: (
    hold: { leadId: string; holdId: string; hasLapsed: boolean },
    now: number,
  ) => Promise<void>;
  /** Closes the ledger row of a hold that lapsed before it had a payment. @param now epoch ms. @throws D1's errors */
  endUnpaid: (hold: { leadId: string; holdId: string }, now: number) => Promise<void>;
  /** Refunds a sale after D1 refused its purchase. @throws when it has to be retried */
  payBack: (intentId: string, order: PaymentOrder) => Promise<void>;
};
