import { PAYMENT_STATES } from "../../contract/payments.ts";
import { adminApi } from "../lib/browser-api.ts";
import { ListPage } from "./list-page.tsx";
import { PAYMENT_COLUMNS, PAYMENT_LABELS } from "./payment-columns.tsx";

const STATE_OPTIONS = PAYMENT_STATES.map((value) => ({ value, label: PAYMENT_LABELS[value] ?? value }));

/** Shows the ledger of card payments. */
export default function PaymentsPage() {
  return (
    <ListPage
      title="Payments"
      list="payments"
      search={{ label: "Find a payment", placeholder: "Stripe, lead, hold or payment ID" }}
      filters={{ state: { label: "State", all: "Every state", options: STATE_OPTIONS } }}
      fetchPage={(chosen, part) => adminApi().payments.$get({ query: { ...chosen, ...part } })}
      columns={PAYMENT_COLUMNS}
      idOf={(payment) => payment.id}
      empty={() => "No payments match. Leads bought without a card aren't in the ledger."}
    />
  );
}
