import { memo } from "react";
import { Link } from "react-router";

import { isFinal } from "../../contract/pipeline.ts";
import { STAGES } from "../../contract/stages.ts";
import { AgeBadge } from "../leads/age-badge.tsx";
import { CallLink } from "../purchases/contact-links.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { formatClosedState, JobLine } from "../purchases/job-line.tsx";
import { PurchaseMarks } from "../purchases/purchase-marks.tsx";
import { StageSelect } from "../purchases/stage-select.tsx";
import { Badge } from "../ui/badge.tsx";
import { Icon } from "../ui/icon.tsx";

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
  const { id, customerName, leadCreatedAt } = purchase;
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
        <PurchaseMarks purchase={purchase} />
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
