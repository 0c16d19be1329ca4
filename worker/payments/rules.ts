import type { Stripe } from "stripe";
import * as z from "zod/mini";

import { leadIdSchema } from "../../contract/leads.ts";
import { centsToText } from "../../contract/money.ts";
import type { ReceiptState, SavedCard } from "../../contract/payments.ts";
import { isRegion, type Region } from "../../contract/regions.ts";
import type { UserRow } from "../auth/rules.ts";
import type { payments } from "../db/schema.ts";
import { CURRENCY } from "../exchange/hold-rules.ts";
import type { Answer } from "../exchange/listing.ts";
import type { Payment, PaymentOrder } from "../exchange/payment.ts";
import type { LeadRow } from "../leads/rules.ts";
import type { PurchaseRow } from "../purchases/rules.ts";

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
  /** How much of it was paid back, or is on its way back. */
  refundedCents: number;
  /** All of it was paid back. */
  isRefunded: boolean;
  /** Our books name it and Stripe does not know it: the keys are another account's, or the mode's. */
  isMissing: boolean;
  /** The card's owner wants the money back, or has got it. */
  isDisputed: boolean;
  /** It was disputed, and that ended in our favour: the money is here. */
  isDisputeWon: boolean;
  /** The bank waits for the buyer's own word (3-D Secure). */
  needsAction: boolean;
  /** What it was paid with, for the receipt. */
  card: { brand: string; last4: string } | null;
  /** When Stripe was asked and when it had answered (epoch ms): what it said is true of some moment in between. */
  asked: number;
  answered: number;
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

/** A Customer at Stripe is no more than a place for cards: it has no name and no address. */
export function customerParams(businessId: string, deployment: string): Stripe.CustomerCreateParams {
  return { description: "Naturestrip provider", metadata: { app: APP, deployment, business: businessId } };
}

/** One Customer per business; another one when the one we knew is gone. */
export function customerKey(businessId: string, known: string | null): string {
  return `customer_${businessId}_${known ?? "first"}`;
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

/** Whose a PaymentIntent is, by its metadata; null when it is not this deployment's. */
function orderOfMetadata(metadata: unknown, deployment: string): Omit<PaymentOrder, "amountCents"> | null {
  const { success, data } = metadataSchema.safeParse(metadata);
  if (!success || data.deployment !== deployment) return null;
  return { leadId: data.lead, holdId: data.hold, region: data.region, businessId: data.business };
}

/**
 * Reads a PaymentIntent; null when it is somebody else's on the same account, or another deployment's.
 * @param from `disputes`: those about its charge; a charge says for ever that it was disputed, not how
 *   that ended. `order`: what our own books say the payment was made for; it is ours then, even if the
 *   deployment was renamed since. `asked`, `answered`: when (epoch ms)
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
  const isInOurBooks = from.order !== undefined && intent.metadata.hold === from.order.holdId;
  const order = orderOfMetadata(intent.metadata, deployment) ?? (isInOurBooks ? from.order : null);
  if (!order) return null;
  const { leadId, holdId, businessId } = order;
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

/** A payment that our books name and Stripe does not know: nobody can pay it any more. */
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

/** The order a row of the ledger was opened for. */
export function orderOf({ holdId, leadId, region, buyerId, amountCents }: LedgerRow): PaymentOrder {
  return { holdId, leadId, region, businessId: buyerId, amountCents };
}

/** What a payment of ours was made for. */
export function orderOfPayment(payment: KnownPayment): PaymentOrder {
  const { holdId, leadId, region, businessId, amountCents } = payment;
  return { holdId, leadId, region, businessId, amountCents };
}

/**
 * A payment as the exchange is to see it: money that went back before the lead was given buys nothing,
 * just as money that never came.
 */
export function forExchange(payment: KnownPayment): KnownPayment {
  return payment.isRefunded ? { ...payment, status: "cancelled" } : payment;
}

function cardOf(charge: Stripe.Charge | null): KnownPayment["card"] {
  const card = charge?.payment_method_details?.card;
  return card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : null;
}

/** What Stripe's webhook endpoint has to be told to send: every change that the ledger follows. */
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

/** The GST within a price, in cents: one eleventh, to the nearest cent. */
export function gstWithin(cents: number): number {
  return Math.round(cents / 11);
}

/** Kept cards as their business sees them: a card that was kept twice shows once, the later one. */
export function shownCards(methods: Stripe.PaymentMethod[]): SavedCard[] {
  const shown = new Map<string, Stripe.PaymentMethod>();
  for (const method of methods.toSorted((a, b) => a.created - b.created)) {
    if (!method.card) continue;
    const key = method.card.fingerprint ?? method.id;
    shown.delete(key); // a map keeps an overwritten entry's old place
    shown.set(key, method);
  }
  return [...shown.values()].toReversed().map(({ id, card }) => ({
    id,
    brand: card!.brand,
    last4: card!.last4,
    expMonth: card!.exp_month,
    expYear: card!.exp_year,
  }));
}

/** What a receipt is made from. `purchase` is missing when the payment bought nothing. */
export type ReceiptFacts = {
  payment: LedgerRow;
  lead: Pick<LeadRow, "serviceType" | "suburbName" | "suburbPostcode">;
  purchase: Pick<PurchaseRow, "buyerName" | "buyerCompany"> | null;
  account: Pick<UserRow, "firstName" | "lastName" | "companyName" | "abn">;
};

/** A receipt as its business reads it in a list. */
export function toReceiptLine({ payment, lead }: ReceiptFacts) {
  const { id, leadId, state, amountCents, cardBrand, cardLast4, succeededAt, createdAt } = payment;
  return {
    id,
    leadId,
    state: state as ReceiptState,
    amount: centsToText(amountCents),
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
    paidAt: succeededAt ?? createdAt,
    refundedAt: payment.refundedAt,
    refunded: payment.refundedCents > 0 ? centsToText(payment.refundedCents) : null,
    lead,
  };
}

/**
 * A receipt in full. It is a tax invoice when its seller is registered for GST and names an ABN.
 * @param seller who sells the leads
 */
export function toReceipt(
  facts: ReceiptFacts,
  seller: { name: string; abn: string | null; isGstRegistered: boolean },
) {
  const { purchase, account, payment } = facts;
  const isTaxInvoice = seller.isGstRegistered && seller.abn !== null;
  return {
    ...toReceiptLine(facts),
    isTaxInvoice,
    gst: isTaxInvoice ? centsToText(gstWithin(payment.amountCents)) : null,
    seller: { name: seller.name, abn: seller.abn },
    buyer: {
      name: purchase?.buyerName || `${account.firstName} ${account.lastName}`,
      company: purchase ? purchase.buyerCompany : account.companyName,
      abn: account.abn,
    },
  };
}

/**
 * Whether a buyer has shown that they mean it: they have paid before, which is also the only way to keep a
 * card, or an operator knows them. Everybody else can be made up in a minute, and a lead they hold is off
 * the market for the others.
 */
export function isTrusted(buyer: {
  user: Pick<UserRow, "isVerified" | "isSuperAdmin">;
  hasPaid: boolean;
}): boolean {
  return buyer.hasPaid || buyer.user.isVerified || buyer.user.isSuperAdmin;
}
