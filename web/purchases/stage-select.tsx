import { useId } from "react";

import { SALES_STAGES, STAGES, type SalesStage } from "../../contract/stages.ts";
import { useIsImpersonating } from "../auth/not-impersonating.tsx";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseChange } from "./use-purchase-change.ts";

/** Moves a purchase to any stage. Disabled for an impersonating admin. The label of a compact select contains the lead's name for assistive technology. */
export function StageSelect({
  purchase,
  isCompact = false,
  onMove,
}: {
  purchase: PurchasedLead;
  isCompact?: boolean;
  /** Called with the new stage before each move. */
  onMove?: (stage: SalesStage) => void;
}) {
  const id = useId();
  const { change } = usePurchaseChange(purchase.id);
  const isImpersonating = useIsImpersonating();
  return (
    <div className={isCompact ? "stage stage--compact" : "field stage"} data-stage={purchase.salesStage}>
      <label htmlFor={id} className={isCompact ? "visually-hidden" : undefined}>
        Stage{isCompact && <span> of {purchase.customerName}</span>}
      </label>
      <select
        id={id}
        className="input"
        value={purchase.salesStage}
        disabled={isImpersonating}
        data-shortcut={isCompact ? undefined : "stage"}
        onChange={(event) => {
          const salesStage = event.target.value as SalesStage;
          onMove?.(salesStage);
          void change({ salesStage });
        }}
      >
        {SALES_STAGES.map((stage) => (
          <option key={stage} value={stage}>
            {STAGES[stage].label}
          </option>
        ))}
      </select>
    </div>
  );
}
