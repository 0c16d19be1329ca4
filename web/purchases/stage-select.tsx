import { useId } from "react";

import { SALES_STAGES, type SalesStage, STAGE_LABELS } from "../../contract/purchases.ts";
import type { PurchasedLead } from "./purchases.ts";
import { usePurchaseChange } from "./use-purchase-change.ts";

/** Moves a purchase to any stage. */
export function StageSelect({ purchase }: { purchase: PurchasedLead }) {
  const id = useId();
  const { mutate } = usePurchaseChange(purchase.id);
  return (
    <div className="field">
      <label htmlFor={id}>Stage</label>
      <select
        id={id}
        className="input"
        value={purchase.salesStage}
        onChange={(event) => mutate({ salesStage: event.target.value as SalesStage })}
      >
        {SALES_STAGES.map((stage) => (
          <option key={stage} value={stage}>
            {STAGE_LABELS[stage]}
          </option>
        ))}
      </select>
    </div>
  );
}
