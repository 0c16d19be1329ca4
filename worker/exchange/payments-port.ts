import type { Answer } from "./listing.ts";
import type { Payment, PaymentOrder } from "./payment.ts";

/** What became of a payment that was to be cancelled. */
export type CancelOutcome = {
  /** As Stripe says. */
  status: Payment["status"];
  /** As the exchange is to see it. */
  payment: Payment;
  /** Writes into the ledger what it came to. @param answer the exchange's word about it. @throws D1's errors */
  record: (answer: Answer) => Promise<void>;
};

/** What an exchange asks of the payments, wherever they are made. */
export type PaymentsPort = {
  /**
   * Cancels a payment, or finds out what became of it.
   * @returns null when it is none of ours. @throws when that is not known
   */
  cancel: (intentId: string, order: PaymentOrder) => Promise<CancelOutcome | null>;
  /**
   * Notes that a buyer let go of a lead.
   * @param hold `hasLapsed`: by its time, and not because they closed it
   * @param now epoch ms
   * @throws D1's errors
   */
  recordLetGo: (hold: { leadId: string; holdId: string; hasLapsed: boolean }, now: number) => Promise<void>;
  /** Closes the books on a hold whose time ran out before it had a payment. @param now epoch ms. @throws D1's errors */
  endUnpaid: (hold: { leadId: string; holdId: string }, now: number) => Promise<void>;
  /** Pays back a sale whose purchase D1 refused. @throws when it has to be tried again */
  payBack: (intentId: string, order: PaymentOrder) => Promise<void>;
};
