import { useQueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import { markLeaving, rememberLetGo } from "../market/let-go.ts";
import { removeLead } from "../market/market-store.ts";
import { addPurchase, PURCHASES_KEY } from "../purchases/purchases.ts";
import { useToast } from "../ui/toaster.tsx";
import { refreshOwnHolds } from "../market/own-holds.ts";
import type { Phase } from "./purchase-phase.ts";
import { SAVED_CARDS_KEY } from "./saved-cards-query.ts";

export type PurchaseNews = ReturnType<typeof usePurchaseNews>;

/**
 * Tells the rest of the window about a purchase: its lists, its cards, and the buyer.
 * @param onTakeBack opens the purchase again that was left a moment ago
 */
export function usePurchaseNews(lead: LeadSummary, onTakeBack: () => void) {
  const client = useQueryClient();
  const toast = useToast();
  const refresh = (queryKey: readonly unknown[]) => void client.invalidateQueries({ queryKey });
  const holdsChanged = () => refreshOwnHolds(client);
  const bought = () => {
    removeLead(client, lead, "bought");
    refresh(PURCHASES_KEY);
    holdsChanged();
  };
  return {
    holdsChanged,
    /** It is let go of in ten seconds, unless the buyer is back by then. */
    leaving() {
      markLeaving(client, lead.id, true);
      toast({
        title: "Lead let go",
        description: "It goes back on the market in 10 seconds.",
        undo: onTakeBack,
      });
    },
    /** The buyer is at it again. */
    back: () => markLeaving(client, lead.id, false),
    /** The lead is on the market again. @param isFree whether we may try it again at once */
    letGo(isFree: boolean) {
      markLeaving(client, lead.id, false);
      if (!isFree) rememberLetGo(client, lead.id);
      holdsChanged();
    },
    withdrawn: () => removeLead(client, lead, "withdrawn"),
    failed: (title: string, description: string) => toast({ title, description, tone: "destructive" }),
    /** The purchase has just come to this phase. */
    reached(phase: Phase) {
      switch (phase.name) {
        case "processing":
          return toast({ title: "Payment Processing", description: `Payment status: ${phase.status}` });
        case "ended":
        case "gone":
          return holdsChanged();
        case "delayed":
          return bought();
        case "bought":
          addPurchase(client, phase.purchase);
          bought();
          refresh(SAVED_CARDS_KEY);
          return toast({
            title: "Payment Successful",
            description: `${phase.purchase.customerName} is in your pipeline under Leads.`,
          });
      }
    },
  };
}
