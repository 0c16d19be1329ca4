import type { PurchasedLead } from "./purchases.ts";

/** Whether a customer wrote back and nobody of the business has read it. What a device kept from before may not say. */
export function isAnswerUnread({
  answeredAt,
  answersSeenAt,
}: Pick<PurchasedLead, "answeredAt" | "answersSeenAt">): boolean {
  return (answeredAt ?? 0) > (answersSeenAt ?? 0);
}

/** What a customer is called to their face: "Marta". */
export const firstNameOf = ({ customerName }: Pick<PurchasedLead, "customerName">) =>
  customerName.trim().split(/\s+/, 1)[0] || "your customer";
