import { isolate } from "../../contract/names.ts";
import { useQueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import { messageOf } from "../lib/api.ts";
import { addPurchase, type PurchasedLead } from "../purchases/purchases.ts";
import { useToast } from "../ui/toaster.tsx";
import { removeLead, removeIfUnavailable } from "./market-store.ts";

/** Returns a function that shows why a free lead was not claimed or assigned, and updates the list. */
export function useShowRefusal(lead: LeadSummary, title: string, fallback: string) {
  const client = useQueryClient();
  const toast = useToast();
  return (error: unknown) => {
    removeIfUnavailable(client, lead, error);
    toast({ title, description: messageOf(error, fallback), tone: "destructive" });
  };
}

/** Returns functions that update the window after the business claimed a free lead, or the server refused the claim. */
export function useFreeLeadHandlers(lead: LeadSummary) {
  const client = useQueryClient();
  const toast = useToast();
  const refused = useShowRefusal(lead, "Failed to Claim Lead", "Unable to claim lead");
  function claimed(purchase: PurchasedLead) {
    removeLead(client, lead, "bought");
    addPurchase(client, purchase);
    toast({
      title: "Lead Claimed",
      description: `${isolate(purchase.customerName)} is in your pipeline under Leads, free of charge.`,
    });
  }
  return { claimed, refused };
}
