import type { Stripe } from "stripe";
import * as z from "zod/mini";

import { leadIdSchema } from "../../contract/leads.ts";
import { isRegion, type Region } from "../../contract/regions.ts";
import type { payments } from "../db/schema.ts";
import { CURRENCY } from "../exchange/hold-rules.ts";
import type { Answer, Hold } from "../exchange/listing.ts";
import type { Payment } from "../exchange/payment.ts";

export type LedgerRow = typeof payments.$inferSelect;

/** Marks our own among whatever else an account at Stripe is used for. */
const APP = "naturestrip";

const metadataSchema = z.object({
  app: z.literal(APP),
  deployment: z.string(),
  lead: leadIdSchema,
  hold: z.string().check(z.regex(/^hold_[0-9a-z]{8,40}$/)),
  region: z.string().check(z.refine(isRegion)),
  business: z.string().check(z.minLength(1)),
});

/** What we know of a payment after asking Stripe. */
export type KnownPayment = Payment & {
  region: Region;
  /** The card's last refusal. */
  lastError: string | null;
  isRefunded: boolean;
  /** The card's owner wants the money back, or has got it. */
  isDisputed: boolean;
  /** It was disputed, and that ended in our favour: the money is here. */
  isDisputeWon: boolean;
};

/** The part of a hold that a payment is made from; the ledger knows it as well. */
export type PaymentOrder = Pick<Hold, "holdId" | "businessId" | "amountCents"> & {
  leadId: string;
  region: string;
};

/**
 * Cards only: other methods stay undecided for longer than a hold lasts. (Stripe's API of 2026-09-30
 * took `payment_method_types` away; this list is its successor.)
 */
export function intentParams(order: PaymentOrder, deployment: string): Stripe.PaymentIntentCreateParams {
  const { leadId, holdId, region, businessId } = order;
  return {
    amount: order.amountCents,
    currency: CURRENCY,
    allowed_payment_method_types: ["card"],
    description: "Naturestrip lead",
    metadata: { app: APP, deployment, lead: leadId, hold: holdId, region, business: businessId },
  };
}

/** One payment per hold, however often it is asked for. */
export function intentKey(holdId: string): string {
  return `intent_${holdId}`;
}

const STATUSES: Partial<Record<Stripe.PaymentIntent.Status, Payment["status"]>> = {
  succeeded: "succeeded",
  canceled: "cancelled",
  processing: "processing",
};

const ENDED_WELL: ReadonlySet<Stripe.Dispute.Status> = new Set(["won", "warning_closed", "prevented"]);

/**
 * Reads a PaymentIntent; null when it is somebody else's on the same account, or another deployment's.
 * @param disputes those about its charge; a charge says for ever that it was disputed, not how that ended
 */
export function readIntent(
  intent: Stripe.PaymentIntent,
  deployment: string,
  disputes: readonly Pick<Stripe.Dispute, "status">[] = [],
): KnownPayment | null {
  const metadata = metadataSchema.safeParse(intent.metadata);
  if (!metadata.success || metadata.data.deployment !== deployment) return null;
  const { lead, hold, region, business } = metadata.data;
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const status = STATUSES[intent.status] ?? "open";
  const wasDisputed = charge?.disputed ?? false;
  const isDisputeWon =
    wasDisputed && disputes.length > 0 && disputes.every(({ status }) => ENDED_WELL.has(status));
  return {
    paymentIntentId: intent.id,
    status,
    amountCents: status === "succeeded" ? intent.amount_received : intent.amount,
    currency: intent.currency,
    leadId: lead,
    holdId: hold,
    businessId: business,
    region: region as Region,
    lastError: intent.last_payment_error?.code ?? null,
    isRefunded: charge?.refunded ?? false,
    isDisputed: wasDisputed && !isDisputeWon,
    isDisputeWon,
  };
}

/** The PaymentIntent an event is about; null when it is about none. */
export function intentIdOf(event: Stripe.Event): string | null {
  const { object } = event.data;
  if (!("object" in object)) return null;
  if (object.object === "payment_intent") return object.id;
  if (object.object !== "charge" && object.object !== "refund" && object.object !== "dispute") return null;
  const { payment_intent: intent } = object;
  return typeof intent === "string" ? intent : (intent?.id ?? null);
}

/** Whether an event comes from the mode our key belongs to: test or live. */
export function isOurMode(event: Stripe.Event, secretKey: string): boolean {
  return event.livemode === /^[sr]k_live_/.test(secretKey);
}

/** The sale a payment made; null when it made none. */
export function saleOf(payment: Payment, answer: Answer) {
  if (!answer.ok) return null;
  const { sale } = answer.listing;
  return sale?.holdId === payment.holdId && sale.paymentIntentId === payment.paymentIntentId ? sale : null;
}

/** Whether the exchange refused a payment that was made: the money goes back. */
export function owesRefund(answer: Answer): boolean {
  return !answer.ok && (answer.reason === "refund_late" || answer.reason === "refund_mismatch");
}

/** What the ledger says of a payment that owes no refund. */
export function ledgerState(payment: KnownPayment): LedgerRow["state"] {
  if (payment.status === "cancelled" || payment.status === "processing") return payment.status;
  if (payment.status === "open") return "pending";
  if (payment.isDisputed) return "disputed";
  return payment.isRefunded ? "refunded" : "succeeded";
}
