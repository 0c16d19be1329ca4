import { useEffect, useRef } from "react";

import { label } from "../../contract/lead-labels.ts";
import { isStated } from "../../contract/stated-details.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { NotImpersonating } from "../auth/not-impersonating.tsx";
import { CustomerTexts } from "./customer-texts.tsx";
import { CustomerUpdates } from "./customer-updates.tsx";
import { BadLeadSection } from "../bad-leads/report-bad-lead.tsx";
import { AgeBadge } from "../leads/age-badge.tsx";
import { ConfirmedBadge } from "../leads/confirmed-badge.tsx";
import { LeadFacts } from "../leads/lead-facts.tsx";
import { UrgencyBadge } from "../leads/urgency-badge.tsx";
import { formatAmount, formatPrice } from "../lib/format-money.ts";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { AmountForm } from "./amount-form.tsx";
import { AssignSelect } from "./assignee.tsx";
import { CallClockNote } from "./call-clock-mark.tsx";
import { ContactLinks } from "./contact-links.tsx";
import { formatClosedState, JobLine } from "./job-line.tsx";
import { LeadMenu } from "./lead-menu.tsx";
import { NextActionForm } from "./next-action-form.tsx";
import { NotesBox } from "./notes-box.tsx";
import { CustomerPhotos, WorkPhotos } from "./purchase-photos.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { RefusedChanges } from "./refused-changes.tsx";
import { StageHistory } from "./stage-history.tsx";
import { StageSelect } from "./stage-select.tsx";
import { useHasLateChanges } from "./use-outbox.ts";

/** Shows one purchase beside the list, or instead of the list on a phone. Needs a `key`. */
export function PurchaseDetail({ purchase, onClose }: { purchase: PurchasedLead; onClose: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const { specificRequests, amountPaid, mode, frequency } = purchase;
  const isLate = useHasLateChanges(purchase.id);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from anywhere inside
    <article
      className="stack gap-4 box detail"
      aria-labelledby="detail-name"
      onKeyDown={({ key, defaultPrevented, currentTarget, target }) => {
        // React also reports keys pressed in the lead's dialogs, which are outside it.
        const isInside = target instanceof Node && currentTarget.contains(target);
        if (key === "Escape" && isInside && !defaultPrevented) onClose();
      }}
    >
      <header className="cluster gap-2 detail__head">
        <button type="button" className="icon-button detail__back" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
        <h2 id="detail-name" ref={title} tabIndex={-1}>
          <bdi>{purchase.customerName}</bdi>
        </h2>
        {isLate && <Badge tone="warm">Not saved yet</Badge>}
        <LeadMenu purchase={purchase} onGone={onClose} />
        <RefusedChanges />
      </header>
      <p className="cluster detail__job">
        <span>
          <JobLine purchase={purchase} />
        </span>
        <AgeBadge createdAt={purchase.leadCreatedAt} />
      </p>
      <CallClockNote purchase={purchase} />
      <ContactLinks contact={purchase} />
      <CustomerTexts purchase={purchase} />
      <CustomerUpdates purchase={purchase} />
      <BadLeadSection purchase={purchase} />
      <section className="detail__told" aria-label="In the customer's words">
        {mode === "manual" ? <h3>About the job</h3> : <h3>What they told us</h3>}
        <p className="cluster lead__tags">
          <UrgencyBadge job={purchase} />
          {isStated(purchase, "frequency") && <Badge>{label(frequency)}</Badge>}
          <ConfirmedBadge by={purchase.confirmedBy} />
          <Badge>{mode === "manual" ? "Added by hand" : `Lead ${formatPrice(amountPaid)}`}</Badge>
          {mode === "direct" && <Badge>No card charged</Badge>}
        </p>
        {specificRequests && <blockquote className="lead__words">{specificRequests}</blockquote>}
        <CustomerPhotos purchase={purchase} />
        <LeadFacts job={purchase} />
      </section>
      <section className="detail__work" aria-label="Your progress">
        {isFinal(purchase) ? <ClosedWork purchase={purchase} /> : <OpenWork purchase={purchase} />}
      </section>
      <WorkPhotos purchase={purchase} />
      <StageHistory purchase={purchase} />
    </article>
  );
}

function OpenWork({ purchase }: { purchase: PurchasedLead }) {
  return (
    <>
      <NotesBox purchase={purchase} />
      <NextActionForm purchase={purchase} />
      <div className="stack detail__pair">
        <StageSelect purchase={purchase} />
        <AmountForm purchase={purchase} />
      </div>
      <NotImpersonating only="change the stage and log calls" />
      <AssignSelect purchase={purchase} />
    </>
  );
}

/** Shows a closed or archived purchase, read-only. */
function ClosedWork({ purchase }: { purchase: PurchasedLead }) {
  const amount = purchase.customerPaymentAmount;
  return (
    <dl className="facts facts--wide">
      <div>
        <dt>Stage</dt>
        <dd>{formatClosedState(purchase)}</dd>
      </div>
      <div>
        <dt>Customer payment</dt>
        <dd>{amount === null ? "Not recorded" : formatAmount(amount)}</dd>
      </div>
      <div className="facts__long">
        <dt>Notes</dt>
        <dd>{purchase.salesNotes || "None"}</dd>
      </div>
    </dl>
  );
}
