import { useEffect } from "react";

import { PurchaseCard } from "./purchase-card.tsx";
import { type PipelineTile, type PurchasedLead, purchasesOf } from "./purchases.ts";

const EMPTY_WORDS: Record<PipelineTile["id"], string> = {
  leads: "Leads you buy land here first. Call while they are fresh, then move them along.",
  called: "Nobody is waiting for your quote. Move a lead here once you have called.",
  quoted: "No quotes are out. Move a lead here when you have sent yours.",
  booked: "No jobs are booked. Won jobs stand here until they are done.",
  complete: "No finished jobs are waiting for an invoice.",
  invoiced: "No invoices are open.",
  paid: "No paid jobs yet. They stand here until they are archived.",
  final: "Closed and archived leads are kept here, to read.",
  declined: "No declined leads. Jobs you did not win can rest here.",
};

/** The purchases of one stage. */
export function PipelineTab({
  tile,
  purchases,
  highlighted,
}: {
  tile: PipelineTile;
  purchases: readonly PurchasedLead[];
  /** The purchase that was just opened from elsewhere. */
  highlighted: string | null;
}) {
  const shown = purchasesOf(tile, purchases);
  const isShown = shown.some((purchase) => purchase.id === highlighted);
  useEffect(() => {
    if (highlighted && isShown) document.getElementById(highlighted)?.scrollIntoView({ block: "center" });
  }, [highlighted, isShown]);
  if (shown.length === 0) return <p className="empty">{EMPTY_WORDS[tile.id]}</p>;
  return (
    <ul className="purchases">
      {shown.map((purchase) => (
        <PurchaseCard key={purchase.id} purchase={purchase} isHighlighted={purchase.id === highlighted} />
      ))}
    </ul>
  );
}
