import * as z from "zod/mini";

import { leadIdSchema } from "./leads.ts";
import { purchaseRequestSchema } from "./purchases.ts";

export const holdIdSchema = z.string("Unknown hold").check(z.regex(/^hold_[0-9a-z]{8,40}$/, "Unknown hold"));

/** Body of POST /api/create-payment-intent. The amount is only compared with ours. */
export const paymentIntentRequestSchema = z.object({
  leadId: leadIdSchema,
  /** In cents. */
  amount: z.int("The amount in cents").check(z.positive("The amount in cents")),
});
export type PaymentIntentRequest = z.infer<typeof paymentIntentRequestSchema>;

/** Body of POST /api/payments/settle: the browser is back from paying. Who buys may be told along. */
export const settleRequestSchema = z.object({
  holdId: holdIdSchema,
  buyer: z.optional(purchaseRequestSchema),
});
export type SettleRequest = z.infer<typeof settleRequestSchema>;

/** What became of a payment. `open`: it can still be tried. */
export const SETTLED_AS = ["sold", "open", "processing", "cancelled", "refunded"] as const;
