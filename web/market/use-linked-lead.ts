import { useEffect, useRef } from "react";

import type { LeadSummary } from "../../contract/leads.ts";
import { useToast } from "../ui/toaster.tsx";

/**
 * Shows the lead that the address names, as a notification's does: its card comes into view with its first button at hand. One that
 * is theirs by now is opened in their pipeline; one that is gone is said to be, once.
 * @param leadId what the address asks for; anything but a lead's id is somebody else's
 * @param leads what is for sale; null while that is not known yet
 * @param bought what is theirs; null while not all of it is known
 * @param ways `onShown` takes the lead out of the address, so that it is shown once; `onOwn` opens a purchase
 */
export function useLinkedLead<Own extends { leadId: string }>(
  leadId: string | null,
  leads: readonly Pick<LeadSummary, "id">[] | null,
  bought: readonly Own[] | null,
  { onShown, onOwn }: { onShown: () => void; onOwn: (purchase: Own) => void },
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
        description: "Another provider was quicker, or it was taken back. We tell you of the next one.",
      });
      return;
    }
    const card = document.querySelector<HTMLElement>(`[data-lead="${CSS.escape(leadId)}"]`);
    card?.scrollIntoView({ block: "center" });
    card?.querySelector<HTMLElement>("button")?.focus({ preventScroll: true });
  }, [leadId, leads, bought, onShown, onOwn, toast]);
}
