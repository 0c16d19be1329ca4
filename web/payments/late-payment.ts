/** A payment whose result arrives after the buyer has left its dialog. */
import type { QueryClient } from "@tanstack/react-query";

import { isolate } from "../../contract/names.ts";
import { refreshOwnHolds } from "../market/own-holds.ts";
import { addPurchase } from "../purchases/purchases.ts";
import type { ToastMessage } from "../ui/toaster.tsx";
import type { Settled } from "./purchase-api.ts";

/** Delay before the second request. It doubles with each request. */
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 60_000;

const DECIDED: ReadonlySet<Settled["status"]> = new Set(["sold", "refunded", "cancelled"]);

/** Resolves after `ms`, or as soon as the connection returns. */
async function waitForTimeoutOrOnline(ms: number): Promise<void> {
  const over = new AbortController();
  const online = new Promise((resolve) => addEventListener("online", resolve, { signal: over.signal }));
  await Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), online]);
  over.abort();
}

/** Polls a payment until Stripe decides or the page closes. Retries immediately when the connection returns. */
export async function pollUntilDecided(
  holdId: string,
  settle: (holdId: string) => Promise<Settled>,
): Promise<Settled> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    const settled = await settle(holdId).catch(() => null);
    if (settled && DECIDED.has(settled.status)) return settled;
    await waitForTimeoutOrOnline(waitMs);
  }
}

/** Shows a payment's result, and updates the lists. */
export function reportLatePayment(
  client: QueryClient,
  toast: (message: ToastMessage) => void,
  settled: Settled,
): void {
  if (settled.purchase) addPurchase(client, settled.purchase);
  toast(describeSettled(settled));
  refreshOwnHolds(client);
}

function describeSettled({ status, purchase }: Settled): ToastMessage {
  switch (status) {
    case "sold":
      return {
        title: "Payment Successful",
        description: `${isolate(purchase?.customerName ?? "The customer")} is in your pipeline under Leads.`,
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
        description: "Time's up for this lead. You have not been charged.",
        tone: "destructive",
      };
    default:
      return {
        title: "Payment Failed",
        description:
          "Your bank didn't approve the payment. The lead is still reserved for you. Try another card.",
        tone: "destructive",
      };
  }
}
