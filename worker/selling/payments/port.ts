import type { Env } from "../../platform/env.ts";
import type { PaymentsPort } from "../../exchange/payments-port.ts";
import { cancelPayment, payBackSale, recordPayment } from "./commands.ts";
import { endUnpaid, recordAbandonedHold } from "./hold-commands.ts";
import { forExchange } from "./rules.ts";

export function paymentsPort(env: Env): PaymentsPort {
  return {
    async cancel(intentId, order) {
      const payment = await cancelPayment(env, intentId, order);
      if (!payment) return null;
      return {
        status: payment.status,
        payment: forExchange(payment),
        async record(answer) {
          await recordPayment(env, payment, answer);
        },
      };
    },
    recordAbandonedHold: (hold, now) => recordAbandonedHold(env, hold, now),
    endUnpaid: (hold, now) => endUnpaid(env, hold, now),
    payBack: (intentId, order) => payBackSale(env, intentId, order),
  };
}
