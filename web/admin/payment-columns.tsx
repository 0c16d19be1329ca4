import type { AdminPayment } from "../../contract/payments.ts";
import { formatAmount } from "../lib/format-money.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { toSentence } from "../lib/to-sentence.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import type { Column } from "./admin-list.tsx";
import { IdLink, ProviderCell } from "./id-link.tsx";
import { paymentActions } from "./payment-actions.tsx";
import { RowActions } from "./row-actions.tsx";

export const PAYMENT_LABELS: Readonly<Record<string, string>> = {
  pending: "Pending",
  processing: "Processing",
  succeeded: "Succeeded",
  cancelled: "Cancelled",
  refund_pending: "Refund owed",
  refunded: "Refunded",
  disputed: "Disputed",
};
const TONES: Readonly<Record<string, BadgeTone>> = {
  succeeded: "fresh",
  processing: "warm",
  refund_pending: "hot",
  disputed: "hot",
};
/** States of a payment before any money has moved. Only these show the last error. */
const FAILED_STATES: ReadonlySet<string> = new Set(["pending", "processing", "cancelled", "refund_pending"]);

export const PAYMENT_COLUMNS: readonly Column<AdminPayment>[] = [
  { name: "When", cell: (payment) => <time>{formatDateTime(payment.createdAt)}</time> },
  {
    name: "Provider",
    cell: (payment) => <ProviderCell id={payment.buyerId} name={payment.buyerName} sub={payment.card} />,
  },
  { name: "Amount", isFigure: true, cell: (payment) => formatAmount(payment.amount) },
  {
    name: "State",
    cell: (payment) => (
      <div className="stack gap-2 list__stack">
        <Badge tone={TONES[payment.state] ?? "neutral"}>
          {PAYMENT_LABELS[payment.state] ?? payment.state}
        </Badge>
        {payment.refundedAt !== null ? (
          <span className="list__sub">Refunded {formatDateTime(payment.refundedAt)}</span>
        ) : (
          payment.refunded && (
            <span className="list__sub">{formatAmount(payment.refunded)} refunded so far</span>
          )
        )}
        {payment.lastError && FAILED_STATES.has(payment.state) && (
          <span className="list__sub">{toSentence(payment.lastError)}</span>
        )}
        <RowActions list="payments" actions={paymentActions(payment)} />
      </div>
    ),
  },
  {
    name: "IDs",
    cell: (payment) => (
      <details className="list__ids">
        <summary>Show IDs</summary>
        <span className="list__code">{payment.stripePaymentIntentId ?? "not sent to Stripe yet"}</span>
        <IdLink id={payment.id} log />
        <IdLink id={payment.leadId} log />
        <span className="list__code">{payment.holdId}</span>
        {payment.lastError && <span className="list__code">last error {payment.lastError}</span>}
      </details>
    ),
  },
];
