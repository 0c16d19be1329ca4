import "./lead-card.css";

import { memo } from "react";

import type { CurrentUser } from "../../contract/auth.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { label, type LeadSummary } from "../../contract/leads.ts";
import { regionName } from "../../contract/regions.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { AgeBadge } from "../leads/age-badge.tsx";
import { LeadActions } from "./lead-actions.tsx";
import { LeadFacts } from "../leads/lead-facts.tsx";

const URGENCY_TONES: Record<string, BadgeTone> = { urgent: "hot", within_week: "warm" };

/** Where and what, the first things to know about a lead. */
export function LeadHeading({ lead, as: Heading = "h3" }: { lead: LeadSummary; as?: "h3" | "p" }) {
  return (
    <div className="lead__where">
      <Heading className="lead__suburb">
        {lead.suburbName ?? "Elsewhere in NSW"} <span>{lead.suburbPostcode}</span>
      </Heading>
      <p className="lead__region">{regionName(lead.region)}</p>
    </div>
  );
}

/** An available lead. The contact details are masked until it is bought. */
export const LeadCard = memo(function LeadCard({
  lead,
  isArrival,
  onSeen,
  user,
  onBuy,
}: {
  lead: LeadSummary;
  /** It came in live and slides in. */
  isArrival: boolean;
  onSeen: (lead: LeadSummary) => void;
  user: CurrentUser;
  onBuy: (lead: LeadSummary) => void;
}) {
  return (
    <li
      className="lead"
      data-urgency={lead.urgency}
      data-arrival={isArrival || undefined}
      onAnimationEnd={() => onSeen(lead)}
    >
      <article aria-label={`${lead.serviceType.map(serviceName).join(", ")} in ${lead.suburbName ?? "NSW"}`}>
        <header className="lead__head">
          <LeadHeading lead={lead} />
          <AgeBadge createdAt={lead.createdAt} />
        </header>
        <p className="lead__services">{lead.serviceType.map(serviceName).join(" + ")}</p>
        <p className="lead__tags">
          <Badge tone={URGENCY_TONES[lead.urgency] ?? "neutral"}>{label(lead.urgency)}</Badge>
          <Badge>{label(lead.frequency)}</Badge>
        </p>
        <LeadFacts job={lead} />
        {lead.specificRequests && <blockquote className="lead__words">{lead.specificRequests}</blockquote>}
        <footer className="lead__foot">
          <p className="lead__who">
            <strong>{lead.customerName}</strong>
            <span>{lead.customerPhone}</span>
            {lead.customerEmail && <span>{lead.customerEmail}</span>}
            {lead.customerAddress && <span>{lead.customerAddress}</span>}
          </p>
          <LeadActions lead={lead} user={user} onBuy={onBuy} />
        </footer>
      </article>
    </li>
  );
});
