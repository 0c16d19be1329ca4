import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";

import { holdIdSchema } from "../../contract/payments.ts";
import { addPurchase } from "../purchases/purchases.ts";
import { type ToastMessage, useToast } from "../ui/toaster.tsx";
import { refreshOwnHolds } from "../market/own-holds.ts";
import { type Settled, settle } from "./purchase-api.ts";

/** What a bank or Stripe.js hangs on our address. */
const PARAMS = ["hold", "payment_intent", "payment_intent_client_secret", "redirect_status"];

/** What to say to somebody who comes back from their bank's page. */
function wordsFor({ status, purchase }: Settled): ToastMessage {
  switch (status) {
    case "sold":
      return {
        title: "Payment Successful",
        description: `${purchase?.customerName ?? "The customer"} is in your pipeline under Leads.`,
      };
    case "processing":
      return { title: "Payment Processing", description: "Payment status: processing" };
    case "refunded":
      return {
        title: "Payment refunded",
        description: "The lead was gone before your payment arrived. The whole amount is on its way back.",
        tone: "destructive",
      };
    case "cancelled":
      return {
        title: "Payment Failed",
        description: "The time to pay for this lead is over. You have not been charged.",
        tone: "destructive",
      };
    default:
      return {
        title: "Payment Failed",
        description: "Your bank did not approve the payment. The lead is still set aside: try another card.",
        tone: "destructive",
      };
  }
}

/** Takes up a purchase whose buyer comes back from a page of their bank. */
export function usePaymentReturn(): void {
  const client = useQueryClient();
  const toast = useToast();
  const [params, setParams] = useSearchParams();
  const holdId = holdIdSchema.safeParse(params.get("hold")).data ?? null;

  const takeUp = useEffectEvent(async (holdId: string) => {
    try {
      const settled = await settle(holdId);
      if (settled.purchase) addPurchase(client, settled.purchase);
      toast(wordsFor(settled));
    } catch {
      toast({
        title: "Payment Error",
        description: "We could not find out yet what became of your payment. Your pipeline will show it.",
        tone: "destructive",
      });
    }
    refreshOwnHolds(client);
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const name of PARAMS) next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  });
  useEffect(() => {
    if (holdId) void takeUp(holdId);
  }, [holdId]);
}
