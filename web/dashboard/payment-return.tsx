import { usePaymentReturn } from "../payments/use-payment-return.ts";

/** Takes up a purchase whose buyer comes back from a page of their bank. */
export function PaymentReturn() {
  usePaymentReturn();
  return null;
}
