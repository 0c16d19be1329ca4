import type { PurchasedLead } from "./purchases.ts";

/** Returns whether the customer has an unread reply. A snapshot from an older release may lack these fields. */
export function isAnswerUnread({
  answeredAt,
  answersSeenAt,
}: Pick<PurchasedLead, "answeredAt" | "answersSeenAt">): boolean {
  return (answeredAt ?? 0) > (answersSeenAt ?? 0);
}

/** Returns the first name, to address the customer with: "Marta". */
export const firstNameOf = ({ customerName }: Pick<PurchasedLead, "customerName">) =>
  customerName.trim().split(/\s+/, 1)[0] || "your customer";
