import { isolate } from "../../contract/names.ts";
import type { ToastMessage } from "../ui/toaster.tsx";
import type { Settled } from "./purchase-api.ts";

/** Returns the toast for a payment that ended after the buyer left its dialog. */
export function describeSettled({ status, purchase }: Settled): ToastMessage {
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
