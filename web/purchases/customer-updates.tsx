import { serviceName } from "../../contract/catalogue.ts";
import { type Field, LEAD_FIELDS } from "../../contract/lead-fields.ts";
import { label } from "../../contract/lead-labels.ts";
import { formatPhone } from "../../contract/phone.ts";
import type { CustomerUpdateKind } from "../../contract/request-links.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { firstNameOf } from "./answers.ts";
import type { PurchasedLead } from "./purchases.ts";
import { type PurchaseDetails, usePurchaseDetail } from "./refresh-purchases.ts";

type Update = PurchaseDetails["updates"][number];

const HEADINGS: Readonly<Record<CustomerUpdateKind, string>> = {
  changed: "Changed their request",
  withdrawn: "Doesn't need the job any more",
  erased: "Deleted their details",
  wrong_number: "The number is wrong",
  called: "Says you called",
  not_yet: "Says no one has called yet",
  never_asked: "Says they never asked for this",
};

/** The lead's fields. An update may name one that this release does not know. */
const DETAILS: Readonly<Record<string, Field | undefined>> = LEAD_FIELDS;

const list = (text: string, name: (item: string) => string) => text.split(",").map(name).join(", ");

/** Returns a detail's value as text: "Lawn mowing, Weeding" for a list, "Yes" for a flag. */
function describeValue(field: string, value: string | null): string {
  if (value === null) return "None";
  if (field === "customerPhone") return formatPhone(value);
  const detail = DETAILS[field];
  if (detail && (!detail.ask || detail.ask === "text")) return value;
  if (field === "serviceType") return list(value, serviceName);
  if (value === "true") return "Yes";
  return value === "false" ? "No" : list(value, label);
}

/** Lists what the customer changed or said after the sale, newest first. Renders nothing without updates. */
export function CustomerUpdates({ purchase }: { purchase: PurchasedLead }) {
  const updates: Update[] = usePurchaseDetail(purchase.id).data?.updates ?? [];
  if (updates.length === 0) return null;
  const isErased = updates.some(({ kind }) => kind === "erased");
  return (
    <section className="stack gap-2 updates" aria-labelledby="updates-head">
      <h3 id="updates-head">News from {isErased ? "your customer" : firstNameOf(purchase)}</h3>
      <ol className="stack">
        {updates.map((update) => (
          <li key={update.id}>
            <p className="cluster updates__head">
              <strong>{HEADINGS[update.kind] ?? "Sent an update"}</strong>
              <time className="muted text-sm" dateTime={new Date(update.at).toISOString()}>
                {formatDateTime(update.at)}
              </time>
            </p>
            {update.changes.length > 0 && <Changes changes={update.changes} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Changes({ changes }: { changes: Update["changes"] }) {
  return (
    <dl className="stack gap-2 updates__changes">
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt className="muted text-sm">{DETAILS[field]?.name ?? label(field)}</dt>
          <dd dir="auto">
            <del className="muted text-sm">
              <span className="visually-hidden">Before: </span>
              {describeValue(field, before)}
            </del>{" "}
            <ins>
              <span className="visually-hidden">Now: </span>
              {describeValue(field, after)}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
