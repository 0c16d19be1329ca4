import { SALES_STAGES, STAGES, type SalesStage } from "../../contract/stages.ts";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { useStageMoves } from "../purchases/use-purchase-change.ts";
import { Button } from "../ui/button.tsx";

/** Maximum leads per bulk move. Each lead is a separate request. */
export const MAX_PICKED = 100;

/** Shows the bar for a bulk change: the number of selected leads and their new stage. */
export function StageMoves({
  chosen,
  onSelectAll,
  onDone,
}: {
  chosen: readonly PurchasedLead[];
  onSelectAll: () => void;
  onDone: () => void;
}) {
  const move = useStageMoves();
  return (
    <section className="cluster moves" aria-label="Selected leads">
      <output>{chosen.length} selected</output>
      <button type="button" className="link-button" onClick={onSelectAll}>
        Select all
      </button>
      <select
        className="input"
        aria-label="Move selected leads to"
        value=""
        disabled={chosen.length === 0}
        onChange={(event) => {
          void move(chosen, event.target.value as SalesStage);
          onDone();
        }}
      >
        <option value="">Move to…</option>
        {SALES_STAGES.map((stage) => (
          <option key={stage} value={stage}>
            {STAGES[stage].label}
          </option>
        ))}
      </select>
      <Button variant="quiet" onClick={onDone}>
        Cancel
      </Button>
    </section>
  );
}
