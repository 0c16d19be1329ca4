import { memo } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import { label, type LeadSummary } from "../../contract/leads.ts";
import { regionName } from "../../contract/regions.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { AgeBadge } from "./age-badge.tsx";
import { HeldNote } from "./held-note.tsx";
import { LeadFacts } from "./lead-facts.tsx";
import { priceWords } from "./price-words.ts";

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
  onBuy,
}: {
  lead: LeadSummary;
  /** It came in live and slides in. */
  isArrival: boolean;
  onSeen: (lead: LeadSummary) => void;
  /** Null for team members, who read along. */
  onBuy: ((lead: LeadSummary) => void) | null;
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
          {lead.heldUntil !== null ? (
            <HeldNote until={lead.heldUntil} />
          ) : onBuy ? (
            <Button look="main" onClick={() => onBuy(lead)}>
              Buy for {priceWords(lead.price)}
              <span className="visually-hidden"> the lead in {lead.suburbName ?? "NSW"}</span>
            </Button>
          ) : (
            <p className="lead__price">{priceWords(lead.price)}</p>
          )}
        </footer>
      </article>
    </li>
  );
});
