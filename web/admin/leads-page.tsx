import { useState } from "react";
import { Link } from "react-router";

import { type AdminLead } from "../../contract/admin-leads.ts";
import { contactPreferenceText, label } from "../../contract/lead-labels.ts";
import { QUARANTINE_LABELS, type QuarantineReason } from "../../contract/quarantine.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { REGIONS, regionName } from "../../contract/regions.ts";
import { CALL_STEPS } from "../../contract/market-figures.ts";
import { CALL_STEP_NAMES } from "./call-steps.ts";
import { browserApi } from "../lib/browser-api.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { readPage, usePages } from "../lib/use-pages.ts";
import { Badge } from "../ui/badge.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { AdminList, type Column } from "./admin-list.tsx";
import { FilterDay, FilterSelect, SearchBox } from "./filters.tsx";
import { IdLink } from "./id-link.tsx";
import { LeadQueue } from "./lead-queue.tsx";
import { AdminLeadActions } from "./admin-lead-actions.tsx";
import { describeState, LEAD_STATES } from "./lead-state.ts";
import { formatAmount } from "../lib/format-money.ts";
import { PauseRegionButton } from "./paused-regions.tsx";
import { PersonCell } from "./person.tsx";
import { photoUrl } from "../../contract/photos.ts";
import { PURCHASE_MODE_NAMES } from "./purchase-modes.ts";
import { useUrlFilters } from "./use-url-filters.ts";

export function meta() {
  return [{ title: "Leads | Naturestrip admin" }, { name: "robots", content: "noindex" }];
}

const REGION_OPTIONS = REGIONS.map(({ slug, name }) => ({ value: slug, label: name }));

const STEP_OPTIONS = CALL_STEPS.map((value) => ({ value, label: CALL_STEP_NAMES[value] }));

const MARKET_STATES = [{ value: "only", label: "Market only" }] as const;

function Job({ lead }: { lead: AdminLead }) {
  return (
    <div>
      <span className="list__main">{lead.serviceType.map(serviceName).join(" + ")}</span>
      <span className="list__sub">
        {lead.suburbName ?? "Elsewhere"} {lead.suburbPostcode} · {regionName(lead.region)}
      </span>
      <span className="list__sub">
        {label(lead.urgency)}, {label(lead.frequency).toLowerCase()} · {formatAmount(lead.price)}
      </span>
      {lead.specificRequests && (
        <details className="list__more">
          <summary>Customer's message</summary>
          {lead.specificRequests}
        </details>
      )}
      {lead.photos.length > 0 && (
        <span className="list__sub">
          {lead.photos.map((id, index) => (
            <a key={id} href={photoUrl(id, "large")} target="_blank" rel="noreferrer">
              Photo {index + 1}{" "}
            </a>
          ))}
        </span>
      )}
      <IdLink id={lead.id} log />
    </div>
  );
}

function Customer({ lead }: { lead: AdminLead }) {
  const { customerName, customerPhone, customerEmail, customerAddress } = lead;
  const preference = contactPreferenceText(lead);
  return (
    <div>
      <PersonCell name={customerName} phone={customerPhone} email={customerEmail} path={customerAddress} />
      {preference && <span className="list__sub">{preference}</span>}
    </div>
  );
}

