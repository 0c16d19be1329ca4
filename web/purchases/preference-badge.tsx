import { contactPreferenceText } from "../../contract/lead-labels.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { Badge } from "../ui/badge.tsx";
import type { PurchasedLead } from "./purchases.ts";

/** Shows how and when the customer wants to be reached, while the lead is open. */
export function PreferenceBadge({ purchase }: { purchase: PurchasedLead }) {
  const preference = isFinal(purchase) ? null : contactPreferenceText(purchase);
  return preference ? <Badge>{preference}</Badge> : null;
}
