import * as z from "zod/mini";

import { leadIdSchema } from "./leads.ts";
import { purchaseRequestSchema } from "./purchases.ts";
import { maxCharacters } from "./text-fields.ts";

export const holdIdSchema = z.string("Unknown hold").check(z.regex(/^hold_[0-9a-z]{8,40}$/, "Unknown hold"));

/** Body of POST /api/exchange/holds. The server only compares the amount with our price. */
export const holdRequestSchema = z.object({
  leadId: leadIdSchema,
  /** In cents. */
  amount: z.int("The amount in cents").check(z.positive("The amount in cents")),
});
export type HoldRequest = z.infer<typeof holdRequestSchema>;

/** Body of POST /api/create-payment-intent, which finds the hold or creates it. */
export const paymentIntentRequestSchema = holdRequestSchema;
export type PaymentIntentRequest = HoldRequest;

/**
 * Body of POST /api/payments/settle. The browser sends it after the payment step. It may include the buyer's details.
 */
export const settleRequestSchema = z.object({
  holdId: holdIdSchema,
  buyer: z.optional(purchaseRequestSchema),
});
export type SettleRequest = z.infer<typeof settleRequestSchema>;

/** Result of a payment. `open`: the buyer can still pay; `action_needed`: the bank asks the buyer to confirm. */
export const SETTLEMENT_RESULTS = [
  "sold",
  "open",
  "action_needed",
  "processing",
  "cancelled",
  "refunded",
] as const;

/** States of a card payment. `pending` to `succeeded` follow the PaymentIntent. The rest come after it. */
export const PAYMENT_STATES = [
  "pending",
  "processing",
  "succeeded",
  "cancelled",
  "refund_pending",
  "refunded",
  "disputed",
] as const;

/** Consent wordings for saving a card, by id. The ledger stores the id of the wording that the provider saw. */
export const SAVE_CARD_CONSENTS = {
  "2026-11":
    "Keep this card for my next leads. Stripe stores it; only I can use it here, each time with my own tap, and I can remove it at any time.",
  "2026-11-24": "Save this card for next time. You can remove it in Settings.",
} as const;
/** The current wording. A changed wording needs a new id. */
export const SAVE_CARD_CONSENT = "2026-11-24" satisfies keyof typeof SAVE_CARD_CONSENTS;

/** Body of POST /api/payments/keep-card: whether to save the card used for this payment. */
export const saveCardRequestSchema = z.object({
  holdId: holdIdSchema,
  /** Id of the consent; null withdraws it. */
  consent: z.nullable(z.enum(Object.keys(SAVE_CARD_CONSENTS) as (keyof typeof SAVE_CARD_CONSENTS)[])),
});
export type SaveCardRequest = z.infer<typeof saveCardRequestSchema>;

export const cardIdSchema = z.string("Unknown card").check(z.regex(/^pm_\w{6,60}$/, "Unknown card"));

/** Body of POST /api/payments/pay-saved: pays a hold with a saved card. */
export const savedCardPaymentSchema = z.object({
  holdId: holdIdSchema,
  cardId: cardIdSchema,
  buyer: z.optional(purchaseRequestSchema),
});
export type SavedCardPayment = z.infer<typeof savedCardPaymentSchema>;

/** Whether a card expires later, expires this month, or has expired. An expired card cannot pay. */
export type CardExpiry = "later" | "this_month" | "over";

/** A saved card. `brand` is Stripe's name for it, such as "visa". */
export type SavedCard = {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  expiry: CardExpiry;
};

/** Payments that have a receipt. `processing` payments are listed too, but without a receipt. */
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

/** Formats a card for display, such as "Visa ending in 4242". */
export function formatCard(card: { brand: string; last4: string }): string {
  return `${CARD_BRANDS[card.brand] ?? "Card"} ending in ${card.last4}`;
}

export const paymentIdSchema = z
  .string("Unknown payment")
  .check(z.regex(/^pay_[0-9a-z]{8,40}$/, "Unknown payment"));

/** Body of POST /api/super-admin/payments/{id}/refund. The reason is stored with the provider's notes, for admins. */
export const refundSchema = z.object({
  reason: z.string("Please say why").check(z.trim(), z.minLength(3, "Please say why"), maxCharacters(500)),
});

/** Result of a refund that an admin requested. A pending refund is retried every minute. */
export type RefundResult = { state: "refunded" | "refund_pending" };

/** An entry in the payments ledger. */
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
  /** Amount refunded so far, as decimal text; null when there is no refund. */
  refunded: string | null;
};
