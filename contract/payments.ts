import * as z from "zod/mini";

import { leadIdSchema } from "./leads.ts";
import { purchaseRequestSchema } from "./purchases.ts";
import { maxSigns } from "./text-fields.ts";

export const holdIdSchema = z.string("Unknown hold").check(z.regex(/^hold_[0-9a-z]{8,40}$/, "Unknown hold"));

/** How long a lead stays set aside for its buyer … */
export const HOLD_MINUTES = 5;
/** After letting a lead go, a business waits this long for the same lead. */
export const SAME_LEAD_WAIT_MINUTES = 10;
/** … and for one who has not paid anything yet and is not verified: anybody can make such an account. */
export const NEWCOMER_HOLD_SECONDS = 90;

/** Body of POST /api/exchange/holds. The amount is only compared with ours. */
export const holdRequestSchema = z.object({
  leadId: leadIdSchema,
  /** In cents. */
  amount: z.int("The amount in cents").check(z.positive("The amount in cents")),
});
export type HoldRequest = z.infer<typeof holdRequestSchema>;

/** Body of POST /api/create-payment-intent, which finds the hold or makes it. */
export const paymentIntentRequestSchema = holdRequestSchema;
export type PaymentIntentRequest = HoldRequest;

/** Body of POST /api/payments/settle: the browser is back from paying. Who buys may be told along. */
export const settleRequestSchema = z.object({
  holdId: holdIdSchema,
  buyer: z.optional(purchaseRequestSchema),
});
export type SettleRequest = z.infer<typeof settleRequestSchema>;

/** What became of a payment. `open`: it can still be tried; `action_needed`: the bank asks its buyer. */
export const SETTLED_AS = ["sold", "open", "action_needed", "processing", "cancelled", "refunded"] as const;

/** Life of a card payment. `pending` to `succeeded` follow the PaymentIntent, the rest what came after. */
export const PAYMENT_STATES = [
  "pending",
  "processing",
  "succeeded",
  "cancelled",
  "refund_pending",
  "refunded",
  "disputed",
] as const;

/** What a provider agrees to when a card is kept; by id, so that the ledger knows the words they saw. */
export const SAVE_CARD_CONSENTS = {
  "2026-11":
    "Keep this card for my next leads. Stripe stores it; only I can use it here, each time with my own tap, and I can remove it at any time.",
} as const;
/** The words shown now. Other words need a new id. */
export const SAVE_CARD_CONSENT = "2026-11" satisfies keyof typeof SAVE_CARD_CONSENTS;

/** Body of POST /api/payments/keep-card: whether the card about to be used is kept. */
export const keepCardRequestSchema = z.object({
  holdId: holdIdSchema,
  /** The consent's id; null takes it back. */
  consent: z.nullable(z.enum(Object.keys(SAVE_CARD_CONSENTS) as (keyof typeof SAVE_CARD_CONSENTS)[])),
});
export type KeepCardRequest = z.infer<typeof keepCardRequestSchema>;

export const cardIdSchema = z.string("Unknown card").check(z.regex(/^pm_\w{6,60}$/, "Unknown card"));

/** Body of POST /api/payments/pay-saved: pays a hold with a card that was kept. */
export const savedCardPaymentSchema = z.object({
  holdId: holdIdSchema,
  cardId: cardIdSchema,
  buyer: z.optional(purchaseRequestSchema),
});
export type SavedCardPayment = z.infer<typeof savedCardPaymentSchema>;

/** How a card's last month stands to this one: still to come, this very month, or over, and it pays no more. */
export type CardExpiry = "later" | "this_month" | "over";

/** A card that was kept. `brand` is Stripe's word for it, such as "visa". */
export type SavedCard = {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  expiry: CardExpiry;
};

/** Payments a receipt exists of. `processing` ones are shown without being one yet. */
export const RECEIPT_STATES = ["succeeded", "refund_pending", "refunded", "disputed"] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

const CARD_BRANDS: Record<string, string> = {
  amex: "American Express",
  diners: "Diners Club",
  discover: "Discover",
  eftpos_au: "eftpos",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};

/** A card as people call it, such as "Visa ending in 4242". */
export function formatCard(card: { brand: string; last4: string }): string {
  return `${CARD_BRANDS[card.brand] ?? "Card"} ending in ${card.last4}`;
}

export const paymentIdSchema = z
  .string("Unknown payment")
  .check(z.regex(/^pay_[0-9a-z]{8,40}$/, "Unknown payment"));

/** Body of POST /api/super-admin/payments/{id}/refund. The reason is kept with the provider's notes, for admins. */
export const refundSchema = z.object({
  reason: z
    .string("Please say why")
    .check(z.trim(), z.minLength(3, "Please say why"), maxSigns(500, "At most 500 characters")),
});
export type RefundRequest = z.infer<typeof refundSchema>;

/** What came of a refund that an admin asked for; one that is owed is tried again every minute. */
export type RefundAnswer = { state: "refunded" | "refund_pending" };

/** A line of the payments ledger. */
export type AdminPayment = {
  id: string;
  holdId: string;
  leadId: string;
  region: string;
  buyerId: string;
  buyerName: string;
  state: string;
  /** Decimal text. */
  amount: string;
  stripePaymentIntentId: string | null;
  card: string | null;
  lastError: string | null;
  createdAt: number;
  succeededAt: number | null;
  refundedAt: number | null;
  /** What went back so far, as decimal text; null when nothing did. */
  refunded: string | null;
};
