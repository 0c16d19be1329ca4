/** Builds PaymentIntents for Stripe and reads Stripe's responses. */
import type { Stripe } from "stripe";
import * as z from "zod/mini";

import { leadIdSchema } from "../../../contract/leads.ts";
import { isRegion, type Region } from "../../../contract/regions.ts";
import { CURRENCY } from "../../exchange/hold-rules.ts";
import type { Payment, PaymentOrder } from "../../exchange/ports.ts";
import type { KnownPayment } from "./rules.ts";

/** Identifies this app's objects in a Stripe account that other apps may share. */
const APP = "naturestrip";

const metadataSchema = z.object({
  app: z.literal(APP),
  deployment: z.string(),
  lead: leadIdSchema,
  hold: z.string().check(z.regex(/^hold_[0-9a-z]{8,40}$/)),
  region: z.string().check(z.refine(isRegion)),
  business: z.string().check(z.minLength(1)),
});

/**
 * Returns the parameters of a hold's payment. Cards only: other methods can stay pending for longer than a hold.
 * Stripe's API of 2026-09-30 replaced `payment_method_types` with this list.
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

/** Returns the parameters of a Customer. A Customer only stores cards, without a name or an address. */
export function customerParams(businessId: string, deployment: string): Stripe.CustomerCreateParams {
  return { description: "Naturestrip provider", metadata: { app: APP, deployment, business: businessId } };
}

/**
 * Returns the idempotency key for creating a business's Customer. The key changes if the known Customer no longer
 * exists.
 */
export function customerKey(businessId: string, known: string | null): string {
  return `customer_${businessId}_${known ?? "first"}`;
}

/** Returns the idempotency key for creating a hold's payment. */
export function intentKey(holdId: string): string {
  return `intent_${holdId}`;
}

const STATUSES: Partial<Record<Stripe.PaymentIntent.Status, Payment["status"]>> = {
  succeeded: "succeeded",
  canceled: "cancelled",
  processing: "processing",
};

const WON_STATUSES: ReadonlySet<Stripe.Dispute.Status> = new Set(["won", "warning_closed", "prevented"]);

/** Reads a PaymentIntent's order from its metadata; null if the PaymentIntent does not belong to this deployment. */
function orderOfMetadata(metadata: unknown, deployment: string): Omit<PaymentOrder, "amountCents"> | null {
  const { success, data } = metadataSchema.safeParse(metadata);
  if (!success || data.deployment !== deployment) return null;
  return { leadId: data.lead, holdId: data.hold, region: data.region, businessId: data.business };
}

/**
 * Converts a PaymentIntent; returns null if another app or deployment on the same account created it.
 * @param from `disputes`: the disputes of the charge; a charge stays marked as disputed and does not show the outcome.
 *   `order`: the order in the ledger; it identifies the payment even if the deployment was renamed since. `asked`,
 *   `answered`: when the request to Stripe was sent and answered (epoch ms)
 */
export function readIntent(
  intent: Stripe.PaymentIntent,
  deployment: string,
  from: {
    disputes?: readonly Pick<Stripe.Dispute, "status">[];
    order?: PaymentOrder;
    asked: number;
    answered: number;
  },
): KnownPayment | null {
  const { disputes = [], asked, answered } = from;
  const isInLedger = from.order !== undefined && intent.metadata.hold === from.order.holdId;
  const order = orderOfMetadata(intent.metadata, deployment) ?? (isInLedger ? from.order : null);
  if (!order) return null;
  const { leadId, holdId, businessId } = order;
  const charge = typeof intent.latest_charge === "object" ? intent.latest_charge : null;
  const status = STATUSES[intent.status] ?? "open";
  const wasDisputed = charge?.disputed ?? false;
  const isDisputeWon =
    wasDisputed && disputes.length > 0 && disputes.every(({ status }) => WON_STATUSES.has(status));
  return {
    paymentIntentId: intent.id,
    status,
    amountCents: status === "succeeded" ? intent.amount_received : intent.amount,
    currency: intent.currency,
    leadId,
    holdId,
    businessId,
    region: order.region as Region,
    lastError: intent.last_payment_error?.code ?? null,
    refundedCents: charge?.amount_refunded ?? 0,
    isRefunded: charge?.refunded ?? false,
    isMissing: false,
    isDisputed: wasDisputed && !isDisputeWon,
    isDisputeWon,
    needsAction: intent.status === "requires_action",
    card: cardOf(charge),
    asked,
    answered,
  };
}

/** Returns the state of a payment that is in the ledger but unknown to Stripe: cancelled, because it cannot be paid. */
export function missingPayment(
  paymentIntentId: string,
  order: PaymentOrder,
  when: Pick<KnownPayment, "asked" | "answered">,
): KnownPayment {
  const { leadId, holdId, businessId, amountCents, region } = order;
  return {
    paymentIntentId,
    status: "cancelled",
    amountCents,
    currency: CURRENCY,
    leadId,
    holdId,
    businessId,
    region: region as Region,
    lastError: "missing_at_stripe",
    refundedCents: 0,
    isRefunded: false,
    isMissing: true,
    isDisputed: false,
    isDisputeWon: false,
    needsAction: false,
    card: null,
    ...when,
  };
}

function cardOf(charge: Stripe.Charge | null): KnownPayment["card"] {
  const card = charge?.payment_method_details?.card;
  return card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : null;
}

/** Events to enable on Stripe's webhook endpoint: every change that affects the ledger. */
export const WEBHOOK_EVENTS = [
  "payment_intent.succeeded",
  "payment_intent.processing",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.closed",
  "refund.updated",
  "refund.failed",
] as const satisfies readonly Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/** Returns the id of the event's PaymentIntent, or null. */
export function intentIdOf(event: Stripe.Event): string | null {
  const { object } = event.data;
  if (!("object" in object)) return null;
  if (object.object === "payment_intent") return object.id;
  if (object.object !== "charge" && object.object !== "refund" && object.object !== "dispute") return null;
  const { payment_intent: intent } = object;
  return typeof intent === "string" ? intent : (intent?.id ?? null);
}
