import { usePaymentReturn } from "../payments/use-payment-return.ts";

/** Resumes a purchase when the buyer returns from their bank's page. */
export function PaymentReturn() {
  usePaymentReturn();
  return null;
}
