/** The part of the Stripe stand-in that stores payments: PaymentIntents, their charges and refunds. */
import type { Stripe } from "stripe";

import { type CardBehaviour, DEFAULT_DECLINE } from "./stripe-test-cards.ts";
import { StripeVault } from "./stripe-vault.ts";

type Charge = Pick<
  Stripe.Charge,
  "id" | "object" | "amount" | "refunded" | "amount_refunded" | "disputed" | "payment_intent"
> & {
  payment_method_details: { type: "card"; card: { brand: string; last4: string } };
};

export type Intent = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "created"
  | "amount"
  | "amount_received"
  | "currency"
  | "status"
  | "client_secret"
  | "livemode"
  | "last_payment_error"
  | "setup_future_usage"
> & {
  metadata: Record<string, string>;
  latest_charge: Charge | null;
  customer: string | null;
  payment_method: string | null;
};

export type Refund = Pick<Stripe.Refund, "id" | "object" | "status" | "amount"> & { payment_intent: string };

export type Dispute = Pick<Stripe.Dispute, "id" | "object" | "status"> & { payment_intent: string };

/** Changes for which Stripe would send a webhook. */
export type Change =
  | "payment_intent.succeeded"
  | "payment_intent.payment_failed"
  | "payment_intent.processing"
  | "payment_intent.canceled"
  | "charge.refunded"
  | "charge.dispute.created"
  | "charge.dispute.closed"
  | "refund.updated"
  | "refund.failed";

export class StripeBook {
  readonly vault: StripeVault;
  readonly intents = new Map<string, Intent>();
  readonly refunds: Refund[] = [];
  readonly disputes: Dispute[] = [];
  readonly #listeners: ((change: Change, intentId: string) => void)[] = [];
  #count = 0;

  /** @param run is part of every ID; random by default */
  constructor(run?: string) {
    this.vault = new StripeVault(run);
  }

  /** Calls `listener` for every later change. */
  onChange(listener: (change: Change, intentId: string) => void): void {
    this.#listeners.push(listener);
  }

  #announce(change: Change, intent: Intent): void {
    for (const listener of this.#listeners) listener(change, intent.id);
  }

  /** Returns a unique number for an object. */
  next(): number {
    return ++this.#count;
  }

  create(params: URLSearchParams): Intent {
    const id = this.vault.id("pi", this.next());
    const intent: Intent = {
      id,
      object: "payment_intent",
      created: Math.floor(Date.now() / 1000),
      amount: Number(params.get("amount")),
      amount_received: 0,
      currency: params.get("currency")!,
      status: "requires_payment_method",
      client_secret: `${id}_secret_stand_in`,
      livemode: false,
      last_payment_error: null,
      setup_future_usage: null,
      metadata: metadataOf(params),
      latest_charge: null,
      customer: null,
      payment_method: null,
    };
    this.intents.set(id, intent);
    return intent;
  }

  update(intent: Intent, params: URLSearchParams): Intent {
    const customer = params.get("customer");
    if (customer) intent.customer = customer;
    const usage = params.get("setup_future_usage");
    if (usage !== null) intent.setup_future_usage = usage === "" ? null : usage;
    return intent;
  }

  /** Confirms a payment with a card that behaves this way. @returns whether Stripe accepted it */
  confirm(intent: Intent, card: CardBehaviour, decline = DEFAULT_DECLINE): boolean {
    const { status } = intent;
    if (status === "canceled" || status === "succeeded" || status === "processing") return false;
    intent.last_payment_error = null;
    if (card === "good") this.#pay(intent);
    else if (card === "asks") intent.status = "requires_action";
    else if (card === "slow") {
      intent.status = "processing";
      this.#announce("payment_intent.processing", intent);
    } else this.#refuse(intent, decline);
    return true;
  }

