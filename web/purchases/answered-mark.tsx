import type { PurchasedLead } from "./purchases.ts";
import { Badge } from "../ui/badge.tsx";
import { isAnswerUnread } from "./answers.ts";

/** Shows a badge while the customer's latest reply is unread by the team. */
export function AnsweredMark({ purchase }: { purchase: PurchasedLead }) {
  return isAnswerUnread(purchase) ? <Badge tone="warm">Wrote back</Badge> : null;
}
