import { useState } from "react";

import type { AdminPayment } from "../../contract/payments.ts";
import { unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmActionDialog } from "./confirm-action-dialog.tsx";
import { useAdminAction } from "./use-admin-action.ts";

/** Releases the lead of a payment that does not end by itself. Renders nothing for a finished payment. */
export function ReleaseButton({ payment }: { payment: AdminPayment }) {
  const [isAsking, setAsking] = useState(false);
  const { id, buyerName } = payment;
  const release = useAdminAction({
    list: "payments",
    act: () => unwrap(browserApi().api["super-admin"].payments[":id"].release.$post({ param: { id } })),
    getDoneMessage: () => ({ title: "Lead released", description: "Other providers can buy it again." }),
    failed: "Failed to release the lead",
    onDone: () => setAsking(false),
  });
  if (payment.state !== "pending" && payment.state !== "processing") return null;
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Release the lead<span className="visually-hidden"> that {buyerName} is paying for</span>
      </Button>
      {isAsking && (
        <ConfirmActionDialog
          title={`Release the lead from ${buyerName}?`}
          actionLabel="Release the lead"
          isIrreversible
          isBusy={release.isPending}
          onConfirm={() => release.mutate(undefined)}
          onClose={() => setAsking(false)}
        >
          <p>
            Do this only if the payment is stuck: look it up in Stripe first, and cancel it there if it's
            open. Other providers can then buy the lead. If the payment still goes through, we'll refund it in
            full.
          </p>
        </ConfirmActionDialog>
      )}
    </>
  );
}
