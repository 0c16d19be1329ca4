import { useQueryClient } from "@tanstack/react-query";

import { applyContact, type ContactOutcome } from "../../contract/contacts.ts";
import { isFinal } from "../../contract/pipeline.ts";
import { useIsImpersonating } from "../auth/not-impersonating.tsx";
import { useToast } from "../ui/toaster.tsx";
import type { OutboxEntry } from "./entries.ts";
import type { PurchasedLead } from "./purchases.ts";
import { createEntry, getShownPurchase } from "./use-outbox.ts";
import { sendAndReport } from "./use-purchase-change.ts";

/** Returns whether the user may log calls and texts of a lead. Closed leads and impersonating admins add none. */
export function useCanLog(purchase: PurchasedLead): boolean {
  return !useIsImpersonating() && !isFinal(purchase);
}

/**
 * Logs calls and text messages of one purchase. The effects show immediately. Offline, entries are stored like other
 * changes and sent later.
 */
export function useContactLog(id: string) {
  const client = useQueryClient();
  const toast = useToast();
  return {
    /**
     * Logs a call or a text message.
     * @param entryKey idempotency key, created once per call or message
     * @param at time of contact (epoch ms); now if omitted
     */
    log(outcome: ContactOutcome, { entryKey, at }: { entryKey: string; at?: number }) {
      const { salesStage = "accepted_lead", tries = 0 } = getShownPurchase(client, id) ?? {};
      const { salesStage: stage, ...counted } = applyContact({ salesStage, tries }, outcome);
      const entry: OutboxEntry = {
        ...createEntry(client, id, entryKey),
        kind: "contact",
        body: { outcome, ...(at !== undefined && { at }) },
        after: { ...counted, ...(stage !== salesStage && { salesStage: stage }) },
      };
      void sendAndReport({ client, toast }, entry);
    },
  };
}