  /** Completes or fails the bank's authentication, as the buyer. */
  authenticate(intent: Intent, isCardholder: boolean): void {
    if (intent.status !== "requires_action") return;
    if (isCardholder) return this.#pay(intent);
    this.#refuse(intent, {
      code: "payment_intent_authentication_failure",
      message: "We are unable to authenticate your payment method. Please try another one.",
    });
  }

  /** Finishes a payment that was `processing`. */
  finish(intent: Intent, isPaid: boolean): void {
    if (intent.status !== "processing") return;
    if (isPaid) this.#pay(intent);
    else this.#refuse(intent, DEFAULT_DECLINE);
  }

  cancel(intent: Intent): boolean {
    if (intent.status === "succeeded" || intent.status === "processing" || intent.status === "canceled")
      return false;
    intent.status = "canceled";
    this.#announce("payment_intent.canceled", intent);
    return true;
  }

  /** Returns the amount of a payment that was refunded or is being refunded, in cents. */
  #refundedOf({ id }: Intent): number {
    return this.refunds
      .filter((refund) => refund.payment_intent === id && refund.status !== "failed")
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  #countRefunds(intent: Intent): void {
    const charge = intent.latest_charge!;
    charge.amount_refunded = this.#refundedOf(intent);
    charge.refunded = charge.amount_refunded >= intent.amount_received;
  }

  /** Refunds the rest of a payment, or part of it. @param amount in cents */
  refund(intent: Intent, amount = intent.amount_received - this.#refundedOf(intent)): Refund {
    const refund: Refund = {
      id: `re_${this.next()}`,
      object: "refund",
      status: "succeeded",
      amount,
      payment_intent: intent.id,
    };
    this.refunds.push(refund);
    this.#countRefunds(intent);
    this.#announce("charge.refunded", intent);
    return refund;
  }

  /** Returns the amount of a charge that can still be refunded, in cents. */
  refundable(intent: Intent): number {
    return intent.amount_received - this.#refundedOf(intent);
  }

  /** Finishes a pending refund, or fails a completed one because the card's account is closed. */
  endRefund(refund: Refund, status: "succeeded" | "failed"): void {
    const intent = this.intents.get(refund.payment_intent)!;
    refund.status = status;
    this.#countRefunds(intent);
    this.#announce(status === "failed" ? "refund.failed" : "refund.updated", intent);
  }

  /** Fails a payment's refunds, because the card's account is closed. */
  undoRefund(intent: Intent): void {
    for (const refund of this.refunds) if (refund.payment_intent === intent.id) refund.status = "failed";
    this.#countRefunds(intent);
    this.#announce("refund.failed", intent);
  }

  dispute(intent: Intent): void {
    intent.latest_charge!.disputed = true;
    const dispute = { id: `dp_${this.next()}`, object: "dispute", status: "needs_response" } as const;
    this.disputes.push({ ...dispute, payment_intent: intent.id });
    this.#announce("charge.dispute.created", intent);
  }

  /** Returns whether a dispute has withdrawn the money. Such a charge cannot be refunded. */
  hasOpenDispute({ id }: Intent): boolean {
    return this.disputes.some(({ payment_intent, status }) => payment_intent === id && status !== "won");
  }

  /** Finishes a dispute. The charge stays marked as disputed. */
  endDispute(intent: Intent, status: "won" | "lost"): void {
    for (const dispute of this.disputes) if (dispute.payment_intent === intent.id) dispute.status = status;
    this.#announce("charge.dispute.closed", intent);
  }

  #refuse(intent: Intent, { code, message }: { code: string; message: string }): void {
    intent.status = "requires_payment_method";
    const error = { type: "card_error", code, message };
    intent.last_payment_error = error as Stripe.PaymentIntent["last_payment_error"];
    this.#announce("payment_intent.payment_failed", intent);
  }

  #pay(intent: Intent): void {
    const method = intent.payment_method ? this.vault.methods.get(intent.payment_method) : undefined;
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
    intent.latest_charge = {
      id: `ch_${intent.id}`,
      object: "charge",
      amount: intent.amount,
      refunded: false,
      amount_refunded: 0,
      disputed: false,
      payment_intent: intent.id,
      payment_method_details: { type: "card", card: method?.card ?? { brand: "visa", last4: "4242" } },
    };
    if (method && intent.customer && intent.setup_future_usage) method.customer = intent.customer;
    this.#announce("payment_intent.succeeded", intent);
  }
}

function metadataOf(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...params].flatMap(([name, value]) => {
      const field = /^metadata\[(.+)\]$/.exec(name)?.[1];
      return field ? [[field, value]] : [];
    }),
  );
}
