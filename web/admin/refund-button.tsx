import { useState } from "react";

import type { AdminPayment } from "../../contract/payments.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatAmount } from "../lib/format-money.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { useAdminAction } from "./use-admin-action.ts";

/** Refunds a payment. Renders nothing if there is nothing to refund. */
export function RefundButton({ payment }: { payment: AdminPayment }) {
  const [isAsking, setAsking] = useState(false);
  const { id, buyerName, amount } = payment;
  const refund = useAdminAction({
    list: "payments",
    act: (reason: string) =>
      unwrap(
        browserApi().api["super-admin"].payments[":id"].refund.$post({ param: { id }, json: { reason } }),
      ),
    getDoneMessage: (_, { state }) =>
      state === "refunded"
        ? { title: "Payment refunded", description: `${formatAmount(amount)} is on its way to ${buyerName}.` }
        : {
            title: "Refund requested",
            description: "Stripe hasn't accepted it yet. We'll try again every minute.",
          },
    failed: "Failed to refund",
    onDone: () => setAsking(false),
  });
  if (payment.state !== "succeeded") return null;
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Refund<span className="visually-hidden"> the payment of {buyerName}</span>
      </Button>
      {isAsking && (
        <ConfirmActionDialog
          title={`Refund ${buyerName}?`}
          reason={{ label: "Why", required: true }}
          actionLabel={`Refund ${formatAmount(amount)}`}
          isIrreversible
          isBusy={refund.isPending}
          onConfirm={refund.mutate}
          onClose={() => setAsking(false)}
        >
          <p>
            We'll refund the full {formatAmount(amount)} to the card. {buyerName} keeps the lead. It stays
            sold and will show as refunded. You can't undo this.
          </p>
        </ConfirmActionDialog>
      )}
    </>
  );
}
