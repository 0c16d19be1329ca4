import { useEffect, useRef } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import { useToast } from "../ui/toaster.tsx";

type LinkedLeadHandlers<Own> = {
  /** Removes the lead from the URL, so that it is shown only once. */
  onShown: () => void;
  /** Scrolls the lead's card into view. */
  onForSale: (leadId: string) => void;
  onOwn: (purchase: Own) => void;
};

/**
 * Shows the lead in the URL, for example from a notification's link. Opens a bought lead in the pipeline. Shows a toast
 * once if the lead is gone.
 * @param leadId the URL's parameter; ignored unless it is a lead's ID
 * @param leads the leads for sale; null until loaded
 * @param bought the business's purchases; null until all are loaded
 */
export function useLinkedLead<Own extends { leadId: string }>(
  leadId: string | null,
  leads: readonly Pick<LeadSummary, "id">[] | null,
  bought: readonly Own[] | null,
  { onShown, onForSale, onOwn }: LinkedLeadHandlers<Own>,
): void {
  const toast = useToast();
  const shown = useRef<string | null>(null);
  useEffect(() => {
    // Handle each lead once: the URL changes slightly later.
    if (!leadId?.startsWith("lead_") || !leads || shown.current === leadId) return;
    const isForSale = leads.some(({ id }) => id === leadId);
    if (!isForSale && !bought) return;
    shown.current = leadId;
    const own = bought?.find((purchase) => purchase.leadId === leadId);
    if (own) return onOwn(own);
    onShown();
    if (!isForSale) {
      toast({
        title: "That lead is gone",
        description: "It's been sold or withdrawn. We'll let you know about the next one.",
      });
      return;
    }
    onForSale(leadId);
  }, [leadId, leads, bought, onShown, onForSale, onOwn, toast]);
}
