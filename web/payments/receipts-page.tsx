import { data, Link, redirect } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import { formatCard, type ReceiptState } from "../../contract/payments.ts";
import { fetchCurrentUser } from "../auth/current-user.ts";
import { nextCursor } from "../lib/next-page.ts";
import { unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { formatDate } from "../lib/format-time.ts";
import { Badge } from "../ui/badge.tsx";
import type { Route } from "./+types/receipts-page.ts";
import { formatAmount } from "../lib/format-money.ts";
import { ReceiptsClosed, receiptsGate } from "./receipts-gate.tsx";

/** Labels for states that need one. An ordinary payment does not. */
export const STATE_LABELS: Partial<Record<ReceiptState, string>> = {
  refund_pending: "Refund on its way",
  refunded: "Refunded",
  disputed: "Disputed",
};

export async function loader({ context, request }: Route.LoaderArgs) {
  const api = context.get(apiContext);
  const gate = receiptsGate(await fetchCurrentUser(api));
  if (gate) return data({ gate, receipts: [], next: null }, { status: gate === "signed_out" ? 401 : 403 });
  const cursor = new URL(request.url).searchParams.get("cursor") ?? undefined;
  const response = await api.api.payments.$get({ query: { cursor } });
  // Restart the list if the cursor is invalid.
  if (cursor !== undefined && response.status === 400) throw redirect("/receipts");
  return data({ gate, receipts: await unwrap(response), next: nextCursor(response) });
}

export function meta() {
  return [{ title: "Receipts | Naturestrip" }, { name: "robots", content: "noindex" }];
}

export default function ReceiptsPage({ loaderData: { gate, receipts, next } }: Route.ComponentProps) {
  if (gate) return <ReceiptsClosed gate={gate} />;
  return (
    <div className="stack gap-4 receipts">
      <h1>Receipts</h1>
      {receipts.length === 0 ? (
        <div className="empty">
          <p>
            <strong>No receipts yet.</strong>
          </p>
          <p>You'll find one here for every lead you buy with a card, ready to print.</p>
          <Link className="button button--quiet" to="/dashboard">
            See the leads
          </Link>
        </div>
      ) : (
        <ul className="box receipts__list">
          {receipts.map((receipt) => (
            <li key={receipt.id}>
              <Link to={`/receipts/${receipt.id}`}>
                <span className="receipts__what">
                  <strong>{receipt.lead.serviceType.map(serviceName).join(" + ")}</strong>
                  <span className="muted text-sm">
                    {receipt.lead.suburbName ?? "NSW"} {receipt.lead.suburbPostcode}
                  </span>
                </span>
                <span className="muted text-sm receipts__how">
                  <time dateTime={new Date(receipt.paidAt).toISOString()}>{formatDate(receipt.paidAt)}</time>
                  {receipt.card && <span>{formatCard(receipt.card)}</span>}
                </span>
                <span className="stack gap-1 receipts__amount">
                  {STATE_LABELS[receipt.state] && <Badge tone="warm">{STATE_LABELS[receipt.state]}</Badge>}
                  {receipt.state === "succeeded" && receipt.refunded && (
                    <Badge tone="warm">{formatAmount(receipt.refunded)} refunded</Badge>
                  )}
                  <strong>{formatAmount(receipt.amount)}</strong>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {next && (
        <p className="more">
          <Link className="button button--quiet" to={`/receipts?cursor=${encodeURIComponent(next)}`}>
            Older receipts
          </Link>
        </p>
      )}
    </div>
  );
}
