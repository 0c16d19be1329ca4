import { useMutation, useQueryClient } from "@tanstack/react-query";

import type { LeadSummary } from "../../contract/leads.ts";
import type { PurchaseRequest } from "../../contract/purchases.ts";
import { codeOf, unwrap } from "../lib/api.ts";
import { browserApi } from "../lib/browser-api.ts";
import { addPurchase, PURCHASES_KEY } from "../purchases/purchases.ts";
import { removeLead, removeIfUnavailable } from "../market/market-store.ts";

/** Buys a lead without a card (local development), then updates the lists. */
export function useDirectPurchase(lead: LeadSummary) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form: PurchaseRequest) =>
      unwrap(browserApi().api.leads[":id"].purchase.$post({ param: { id: lead.id }, json: form })),
    onSuccess: (purchase) => {
      removeLead(client, lead, "bought");
      addPurchase(client, purchase);
    },
    onError: (error) => {
      removeIfUnavailable(client, lead, error);
      if (codeOf(error) === "details_delayed") {
        // We bought the lead, but its details are delayed.
        removeLead(client, lead, "bought");
        void client.invalidateQueries({ queryKey: PURCHASES_KEY });
      }
    },
  });
}
