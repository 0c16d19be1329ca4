import { useQueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import { setReleasing, recordRelease } from "../market/released-leads.ts";
import { removeLead } from "../market/market-store.ts";
import { addPurchase, PURCHASES_KEY } from "../purchases/purchases.ts";
import { useToast } from "../ui/toaster.tsx";
import { refreshOwnHolds } from "../market/own-holds.ts";
import type { Settled } from "./purchase-api.ts";
import type { Phase } from "./purchase-phase.ts";
import { SAVED_CARDS_KEY } from "./saved-cards-query.ts";
import { describeSettled } from "./describe-settled.ts";

export type PurchaseEffects = ReturnType<typeof usePurchaseEffects>;

/** Returns functions that update the window's lists, cards and toasts after changes to a purchase. */
export function usePurchaseEffects(lead: LeadSummary) {
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
    releasing: () => setReleasing(lead.id, true),
    back: () => setReleasing(lead.id, false),
    /** Handles a released hold. @param canRetryAtOnce whether the buyer may try the lead again immediately */
    onReleased(canRetryAtOnce: boolean) {
      setReleasing(lead.id, false);
      if (!canRetryAtOnce) recordRelease(lead.id);
      holdsChanged();
    },
    withdrawn: () => removeLead(client, lead, "withdrawn"),
    failed: (title: string, description: string) => toast({ title, description, tone: "destructive" }),
    /** Handles a payment that was settled after the dialog closed. */
    settled(settled: Settled) {
      if (settled.purchase) addPurchase(client, settled.purchase);
      if (settled.status === "sold") bought();
      holdsChanged();
      toast(describeSettled(settled));
    },
    /** Handles a new phase. Called once for each phase. */
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
          // The sheet says that the payment succeeded.
          return refresh(SAVED_CARDS_KEY);
      }
    },
  };
}
