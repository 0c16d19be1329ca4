import { useState } from "react";
import { useSearchParams } from "react-router";

import type { AdminPayment } from "../../contract/payments.ts";
import { PAYMENT_STATES } from "../../contract/payments.ts";
import { browserApi } from "../lib/browser-api.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { AdminList } from "./admin-list.tsx";
import { AttentionList } from "./attention-list.tsx";
import { FilterSelect, SearchBox } from "./filters.tsx";
import { PAYMENT_COLUMNS, PAYMENT_LABELS } from "./payment-columns.tsx";

export function meta() {
  return [{ title: "Payments | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

const STATE_OPTIONS = PAYMENT_STATES.map((value) => ({ value, label: PAYMENT_LABELS[value] ?? value }));

/** Shows the ledger of card payments, and the problems that need a person. */
export default function PaymentsPage() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get("q") ?? "");
  const q = useDebounced(typed.trim(), 250);
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
          placeholder="Stripe, lead, hold or payment ID"
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
        columns={PAYMENT_COLUMNS}
        idOf={(payment) => payment.id}
        loading="Loading payments..."
        empty="No payments match. Leads bought without a card aren't in the ledger."
      />
    </>
  );
}
