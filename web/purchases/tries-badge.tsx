import { isFinal } from "../../contract/pipeline.ts";
import { Badge } from "../ui/badge.tsx";
import type { PurchasedLead } from "./purchases.ts";

/** How often somebody called in a row and reached nobody; nothing when they did, or never called. */
export function TriesBadge({ purchase }: { purchase: PurchasedLead }) {
  const { tries } = purchase;
  if (tries === 0 || isFinal(purchase)) return null;
  return <Badge>{tries === 1 ? "1 try" : `${tries} tries`}</Badge>;
}
