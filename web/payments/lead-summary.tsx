import { formatPhone } from "../../contract/phone.ts";
import { serviceName } from "../../contract/catalogue.ts";
import { label } from "../../contract/lead-labels.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import { isStated } from "../../contract/stated-details.ts";
import { LeadHeading } from "../market/lead-card.tsx";
import { formatPhotoCount, PhotosBadge } from "../market/photos-badge.tsx";
import { LeadFacts } from "../leads/lead-facts.tsx";
import { UrgencyBadge } from "../leads/urgency-badge.tsx";
import { CallClockNote } from "../purchases/call-clock-mark.tsx";
import { ContactLinks } from "../purchases/contact-links.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";

export function LeadSummaryBox({
  lead,
  isBrief = false,
}: {
  lead: LeadSummary;
  /** Whether to show one line and hide the details, to leave room for a form. */
  isBrief?: boolean;
}) {
  const where = `${lead.suburbName ?? "NSW"} ${lead.suburbPostcode ?? ""}`.trim();
  const services = lead.serviceType.map(serviceName).join(" + ");
  if (!isBrief) {
    return (
      <section className="summary" aria-label={`The lead in ${where}`}>
        <LeadHeading lead={lead} />
        <p className="lead__services">{services}</p>
        <LeadDetails lead={lead} />
      </section>
    );
  }
  return (
    <section className="summary-brief" aria-label={`The lead in ${where}`}>
      <details className="summary summary--brief">
        <summary>
          <span className="summary__line">
            <strong>{where}</strong> {services}
          </span>
          <span className="text-sm summary__more">Details</span>
        </summary>
        <LeadDetails lead={lead} />
      </details>
    </section>
  );
}

function LeadDetails({ lead }: { lead: LeadSummary }) {
  return (
    <>
      <p className="cluster lead__tags">
        <UrgencyBadge job={lead} />
        {isStated(lead, "frequency") && <Badge>{label(lead.frequency)}</Badge>}
        <Badge>
          <bdi>{lead.customerName}</bdi>
        </Badge>
        <Badge>{formatPhone(lead.customerPhone)}</Badge>
        <PhotosBadge count={lead.photoCount} />
      </p>
      {lead.specificRequests && <blockquote className="lead__words">{lead.specificRequests}</blockquote>}
      <LeadFacts job={lead} />
    </>
  );
}

/** Shows the lead that was just bought, with the customer to call. */
export function BoughtLead({
  message,
  purchase,
  photoCount,
  onOpen,
}: {
  /** Says that the purchase succeeded. */
  message: string;
  purchase: PurchasedLead;
  photoCount: number;
  onOpen: () => void;
}) {
  return (
    <div className="stack bought">
      <p>{message}</p>
      <h3>
        <bdi>{purchase.customerName}</bdi>
      </h3>
      <p>
        {purchase.serviceType.map(serviceName).join(" + ")}
        {purchase.suburbName && ` in ${purchase.suburbName} ${purchase.suburbPostcode ?? ""}`}
      </p>
      <ContactLinks contact={purchase} />
      <CallClockNote purchase={purchase} />
      {purchase.specificRequests && (
        <blockquote className="lead__words">{purchase.specificRequests}</blockquote>
      )}
      <LeadFacts job={purchase} />
      {photoCount > 0 && (
        <p>The customer sent {formatPhotoCount(photoCount)}. You can see them in your pipeline.</p>
      )}
      <Button variant="quiet" onClick={onOpen}>
        Open in pipeline
      </Button>
    </div>
  );
}
