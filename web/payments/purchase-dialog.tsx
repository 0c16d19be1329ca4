import "./payments.css";

import type { CurrentUser } from "../../contract/auth.ts";
import type { LeadSummary } from "../../contract/leads.ts";
import type { GoneCause } from "../market/market.ts";
import { CardPurchase } from "./card-purchase.tsx";
import { DirectPurchase } from "./direct-purchase.tsx";

export type PurchaseProps = {
  lead: LeadSummary;
  /** Why the lead left the market; null while it is for sale. */
  goneReason: GoneCause | null;
  user: CurrentUser;
  onClose: () => void;
  /** The purchase's ID; null while it is not known. */
  onOpenPipeline: (purchaseId: string | null) => void;
};

/** Shows a lead and its price, and sells it with a card, or without one where no cards are taken. */
export function PurchaseDialog({
  payments,
  ...props
}: PurchaseProps & {
  payments: "stripe" | "direct";
}) {
  return payments === "stripe" ? <CardPurchase {...props} /> : <DirectPurchase {...props} />;
}
