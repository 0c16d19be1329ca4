import "./payments.css";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { GoneReason } from "../market/market.ts";
import { CardPurchase } from "./card-purchase.tsx";
import { DirectPurchase } from "./direct-purchase.tsx";

export type PurchaseProps = {
  lead: LeadSummary;
  /** Why the lead left the market meanwhile; null while it is for sale. */
  goneReason: GoneReason | null;
  user: CurrentUser;
  onClose: () => void;
  /** Opens the purchase again: the buyer let the lead go and thinks better of it. */
  onTakeBack: () => void;
  /** Null when the purchase's id is not known yet. */
  onOpenPipeline: (purchaseId: string | null) => void;
};

/** Shows a lead and its price, and buys it: with a card, or without where no cards are taken. */
export function PurchaseDialog({
  payments,
  ...props
}: PurchaseProps & {
  /** How leads are paid here. */
  payments: "stripe" | "direct";
}) {
  return payments === "stripe" ? <CardPurchase {...props} /> : <DirectPurchase {...props} />;
}
