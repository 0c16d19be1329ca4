import type { PurchasedLead } from "./purchases.ts";
import { Badge } from "../ui/badge.tsx";
import { isAnswerUnread } from "./answers.ts";

/** Shows that the customer replied and no team member has read the reply yet. */
export function AnsweredMark({ purchase }: { purchase: PurchasedLead }) {
  return isAnswerUnread(purchase) ? <Badge tone="warm">Wrote back</Badge> : null;
}
