import { isolate } from "../../contract/names.ts";
import type { PurchasedLead } from "./purchases.ts";

/** Returns whether the purchase has an unread reply from the customer. */
export function isAnswerUnread({
  answeredAt,
  answersSeenAt,
}: Pick<PurchasedLead, "answeredAt" | "answersSeenAt">): boolean {
  return (answeredAt ?? 0) > (answersSeenAt ?? 0);
}

/** Returns the customer's first name for a greeting, such as "Marta". */
export const firstNameOf = ({ customerName }: Pick<PurchasedLead, "customerName">) =>
  isolate(customerName.trim().split(/\s+/, 1)[0]!) || "your customer";
