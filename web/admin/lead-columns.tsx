import { Link } from "react-router";

import type { AdminLead } from "../../contract/admin-leads.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { contactPreferenceText, label } from "../../contract/lead-labels.ts";
import { photoUrl } from "../../contract/photos.ts";
import { QUARANTINE_LABELS, type QuarantineReason } from "../../contract/quarantine.ts";
import { regionName } from "../../contract/regions.ts";
import { formatAmount } from "../lib/format-money.ts";
import { formatDateTime } from "../lib/format-time.ts";
import { Badge } from "../ui/badge.tsx";
import { AdminLeadActions } from "./admin-lead-actions.tsx";
import type { Column } from "./admin-list.tsx";
import { IdLink } from "./id-link.tsx";
import { describeState } from "./lead-state.ts";
import { PersonCell } from "./person.tsx";
import { PURCHASE_MODE_NAMES } from "./purchase-modes.ts";

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
    <div className="stack gap-2 list__stack">
      <span className="cluster gap-1">
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

export const LEAD_COLUMNS: readonly Column<AdminLead>[] = [
  { name: "Job", cell: (lead) => <Job lead={lead} /> },
  { name: "Customer", cell: (lead) => <Customer lead={lead} /> },
  { name: "State", cell: (lead) => <LeadState lead={lead} /> },
  { name: "Requested", cell: (lead) => <time>{formatDateTime(lead.createdAt)}</time> },
];
