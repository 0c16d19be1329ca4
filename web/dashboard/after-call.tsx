import { CallFollowUp } from "../purchases/call-question.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { useCallReturn } from "../purchases/use-call.ts";

/** Detects the user's return from a call and asks how it went. */
export function AfterCall({ purchases }: { purchases: readonly PurchasedLead[] }) {
  useCallReturn();
  return <CallFollowUp purchases={purchases} />;
}
