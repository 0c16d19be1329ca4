import type { AdminPayment } from "../../contract/payments.ts";
import { unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatAmount } from "../lib/format-money.ts";
import { rowAction, type RowActionMap } from "./row-actions.tsx";

/** Returns what an admin can do with a payment: refund it, or release the lead if it does not end by itself. */
export function paymentActions({ id, buyerName, amount, state }: AdminPayment): RowActionMap {
  const payment = adminApi().payments[":id"];
  return {
    refund: rowAction({
      label: "Refund",
      of: `the payment of ${buyerName}`,
      when: state === "succeeded",
      act: ({ reason }) => unwrap(payment.refund.$post({ param: { id }, json: { reason } })),
      done: (_, result) =>
        result.state === "refunded"
          ? {
              title: "Payment refunded",
              description: `${formatAmount(amount)} is on its way to ${buyerName}.`,
            }
          : {
              title: "Refund requested",
              description: "Stripe hasn't accepted it yet. We'll try again every minute.",
            },
      failed: "Failed to refund",
      confirm: {
        title: `Refund ${buyerName}?`,
        text: (
          <p>
            We'll refund the full {formatAmount(amount)} to the card. {buyerName} keeps the lead. It stays
            sold and will show as refunded. You can't undo this.
          </p>
        ),
        reason: { label: "Why", required: true },
        label: `Refund ${formatAmount(amount)}`,
        isIrreversible: true,
      },
    }),
    release: {
      label: "Release the lead",
      of: `that ${buyerName} is paying for`,
      when: state === "pending" || state === "processing",
      act: () => unwrap(payment.release.$post({ param: { id } })),
      done: { title: "Lead released", description: "Other providers can buy it again." },
      failed: "Failed to release the lead",
      confirm: {
        title: `Release the lead from ${buyerName}?`,
        text: (
          <p>
            Do this only if the payment is stuck: look it up in Stripe first, and cancel it there if it's
            open. Other providers can then buy the lead. If the payment still goes through, we'll refund it in
            full.
          </p>
        ),
        label: "Release the lead",
        isIrreversible: true,
      },
    },
  };
}
