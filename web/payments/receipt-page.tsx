import type { InferResponseType } from "hono/client";
import { data, Link } from "react-router";

import { serviceName } from "../../contract/catalogue.ts";
import { formatCard } from "../../contract/payments.ts";
import { fetchCurrentUser } from "../auth/current-user.ts";
import { isPassedOnPrice } from "../market/passed-on.ts";
import { type ApiClient, unwrap } from "../lib/api.ts";
import { apiContext } from "../lib/server-context.ts";
import { formatDate } from "../lib/format-time.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/receipt-page.ts";
import { formatAmount } from "../lib/format-money.ts";
import { ReceiptsClosed, receiptsGate } from "./receipts-gate.tsx";

type Receipt = InferResponseType<ApiClient["api"]["payments"][":id"]["$get"], 200>;

export async function loader({ context, params }: Route.LoaderArgs) {
  const api = context.get(apiContext);
  const gate = receiptsGate(await fetchCurrentUser(api));
  if (gate) return data({ gate, receipt: null }, { status: gate === "signed_out" ? 401 : 403 });
  const response = await api.api.payments[":id"].$get({ param: { id: params.id } });
  // The API responds 404 for another business's receipt too.
  if (response.status === 404) return data({ gate, receipt: null }, { status: 404 });
  return data({ gate, receipt: await unwrap(response) });
}

export function meta({ loaderData }: Route.MetaArgs) {
  const name = loaderData?.receipt ? `Receipt ${getReceiptNumber(loaderData.receipt)}` : "Receipt";
  return [{ title: `${name} | Naturestrip` }, { name: "robots", content: "noindex" }];
}

/** Returns a receipt number that is easy to read out. The end of the ID is enough to find the receipt. */
function getReceiptNumber({ id }: Pick<Receipt, "id">): string {
  return id.slice("pay_".length).toUpperCase();
}

export default function ReceiptPage({ loaderData }: Route.ComponentProps) {
  const { gate, receipt } = loaderData;
  if (gate) return <ReceiptsClosed gate={gate} />;
  return (
    <div className="stack gap-4 receipts">
      <p className="line receipts__back">
        <Link to="/receipts">
          <Icon name="back" size={18} /> All receipts
        </Link>
        {receipt && (
          <Button variant="quiet" onClick={() => window.print()}>
            Print or save as PDF
          </Button>
        )}
      </p>
      {receipt ? (
        <ReceiptSheet receipt={receipt} />
      ) : (
        <div className="empty">
          <h1>We can't find that receipt</h1>
          <p>It may belong to another account.</p>
        </div>
      )}
    </div>
  );
}

/** Shows the details required on a tax invoice, on one sheet. */
function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { seller, buyer, lead } = receipt;
  return (
    <article className="stack gap-5 receipt">
      <header className="cluster receipt__head">
        <div>
          <h1>{receipt.isTaxInvoice ? "Tax invoice" : "Receipt"}</h1>
          <p className="muted text-sm receipt__number">{getReceiptNumber(receipt)}</p>
        </div>
        <div className="receipt__seller">
          <strong>Naturestrip</strong>
          <span>{seller.name}</span>
          <span>ABN {seller.abn}</span>
          <span>{seller.address}</span>
        </div>
      </header>
      <RefundNote receipt={receipt} />
      <dl className="stack gap-4 receipt__facts">
        <div>
          <dt>Date paid</dt>
          <dd>
            <time dateTime={new Date(receipt.paidAt).toISOString()}>{formatDate(receipt.paidAt)}</time>
          </dd>
        </div>
        <div>
          <dt>Paid with</dt>
          <dd>{receipt.card ? formatCard(receipt.card) : "Card"}</dd>
        </div>
        <div>
          <dt>Billed to</dt>
          <dd>
            {buyer.company && <strong>{buyer.company}</strong>}
            <span>{buyer.name}</span>
            {buyer.abn && <span>ABN {buyer.abn}</span>}
          </dd>
        </div>
      </dl>
      <table className="receipt__lines">
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col">Qty</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              Exclusive lead: {lead.serviceType.map(serviceName).join(" + ")}
              <span className="muted text-sm">
                {lead.suburbName ?? "NSW"} {lead.suburbPostcode}
              </span>
            </td>
            <td>1</td>
            <td>{formatAmount(receipt.amount)}</td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {receipt.gst ? "Total, including GST" : "Total"}
            </th>
            <td>{formatAmount(receipt.amount)} AUD</td>
          </tr>
          {receipt.gst && (
            <tr className="receipt__gst">
              <th scope="row" colSpan={2}>
                GST included in the total
              </th>
              <td>{formatAmount(receipt.gst)}</td>
            </tr>
          )}
        </tfoot>
      </table>
      <p className="muted text-sm">
        {receipt.gst ? "The total price includes GST of one eleventh." : "No GST has been charged."}{" "}
        {!isPassedOnPrice(receipt.amount) && "Sold to one provider only. "}Purchases are final.
      </p>
    </article>
  );
}

function RefundNote({ receipt: { state, amount, refundedAt, refunded } }: { receipt: Receipt }) {
  const words = {
    succeeded: refunded && `${formatAmount(refunded)} of this has been refunded.`,
    refund_pending: `${formatAmount(amount)} is on its way back to the card.`,
    refunded: `Refunded in full${refundedAt ? ` on ${formatDate(refundedAt)}` : ""}. Nothing is owed for this lead.`,
    disputed: "The cardholder has disputed this payment with their bank.",
  }[state];
  return words && <p className="receipt__refund">{words}</p>;
}
