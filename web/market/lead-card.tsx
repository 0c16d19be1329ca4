import { formatPhone } from "../../contract/phone.ts";
import { memo } from "react";

import type { Home } from "../../contract/account.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { label } from "../../contract/lead-labels.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { isStated } from "../../contract/stated-details.ts";
import { regionName } from "../../contract/regions.ts";
import { ConfirmedBadge } from "../leads/confirmed-badge.tsx";
import { UrgencyBadge } from "../leads/urgency-badge.tsx";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { AgeBadge } from "../leads/age-badge.tsx";
import { formatDistance } from "./format-distance.ts";
import { LeadActions, type OnBuy } from "./lead-actions.tsx";
import type { LeadGoneReason } from "./market.ts";
import { isPassedOnPrice, PASSED_ON_NOTE } from "./passed-on.ts";
import { OwnCustomerNote } from "./own-customers.tsx";
import { PhotosBadge } from "./photos-badge.tsx";
import { LeadFacts } from "../leads/lead-facts.tsx";

/** Shows a lead's location and services. @param home the business's location, for the distance */
export function LeadHeading({
  lead,
  home = null,
  as: Heading = "h3",
}: {
  lead: LeadSummary;
  home?: Home | null;
  as?: "h3" | "p";
}) {
  const distance = formatDistance(home, lead);
  return (
    <div className="lead__where">
      <Heading className="lead__suburb">
        {lead.suburbName ?? "Elsewhere in NSW"} <span>{lead.suburbPostcode}</span>
      </Heading>
      {distance && (
        <p className="lead__distance">
          {distance}
          {distance.endsWith("km") && <span className="visually-hidden"> away</span>}
        </p>
      )}
      <p className="muted text-xs lead__region">{regionName(lead.region)}</p>
    </div>
  );
}

/** Returns the size and the frequency of a job, as far as the customer stated them. */
function describeExtent(lead: LeadSummary): string {
  const size = isStated(lead, "propertySize") && label(lead.propertySize);
  const frequency = isStated(lead, "frequency") && label(lead.frequency);
  if (size && frequency) return `${size}, ${frequency.toLowerCase()}`;
  return size || frequency || "Size not given";
}

/**
 * Shows an available lead. The card is small, so that a phone shows the first Buy button without scrolling. The job's
 * details open without script too. Contact details are masked until a provider buys the lead.
 */
export const LeadCard = memo(function LeadCard({
  lead,
  gone,
  onBuy,
  home,
}: {
  lead: LeadSummary;
  /** Why the lead left the market; null while it is for sale. */
  gone: LeadGoneReason | null;
  onBuy: OnBuy;
  home: Home | null;
}) {
  return (
    <li className="box lead" data-lead={lead.id} data-gone={gone ?? undefined} data-urgency={lead.urgency}>
      <article aria-label={`${lead.serviceType.map(serviceName).join(", ")} in ${lead.suburbName ?? "NSW"}`}>
        <header className="spread lead__head">
          <LeadHeading lead={lead} home={home} />
          <AgeBadge createdAt={lead.createdAt} />
        </header>
        <p className="line gap-2 lead__asked">
          <span className="lead__services">{lead.serviceType.map(serviceName).join(" + ")}</span>
          <UrgencyBadge job={lead} />
          <PhotosBadge count={lead.photoCount} />
          <ConfirmedBadge by={lead.confirmedBy} />
        </p>
        {isPassedOnPrice(lead.price) && <p className="muted text-sm lead__passed-on">{PASSED_ON_NOTE}</p>}
        <OwnCustomerNote leadId={lead.id} />
        <details className="lead__more">
          <summary>
            <span className="muted">
              <span className="visually-hidden">Job details: </span>
              {describeExtent(lead)}
            </span>
            {lead.specificRequests && <span className="lead__said">{lead.specificRequests}</span>}
            <Icon name="chevron" size={18} />
          </summary>
          <div className="stack lead__rest">
            {lead.specificRequests && <p className="lead__words">{lead.specificRequests}</p>}
            <LeadFacts job={lead} />
          </div>
        </details>
        <footer className="line lead__foot">
          <p className="lead__who">
            <strong>
              <bdi>{lead.customerName}</bdi>
            </strong>
            <span>{formatPhone(lead.customerPhone)}</span>
            {lead.customerEmail && <span>{lead.customerEmail}</span>}
            {lead.customerAddress && <span>{lead.customerAddress}</span>}
          </p>
          {gone ? (
            <Badge>{gone === "sold" || gone === "taken" ? "Sold" : "No longer for sale"}</Badge>
          ) : (
            <LeadActions lead={lead} onBuy={onBuy} />
          )}
        </footer>
      </article>
    </li>
  );
});
