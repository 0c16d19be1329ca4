import { memo } from "react";

import { serviceName } from "../../contract/catalogue.ts";
import { label } from "../../contract/leads.ts";
import { STAGE_LABELS } from "../../contract/purchases.ts";
import { DudReporting } from "../duds/report-dud.tsx";
import { LeadFacts } from "../leads/lead-facts.tsx";
import { priceWords } from "../leads/price-words.ts";
import { momentWords } from "../lib/time-words.ts";
import { Badge } from "../ui/badge.tsx";
import { AmountForm } from "./amount-form.tsx";
import { ContactLinks } from "./contact-links.tsx";
import { NotesBox } from "./notes-box.tsx";
import { isFinal, type PurchasedLead } from "./purchases.ts";
import { StageSelect } from "./stage-select.tsx";

function timesOf(purchase: PurchasedLead): [string, number][] {
  const times: [string, number | null][] = [
    [purchase.mode === "manual" ? "Added" : "Bought", purchase.purchasedAt],
    ["Called", purchase.calledAt],
    ["Quote sent", purchase.quoteSentAt],
    ["Booked", purchase.jobBookedAt],
    ["Complete", purchase.jobCompleteAt],
    ["Invoice sent", purchase.invoiceSentAt],
    ["Invoice paid", purchase.invoicePaidAt],
    ["Declined", purchase.declinedAt],
    ["Closed", purchase.finalisedAt],
    ["Archived", purchase.archivedAt],
  ];
  return times.filter((time): time is [string, number] => time[1] !== null);
}

/** One bought lead: the customer, the work on it, and all they told us. */
export const PurchaseCard = memo(function PurchaseCard({
  purchase,
  isHighlighted,
}: {
  purchase: PurchasedLead;
  isHighlighted: boolean;
}) {
  return (
    <li className="purchase" id={purchase.id} data-highlighted={isHighlighted || undefined}>
      <article aria-labelledby={`${purchase.id}-name`}>
        <section className="purchase__who">
          <h3 id={`${purchase.id}-name`}>{purchase.customerName}</h3>
          <p className="purchase__job">
            {purchase.serviceType.map(serviceName).join(" + ")}
            {purchase.suburbName && ` in ${purchase.suburbName} ${purchase.suburbPostcode ?? ""}`}
          </p>
          <ContactLinks contact={purchase} />
          <DudReporting purchase={purchase} />
          <ol className="times" aria-label="What happened when">
            {timesOf(purchase).map(([name, at]) => (
              <li key={name}>
                {name} <time dateTime={new Date(at).toISOString()}>{momentWords(at)}</time>
              </li>
            ))}
          </ol>
        </section>
        <section className="purchase__work" aria-label="Your work on it">
          {isFinal(purchase) ? <ClosedWork purchase={purchase} /> : <OpenWork purchase={purchase} />}
        </section>
        <section className="purchase__told" aria-label="What they told us">
          <p className="lead__tags">
            <Badge tone={purchase.urgency === "urgent" ? "hot" : "neutral"}>{label(purchase.urgency)}</Badge>
            <Badge>{label(purchase.frequency)}</Badge>
            <Badge>
              {purchase.mode === "manual" ? "Added by hand" : `Lead ${priceWords(purchase.amountPaid)}`}
            </Badge>
            {purchase.mode === "direct" && <Badge>No card charged</Badge>}
          </p>
          {purchase.specificRequests && (
            <blockquote className="lead__words">{purchase.specificRequests}</blockquote>
          )}
          <LeadFacts job={purchase} />
        </section>
      </article>
    </li>
  );
});

function OpenWork({ purchase }: { purchase: PurchasedLead }) {
  return (
    <>
      <StageSelect purchase={purchase} />
      <AmountForm purchase={purchase} />
      <NotesBox purchase={purchase} />
    </>
  );
}

/** Closed and archived purchases are kept as they were. */
function ClosedWork({ purchase }: { purchase: PurchasedLead }) {
  const amount = purchase.customerPaymentAmount;
  return (
    <dl className="facts facts--wide">
      <div>
        <dt>Stage</dt>
        <dd>{purchase.finalisedAt === null ? `${STAGE_LABELS[purchase.salesStage]}, archived` : "Closed"}</dd>
      </div>
      <div>
        <dt>Customer payment</dt>
        <dd>{amount === null ? "Not recorded" : `$${amount}`}</dd>
      </div>
      <div className="facts__long">
        <dt>Notes</dt>
        <dd>{purchase.salesNotes || "None"}</dd>
      </div>
    </dl>
  );
}
