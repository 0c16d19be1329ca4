import { Link } from "react-router";

import type { AuditEntry } from "../../contract/audit.ts";
import { serviceName } from "../../contract/catalogue.ts";
import type { AdminPayment } from "../../contract/payments.ts";
import type { ProviderPurchase } from "../../contract/providers.ts";
import { SALES_STAGES, STAGES } from "../../contract/stages.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatAmount } from "../lib/format-money.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { Badge } from "../ui/badge.tsx";
import { AdminList, type Column } from "./admin-list.tsx";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { IdLink } from "./id-link.tsx";
import { PAYMENT_COLUMNS } from "./payment-columns.tsx";
import { PURCHASE_MODE_NAMES } from "./purchase-modes.ts";

/** Number of rows that each list on this page shows at first. */
const PREVIEW_COUNT = "10";

function stageName(stored: string): string {
  const stage = SALES_STAGES.find((known) => known === stored);
  return STAGES[stage ?? "accepted_lead"].label;
}

const PURCHASE_COLUMNS: readonly Column<ProviderPurchase>[] = [
  { name: "When", cell: (purchase) => <time>{formatDateTime(purchase.purchasedAt)}</time> },
  {
    name: "Lead",
    cell: (purchase) => (
      <div>
        <span className="list__main">{purchase.serviceType.map(serviceName).join(" + ")}</span>
        <span className="list__sub">
          <bdi>{purchase.customerName}</bdi>, {purchase.suburbName ?? "elsewhere"}
        </span>
        <IdLink id={purchase.leadId} log />
      </div>
    ),
  },
  {
    name: "Paid",
    isFigure: true,
    cell: (purchase) => (
      <div>
        {purchase.paymentId ? (
          <Link to={`/admin/payments?q=${purchase.paymentId}`}>{formatAmount(purchase.amountPaid)}</Link>
        ) : (
          formatAmount(purchase.amountPaid)
        )}
        <span className="list__sub">{PURCHASE_MODE_NAMES[purchase.mode] ?? purchase.mode}</span>
      </div>
    ),
  },
  {
    name: "State",
    cell: (purchase) => (
      <div className="stack gap-2 list__stack">
        <span>{stageName(purchase.salesStage)}</span>
        <span className="cluster gap-1">
          {purchase.isArchived && <Badge>Archived</Badge>}
          {purchase.paymentStatus === "refunded" && <Badge>Refunded</Badge>}
          {purchase.paymentStatus === "disputed" && <Badge tone="hot">Disputed</Badge>}
          {purchase.badLead === "open" && <Badge tone="hot">Reported as a bad lead</Badge>}
          {purchase.badLead === "granted" && <Badge tone="warm">Bad-lead report accepted</Badge>}
          {purchase.badLead === "refused" && <Badge>Bad-lead report declined</Badge>}
        </span>
      </div>
    ),
  },
];

export function ProviderPurchases({ id }: { id: string }) {
  const list = usePages<ProviderPurchase>(["admin", "provider", id, "purchases"], (cursor) =>
    readPage(
      browserApi().api["super-admin"].providers[":id"].purchases.$get({
        param: { id },
        query: { cursor, limit: PREVIEW_COUNT },
      }),
    ),
  );
  return (
    <section className="part" aria-labelledby="provider-leads">
      <h2 id="provider-leads">Leads</h2>
      <AdminList
        label="Leads of this provider"
        list={list}
        columns={PURCHASE_COLUMNS}
        idOf={(purchase) => purchase.id}
        loading="Loading leads..."
        empty="No leads yet."
      />
    </section>
  );
}

export function ProviderPayments({ id }: { id: string }) {
  const list = usePages<AdminPayment>(["admin", "provider", id, "payments"], (cursor) =>
    readPage(
      browserApi().api["super-admin"].payments.$get({
        query: { cursor, buyerId: id, limit: PREVIEW_COUNT } as never,
      }),
    ),
  );
  return (
    <section className="part" aria-labelledby="provider-payments">
      <h2 id="provider-payments">Payments</h2>
      <AdminList
        label="Payments of this provider"
        list={list}
        columns={PAYMENT_COLUMNS}
        idOf={(payment) => payment.id}
        loading="Loading payments..."
        empty="No card payments yet."
      />
    </section>
  );
}

/** Shows audit log entries about a provider's account, with a link to those about their own actions. */
export function ProviderLog({ id }: { id: string }) {
  const list = usePages<AuditEntry>(["admin", "provider", id, "audit"], (cursor) =>
    readPage(
      browserApi().api["super-admin"].audit.$get({
        query: { cursor, subjectId: id, limit: PREVIEW_COUNT } as never,
      }),
    ),
  );
  return (
    <section className="part" aria-labelledby="provider-log">
      <h2 id="provider-log">Audit log</h2>
      <p>
        Changes to this account. <Link to={`/admin/audit?q=${id}`}>See what this provider did</Link>
      </p>
      <AdminList
        label="Log of this provider"
        list={list}
        columns={AUDIT_COLUMNS}
        idOf={(line) => String(line.id)}
        loading="Loading the log..."
        empty="No changes yet."
      />
    </section>
  );
}
