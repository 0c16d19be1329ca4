import type { Db } from "../platform/db/client.ts";
import type { Answer, Projection } from "./listing.ts";

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

/**
 * `conflict`: D1 has another live purchase of this lead, which is never overwritten. D1 stops offering the lead, the
 * admins are alerted, and the payment is refunded.
 */
export type ProjectionOutcome = "written" | "conflict";

/** Writes an exchange's decision to D1, with the messages that it causes. @throws D1's errors, for a retry */
export type ProjectListing = (db: Db, projection: Projection, buyer: null) => Promise<ProjectionOutcome>;
