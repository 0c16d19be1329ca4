import { useQueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import { SAME_LEAD_WAIT_MINUTES } from "../../contract/holds.ts";
import { markLeaving, rememberLetGo } from "../market/let-go.ts";
import { removeLead } from "../market/market-store.ts";
import { addPurchase, PURCHASES_KEY } from "../purchases/purchases.ts";
import { useToast } from "../ui/toaster.tsx";
import { refreshOwnHolds } from "../market/own-holds.ts";
import { formatGrace, type Leaving } from "./grace.ts";
import type { Settled } from "./purchase-api.ts";
import type { Phase } from "./purchase-phase.ts";
import { SAVED_CARDS_KEY } from "./saved-cards-query.ts";
import { describeSettled } from "./settled-words.ts";

export type PurchaseNews = ReturnType<typeof usePurchaseNews>;

/** Returns the toast for undoing a release too late. @param isFree whether the buyer may try the lead again at once */
const tooLate = (isFree: boolean) => ({
  title: "Too late to take it back",
  description: isFree
    ? "It's going back on the market. You can buy it there again."
    : `It's going back on the market. You can try it again in ${SAME_LEAD_WAIT_MINUTES} minutes.`,
});

/**
 * Updates the rest of the window after a purchase: lists, cards and toasts.
 * @param onTakeBack opens the purchase again after an undone release
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
    /**
     * The release can be undone for a moment.
     * @param isFree whether the buyer may try the lead again at once afterwards
     */
    leaving(hold: Leaving, isFree: boolean) {
      markLeaving(client, lead.id, "soon");
      toast({
        title: "Lead let go",
        description: `It goes back on the market ${formatGrace(hold.ms)}.`,
        undo: () => (hold.state === "sent" ? toast(tooLate(isFree)) : onTakeBack()),
      });
    },
    back: () => markLeaving(client, lead.id, null),
    sent: () => markLeaving(client, lead.id, "sent"),
    /** The lead is on the market again. @param isFree whether the buyer may try it again at once */
    letGo(isFree: boolean) {
      markLeaving(client, lead.id, null);
      if (!isFree) rememberLetGo(client, lead.id);
      holdsChanged();
    },
    /** The hold stays: another window is at the purchase. */
    elsewhere() {
      markLeaving(client, lead.id, null);
      holdsChanged();
      toast({ title: "Lead kept", description: "You're buying it in another window." });
    },
    withdrawn: () => removeLead(client, lead, "withdrawn"),
    failed: (title: string, description: string) => toast({ title, description, tone: "destructive" }),
    /** The payment ended after the dialog closed. */
    settled(settled: Settled) {
      if (settled.purchase) addPurchase(client, settled.purchase);
      if (settled.status === "sold") bought();
      holdsChanged();
      toast(describeSettled(settled));
    },
    /** Called once when the purchase reaches a phase. */
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