function LeadState({ lead }: { lead: AdminLead }) {
  const { label, tone } = describeState(lead);
  return (
    <div className="list__stack">
      <span className="list__badges">
        <Badge tone={tone}>{label}</Badge>
        {lead.source !== "quote" && <Badge>{lead.source === "manual" ? "Added by hand" : "Booking"}</Badge>}
      </span>
      {lead.buyer && (
        <span className="list__sub">
          <Link to={`/admin/providers/${lead.buyer.businessId}`}>{lead.buyer.name}</Link>,{" "}
          {(PURCHASE_MODE_NAMES[lead.buyer.mode] ?? lead.buyer.mode).toLowerCase()},{" "}
          {lead.buyer.mode === "stripe" ? (
            <Link to={`/admin/payments?q=${lead.id}`}>{formatAmount(lead.buyer.amountPaid)}</Link>
          ) : (
            formatAmount(lead.buyer.amountPaid)
          )}
        </span>
      )}
      {lead.quarantineReasons.length > 0 && (
        <ul className="list__reasons">
          {lead.quarantineReasons.map((reason) => (
            <li key={reason}>{QUARANTINE_LABELS[reason as QuarantineReason] ?? reason}</li>
          ))}
        </ul>
      )}
      {lead.withdrawnReason && <span className="list__sub">“{lead.withdrawnReason}”</span>}
      <AdminLeadActions lead={lead} />
    </div>
  );
}

const COLUMNS: readonly Column<AdminLead>[] = [
  { name: "Job", cell: (lead) => <Job lead={lead} /> },
  { name: "Customer", cell: (lead) => <Customer lead={lead} /> },
  { name: "State", cell: (lead) => <LeadState lead={lead} /> },
  { name: "Requested", cell: (lead) => <time>{formatDateTime(lead.createdAt)}</time> },
];

/** Shows all leads with their actions. The filter is in the URL. */
export default function LeadsPage() {
  const { valueOf, choose } = useUrlFilters();
  const [typed, setTyped] = useState(valueOf("q"));
  const q = useDebounced(typed.trim(), 250);
  const state = valueOf("state");
  const region = valueOf("region");
  const market = valueOf("market");
  const step = valueOf("step");
  const from = valueOf("from");
  const to = valueOf("to");
  const list = usePages<AdminLead>(["admin", "leads", state, region, market, step, from, to, q], (cursor) =>
    readPage(
      browserApi().api["super-admin"].leads.$get({
        query: {
          cursor,
          q,
          ...(state && { state }),
          ...(region && { region }),
          ...(market && { market }),
          ...(step && { step }),
          ...(from && { from }),
          ...(to && { to }),
        } as never,
      }),
    ),
  );
  return (
    <>
      <header className="admin__head">
        <h1>Leads</h1>
        <PauseRegionButton />
      </header>
      <div className="admin__filters">
        <SearchBox
          label="Find a lead"
          placeholder="Name, suburb, street, phone, email or ID"
          value={typed}
          onChange={setTyped}
        />
        <FilterSelect
          label="State"
          all="Every state"
          options={LEAD_STATES}
          value={state}
          onChange={choose("state")}
        />
        <FilterSelect
          label="Show"
          all="Every lead"
          options={MARKET_STATES}
          value={market}
          onChange={choose("market")}
        />
        <FilterSelect
          label="Region"
          all="Every region"
          options={REGION_OPTIONS}
          value={region}
          onChange={choose("region")}
        />
        <FilterSelect
          label="Step"
          all="Every step"
          options={STEP_OPTIONS}
          value={step}
          onChange={choose("step")}
        />
        <FilterDay label="Requested from" value={from} onChange={choose("from")} />
        <FilterDay label="Requested to" value={to} onChange={choose("to")} />
      </div>
      <p className="admin__intro">
        Drop keeps a suspicious request off the market. Withdraw takes a lead off the market. You can&apos;t
        undo either, and no one is charged. A bad lead is one that turned out to be no good for its buyer. If
        you accept the report, the provider gets a free claim.
      </p>
      <LeadQueue ids={list.rows?.map(({ id }) => id) ?? null} isOn={state === "quarantined"}>
        <AdminList
          label="Leads"
          list={list}
          columns={COLUMNS}
          idOf={(lead) => lead.id}
          loading="Loading leads..."
          empty={
            state === "quarantined"
              ? "Nothing suspicious is waiting. Requests that look odd wait here until you decide."
              : "No leads match."
          }
        />
      </LeadQueue>
    </>
  );
}
