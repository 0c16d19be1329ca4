import { isFinal } from "../../contract/pipeline.ts";
import { Badge } from "../ui/badge.tsx";
import type { PurchasedLead } from "./purchases.ts";

/** Shows the number of consecutive unanswered calls. Renders nothing at zero. */
export function TriesBadge({ purchase }: { purchase: PurchasedLead }) {
  const { tries } = purchase;
  if (tries === 0 || isFinal(purchase)) return null;
  return <Badge>{tries === 1 ? "1 try" : `${tries} tries`}</Badge>;
}
