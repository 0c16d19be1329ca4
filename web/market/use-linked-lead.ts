import { useEffect, useRef } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import { useToast } from "../ui/toaster.tsx";

type Ways<Own> = {
  /** Takes the lead out of the address, so that it is shown once. */
  onShown: () => void;
  /** Brings its card into view. */
  onForSale: (leadId: string) => void;
  /** Opens a purchase. */
  onOwn: (purchase: Own) => void;
};

/**
 * Shows the lead that the address names, as a notification's does. A bought lead opens in the pipeline. A toast
 * says once that a lead is gone.
 * @param leadId what the address asks for; anything but a lead's id is somebody else's
 * @param leads what is for sale; null while that is not known yet
 * @param bought what is theirs; null while not all of it is known
 */
export function useLinkedLead<Own extends { leadId: string }>(
  leadId: string | null,
  leads: readonly Pick<LeadSummary, "id">[] | null,
  bought: readonly Own[] | null,
  { onShown, onForSale, onOwn }: Ways<Own>,
): void {
  const toast = useToast();
  const shown = useRef<string | null>(null);
  useEffect(() => {
    // The address follows a little later.
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
