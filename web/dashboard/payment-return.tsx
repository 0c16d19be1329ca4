import { usePaymentReturn } from "../payments/use-payment-return.ts";

export function PaymentReturn() {
  usePaymentReturn();
  return null;
}
