import type { LeadSummary } from "../../contract/leads.ts";
import type { LeadGoneReason } from "../market/market.ts";
import { CardPurchase } from "./card-purchase.tsx";
import { DirectPurchase } from "./direct-purchase.tsx";

export type PurchaseProps = {
  lead: LeadSummary;
  /** Why the lead left the market; null while it is for sale. */
  goneReason: LeadGoneReason | null;
  onClose: () => void;
  /** Opens the pipeline. The argument is the purchase's ID; null while unknown. */
  onOpenPipeline: (purchaseId: string | null) => void;
};

/** Sells a lead in a dialog: by card, or without a card in local development. */
export function PurchaseDialog({
  payments,
  ...props
}: PurchaseProps & {
  payments: "stripe" | "direct";
}) {
  return payments === "stripe" ? <CardPurchase {...props} /> : <DirectPurchase {...props} />;
}
