import { useState } from "react";
import { useSearchParams } from "react-router";

import type { AdminPayment } from "../../contract/payments.ts";
import { PAYMENT_STATES } from "../../contract/payments.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatMoment } from "../lib/format-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { useSettled } from "../ui/use-settled.ts";
import { AdminList, type Column } from "./admin-list.tsx";
import { AttentionList } from "./attention-list.tsx";
import { formatAmount } from "../lib/format-money.ts";
import { FilterSelect, SearchBox } from "./filters.tsx";

export function meta() {
  return [{ title: "Payments | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

const STATE_LABELS: Readonly<Record<string, string>> = {
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
const STATE_OPTIONS = PAYMENT_STATES.map((value) => ({ value, label: STATE_LABELS[value] ?? value }));

const COLUMNS: readonly Column<AdminPayment>[] = [
  { name: "When", cell: (payment) => <time>{formatMoment(payment.createdAt)}</time> },
  {
    name: "Provider",
    cell: (payment) => (
      <div>
        <span className="list__main">{payment.buyerName}</span>
        {payment.card && <span className="list__sub">{payment.card}</span>}
      </div>
    ),
  },
  { name: "Amount", isFigure: true, cell: (payment) => formatAmount(payment.amount) },
  {
    name: "State",
    cell: (payment) => (
      <div>
        <Badge tone={TONES[payment.state] ?? "neutral"}>{STATE_LABELS[payment.state] ?? payment.state}</Badge>
        {payment.refundedAt !== null ? (
          <span className="list__sub">Refunded {formatMoment(payment.refundedAt)}</span>
        ) : (
          payment.refunded && (
            <span className="list__sub">{formatAmount(payment.refunded)} refunded so far</span>
          )
        )}
        {payment.lastError && <span className="list__sub">{payment.lastError}</span>}
      </div>
    ),
  },
  {
    name: "Ids",
    cell: (payment) => (
      <div className="list__code">
        <div>{payment.stripePaymentIntentId ?? "not at Stripe yet"}</div>
        <div>{payment.leadId}</div>
        <div>{payment.holdId}</div>
      </div>
    ),
  },
];

/** The ledger of card payments, and what needs a person. */
export default function PaymentsPage() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get("q") ?? "");
  const q = useSettled(typed.trim(), 250);
  const state = PAYMENT_STATES.find((known) => known === params.get("state"));
  const list = usePages<AdminPayment>(["admin", "payments", state ?? "", q], (cursor) =>
    readPage(
      browserApi().api["super-admin"].payments.$get({ query: { cursor, q, ...(state && { state }) } }),
    ),
  );
  return (
    <>
      <header className="admin__head">
        <h1>Payments</h1>
      </header>
      <AttentionList />
      <h2>Ledger</h2>
      <div className="admin__filters">
        <SearchBox
          label="Find a payment"
          placeholder="Stripe, lead, hold or payment id"
          value={typed}
          onChange={setTyped}
        />
        <FilterSelect
          label="State"
          all="Every state"
          options={STATE_OPTIONS}
          value={state ?? ""}
          onChange={(value) => setParams(value ? { state: value } : {}, { replace: true })}
        />
      </div>
      <AdminList
        label="Payments"
        list={list}
        columns={COLUMNS}
        idOf={(payment) => payment.id}
        loading="Loading payments..."
        empty="No payments match. Leads bought without a card are not in the ledger."
      />
    </>
  );
}
