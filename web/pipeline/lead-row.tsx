import { memo } from "react";
import { Link } from "react-router";

import { isFinal } from "../../contract/pipeline.ts";
import { STAGES } from "../../contract/stages.ts";
import { AssigneeBadge } from "../purchases/assignee.tsx";
import { AnsweredMark } from "../purchases/answered-mark.tsx";
import { CallClockMark } from "../purchases/call-clock-mark.tsx";
import { AgeBadge } from "../leads/age-badge.tsx";
import { formatMoney } from "../lib/format-money.ts";
import { CallLink } from "../purchases/contact-links.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { formatClosedState, JobLine } from "../purchases/job-line.tsx";
import { PreferenceBadge } from "../purchases/preference-badge.tsx";
import { StageSelect } from "../purchases/stage-select.tsx";
import { TriesBadge } from "../purchases/tries-badge.tsx";
import { UnsavedMark } from "../purchases/unsaved-mark.tsx";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";
import { DueBadge } from "../purchases/due-badge.tsx";

/** Shows one purchase in a list: customer, job, age and next action. One tap calls, another opens the details. */
export const PipelineLeadRow = memo(function LeadRow({
  purchase,
  href,
  isOpen,
  canMove,
  isPicked,
  onPick,
}: {
  purchase: PurchasedLead;
  href: string;
  isOpen: boolean;
  /** Whether the row can change the stage. Otherwise it names the stage. */
  canMove: boolean;
  /** Whether the lead is selected for a bulk change; undefined while selection is off. */
  isPicked?: boolean | undefined;
  onPick?: ((id: string) => void) | undefined;
}) {
  const { id, customerName, customerPaymentAmount, nextActionAt, nextActionNote, leadCreatedAt } = purchase;
  return (
    <article
      className="row"
      aria-label={customerName}
      data-open={isOpen || undefined}
      data-picking={isPicked !== undefined || undefined}
    >
      {isPicked !== undefined && (
        <label className="row__pick">
          <input type="checkbox" checked={isPicked} onChange={() => onPick?.(id)} />
          <span className="visually-hidden">Select {customerName}</span>
        </label>
      )}
      <div className="row__who">
        <Link
          className="lead-link row__name"
          to={href}
          preventScrollReset
          aria-current={isOpen ? "true" : undefined}
          data-lead={id}
        >
          <bdi>{customerName}</bdi>
        </Link>
        <p className="muted text-sm row__job">
          <AgeBadge createdAt={leadCreatedAt} /> <JobLine purchase={purchase} />
          {!canMove && ` · ${STAGES[purchase.salesStage].label}`}
        </p>
      </div>
      <div className="cluster row__marks marks">
        <AnsweredMark purchase={purchase} />
        <CallClockMark purchase={purchase} />
        <UnsavedMark purchaseId={id} />
        <TriesBadge purchase={purchase} />
        <PreferenceBadge purchase={purchase} />
        <AssigneeBadge purchase={purchase} />
        {nextActionAt !== null && !isFinal(purchase) && (
          <DueBadge nextActionAt={nextActionAt} note={nextActionNote} />
        )}
        {customerPaymentAmount !== null && (
          <span className="row__money">{formatMoney(customerPaymentAmount)}</span>
        )}
      </div>
      <div className="line gap-1 row__acts">
        {isFinal(purchase) ? (
          <Badge>{formatClosedState(purchase)}</Badge>
        ) : (
          canMove && <StageSelect purchase={purchase} isCompact />
        )}
        {purchase.customerPhone && (
          <CallLink purchase={purchase} className="row__call" aria-label={`Call ${customerName}`}>
            <Icon name="phone" size={20} />
          </CallLink>
        )}
      </div>
    </article>
  );
});
