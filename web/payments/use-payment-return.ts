import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";

import { holdIdSchema } from "../../contract/payments.ts";
import { useToast } from "../ui/toaster.tsx";
import { refreshOwnHolds } from "../market/own-holds.ts";
import { reportLatePayment } from "./late-payment.ts";
import { fetchSettlement } from "./purchase-api.ts";

/** Query parameters that a bank or Stripe.js adds to our return URL. */
const PARAMS = ["hold", "payment_intent", "payment_intent_client_secret", "redirect_status"];

/** Resumes a purchase when the buyer returns from the bank's page. */
export function usePaymentReturn(): void {
  const client = useQueryClient();
  const toast = useToast();
  const [params, setParams] = useSearchParams();
  const holdId = holdIdSchema.safeParse(params.get("hold")).data ?? null;

  const resumePayment = useEffectEvent(async (holdId: string) => {
    try {
      reportLatePayment(client, toast, await fetchSettlement(holdId));
    } catch {
      toast({
        title: "Payment Error",
        description:
          "We haven't been able to check your payment yet. If it went through, the lead will be in your pipeline.",
        tone: "destructive",
      });
      refreshOwnHolds(client);
    }
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
    if (holdId) void resumePayment(holdId);
  }, [holdId]);
}
