import type { PurchasedLead } from "./purchases.ts";
import { Badge } from "../ui/badge.tsx";
import { isAnswerUnread } from "./answers.ts";

/** Says that a purchase's customer wrote back and nobody of the business has read it; nothing when they have. */
export function AnsweredMark({ purchase }: { purchase: PurchasedLead }) {
  return isAnswerUnread(purchase) ? <Badge tone="warm">Wrote back</Badge> : null;
}
