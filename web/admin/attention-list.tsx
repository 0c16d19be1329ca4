import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import type { AttentionItem } from "../../contract/attention.ts";
import { messageOf, unwrap } from "../lib/api.ts";
import { adminApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { toSentence } from "../lib/to-sentence.ts";
import { Button } from "../ui/button.tsx";
import { IdLink } from "./id-link.tsx";
import { ActionButton, type RowAction } from "./row-actions.tsx";

const KIND_LABELS: Readonly<Record<string, string>> = {
  release_stuck: "A payment can't be cancelled",
  payment_missing: "Stripe has no record of a payment",
  payment_mismatch: "A payment doesn't match its hold",
  refund_failed: "A refund is still owed",
  refund_came_back: "A refund was returned",
  newcomer_share: "New providers have reached their limit in a region",
  held_in_vain: "Held several times, never sold",
  sale_conflict: "A lead was sold twice",
  rescue_needed: "A customer needs another provider",
  never_asked: "A customer says they never asked for a quote",
  page_reported: "A visitor reported a provider's page",
  same_person: "A new business may belong to the person behind another",
  checked_name_changed: "A business with checks has a new name",
  guarantee_review: "A decision under the guarantee",
  call_log_review: "A customer has said twice that a logged call never came",
  sale_without_lead: "A sale without a lead",
  sale_without_buyer: "A sale without a buyer",
  payment_missing_at_stripe: "Stripe has no record of a payment in the ledger",
  paid_twice: "A lead was paid for twice",
  paid_without_purchase: "A payment without a purchase",
  purchase_amount: "A purchase and its payment have different amounts",
  purchase_without_payment: "A purchase no one paid for",
  exchange_forgot: "A region's market lost its data",
  closure_failed: "A closed account hasn't been deleted",
  messages_stuck: "Messages aren't being sent",
  message_limit: "A daily limit has been reached",
  offer_differs: "A lead is for sale but no one can buy it",
};

/** Where an admin decides about an item, if not on the page of its subject. */
const PLACES: Readonly<Record<string, { to: string; name: string }>> = {
  guarantee_review: { to: "/admin?show=free-claims", name: "Free claims" },
  messages_stuck: { to: "/admin/settings?show=messages", name: "Messages" },
  message_limit: { to: "/admin/settings?show=messages", name: "Messages" },
};

/** Number of items shown at first, so that a long list does not push the main content off the screen. */
const SHOWN = 3;

/** Shows problems that the system could not fix itself. */
export function AttentionList() {
  const [showsAll, setShowsAll] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["admin", "attention"],
    queryFn: () => unwrap(adminApi().attention.$get({ query: { resolved: "no" } })),
    staleTime: 0,
  });
  return (
    <section className="stack box attention" aria-labelledby="attention-title">
      <h2 id="attention-title">What needs attention</h2>
      {error ? (
        <p role="alert">
          {messageOf(error, "This list didn't load.")}{" "}
          <button type="button" className="link-button" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      ) : !data ? (
        <p>Loading...</p>
      ) : data.length === 0 ? (
        <p className="muted">Nothing. Payments, refunds and sales are all in order.</p>
      ) : (
        <>
          <ul className="stack">
            {(showsAll ? data : data.slice(0, SHOWN)).map((item) => (
              <Item key={`${item.kind} ${item.subjectId}`} item={item} />
            ))}
          </ul>
          {data.length > SHOWN && (
            <Button variant="quiet" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? "Show fewer" : `Show all ${data.length}`}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function Item({ item: { kind, subjectId, detail, since } }: { item: AttentionItem }) {
  const label = KIND_LABELS[kind] ?? toSentence(kind);
  const place = PLACES[kind];
  const resolve: RowAction = {
    label: "Resolve",
    act: () => unwrap(adminApi().attention.resolve.$post({ json: { kind, subjectId } })),
    done: "Marked as resolved",
    failed: "Failed to resolve",
    confirm: {
      title: "Mark as resolved?",
      text: (
        <>
          <p>{label}</p>
          <p>Have you dealt with this? If it happens again, it'll reappear on this list.</p>
        </>
      ),
      label: "Mark as resolved",
    },
  };
  return (
    <li className="spread alarm">
      <div>
        <strong>{label}</strong>
        <p>{detail}</p>
        <p className="list__sub">
          Since {formatDateTime(since)} {place && <Link to={place.to}>{place.name}</Link>}
          <IdLink id={subjectId} />
        </p>
      </div>
      <ActionButton list="attention" action={resolve} />
    </li>
  );
}
