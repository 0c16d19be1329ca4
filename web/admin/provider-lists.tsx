import type { ClientResponse } from "hono/client";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import type { ProviderPurchase } from "../../contract/providers.ts";
import { SALES_STAGES, STAGES } from "../../contract/stages.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatAmount } from "../lib/format-money.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { Badge } from "../ui/badge.tsx";
import { AdminList, type Column } from "./admin-list.tsx";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { IdLink } from "./id-link.tsx";
import type { ListPart } from "./list-page.tsx";
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

type ListProps<Row> = Omit<ComponentProps<typeof AdminList<Row>>, "list"> & {
  id: string;
  /** The list's name in its query key. */
  list: string;
  title: string;
  intro?: ReactNode;
  fetchPage: (part: ListPart) => Promise<ClientResponse<Row[], number, "json">>;
};

/** Shows one list about a provider. */
function ProviderList<Row>({ id, list, title, intro, fetchPage, ...shown }: ListProps<Row>) {
  const pages = usePages<Row>(["admin", "provider", id, list], (cursor) =>
    readPage(fetchPage({ cursor, limit: PREVIEW_COUNT })),
  );
  return (
    <section className="part" aria-labelledby={`provider-${list}`}>
      <h2 id={`provider-${list}`}>{title}</h2>
      {intro}
      <AdminList list={pages} {...shown} />
    </section>
  );
}

export function ProviderPurchases({ id }: { id: string }) {
  return (
    <ProviderList
      id={id}
      list="purchases"
      title="Leads"
      label="Leads of this provider"
      fetchPage={(query) => adminApi().providers[":id"].purchases.$get({ param: { id }, query })}
      columns={PURCHASE_COLUMNS}
      idOf={(purchase) => purchase.id}
      loading="Loading leads..."
      empty="No leads yet."
    />
  );
}

export function ProviderPayments({ id }: { id: string }) {
  return (
    <ProviderList
      id={id}
      list="payments"
      title="Payments"
      label="Payments of this provider"
      fetchPage={(page) => adminApi().payments.$get({ query: { ...page, buyerId: id } })}
      columns={PAYMENT_COLUMNS}
      idOf={(payment) => payment.id}
      loading="Loading payments..."
      empty="No card payments yet."
    />
  );
}

/** Shows audit log entries about a provider's account, with a link to those about their own actions. */
export function ProviderLog({ id }: { id: string }) {
  return (
    <ProviderList
      id={id}
      list="audit"
      title="Audit log"
      label="Log of this provider"
      intro={
        <p>
          Changes to this account. <Link to={`/admin/audit?q=${id}`}>See what this provider did</Link>
        </p>
      }
      fetchPage={(page) => adminApi().audit.$get({ query: { ...page, subjectId: id } })}
      columns={AUDIT_COLUMNS}
      idOf={(line) => String(line.id)}
      loading="Loading the log..."
      empty="No changes yet."
    />
  );
}
