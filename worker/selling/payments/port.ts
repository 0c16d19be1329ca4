import type { Context } from "../../platform/context.ts";
import type { PaymentsPort } from "../../exchange/ports.ts";
import { cancelPayment, preferSaleInD1, refundSale, recordPayment } from "./commands.ts";
import { endUnpaid } from "./hold-commands.ts";
import { markAbandoned } from "./ledger-commands.ts";
import { forExchange } from "./rules.ts";

export function paymentsPort(context: Context): PaymentsPort {
  return {
    async cancel(intentId, order) {
      const payment = await cancelPayment(context, intentId, order);
      if (!payment) return null;
      return {
        status: payment.status,
        payment: forExchange(payment),
        async record(answer) {
          await recordPayment(context, payment, await preferSaleInD1(context, payment, answer));
        },
      };
    },
    recordAbandonedHold: (hold, now) => markAbandoned(context.db, hold, now),
    endUnpaid: (hold, now) => endUnpaid(context, hold, now),
    refundSale: (intentId, order) => refundSale(context, intentId, order),
  };
}
