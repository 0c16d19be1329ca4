import { CallFollowUp } from "../purchases/call-question.tsx";
import type { PurchasedLead } from "../purchases/purchases.ts";
import { useCallReturn } from "../purchases/use-call.ts";

export function AfterCall({ purchases }: { purchases: readonly PurchasedLead[] }) {
  useCallReturn();
  return <CallFollowUp purchases={purchases} />;
}
