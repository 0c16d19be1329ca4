/**
 * A Stripe for tests: the endpoints we use, with state, idempotency keys and every kind of failure. The
 * Worker uses it like the real Stripe: only the API's host differs.
 */
import { Stripe } from "stripe";

import { type Intent, StripeBook } from "./stripe-book.ts";
import {
  handleCall,
  type StripeResponse,
  type Call,
  callOf,
  type CallInput,
  errorResponse,
} from "./stripe-calls.ts";
import type { CardBehaviour } from "./stripe-test-cards.ts";

/**
 * Failures of a call. Like Stripe, the stand-in stores `refused` and `broken` under the call's idempotency
 * key, but not `busy` and `locked`. `lost`: the call never arrived. `unheard`: the call succeeded, but its
 * response was lost.
 */
export type Fault = "refused" | "broken" | "busy" | "locked" | "lost" | "unheard";

const FAULTS: Partial<Record<Fault, { status: number; error: Record<string, unknown> }>> = {
  refused: { status: 402, error: { type: "card_error", code: "card_declined", message: "Refused" } },
  broken: { status: 500, error: { type: "api_error", message: "Something went wrong on Stripe's end" } },
  busy: { status: 429, error: { type: "invalid_request_error", code: "rate_limit", message: "Slow down" } },
  locked: {
    status: 429,
    error: { type: "invalid_request_error", code: "lock_timeout", message: "Locked by another request" },
  },
};

/** A call as it arrives: its idempotency key, and its parameters as sent. */
type IncomingCall = { key: string | null; text: string; fault: Fault | undefined };

/** A response stored under a key, with the parameters of its call. */
type StoredResponse = StripeResponse & { sent: string };

export class StripeStandIn {
  readonly book = new StripeBook();
  /** Every call that arrived, in order. */
  readonly calls: { call: Call; key: string | null }[] = [];
  readonly #saved = new Map<string, StoredResponse>();
  /** Keys of calls in progress. A second call with such a key is rejected. */
  readonly #inFlight = new Set<string>();
  readonly #faults: { call: Call; fault: Fault }[] = [];
  readonly #meanwhile: { call: Call; task: () => void | Promise<void> }[] = [];
  readonly #webhookSecret: string;

  constructor(webhookSecret: string) {
    this.#webhookSecret = webhookSecret;
  }

  get intents() {
    return this.book.intents;
  }

  get refunds() {
    return this.book.refunds;
  }

  /** Makes the next calls of this kind fail in these ways, in this order. */
  fail(call: Call, ...faults: Fault[]): void {
    this.#faults.push(...faults.map((fault) => ({ call, fault })));
  }

  /** Runs `task` while the next call of this kind is in progress. */
  runDuringNext(call: Call, task: () => void | Promise<void>): void {
    this.#meanwhile.push({ call, task });
  }

  /** Removes all planned failures. */
  clearFaults(): void {
    this.#faults.length = 0;
    this.#meanwhile.length = 0;
  }

  /** Returns the payments for a lead, in order of creation. */
  intentsOf(leadId: string): Intent[] {
    return [...this.intents.values()].filter(({ metadata }) => metadata.lead === leadId);
  }

  /** Confirms a payment with a card that behaves this way. @returns whether Stripe accepted it */
  confirm(id: string, card: CardBehaviour): boolean {
    return this.book.confirm(this.intents.get(id)!, card);
  }

  /** Finishes a payment that was `processing`. */
  finish(id: string, isPaid: boolean): void {
    this.book.finish(this.intents.get(id)!, isPaid);
  }

  /** Refunds by hand in Stripe's dashboard: the rest, or an amount in cents. */
  refundInDashboard(id: string, amountCents?: number): void {
    this.book.refund(this.intents.get(id)!, amountCents);
  }

  /** Makes a payment unknown to the account, as after a change of keys. */
  forgetIntent(id: string): void {
    this.intents.delete(id);
  }

  /** Fails a payment's refunds, as if they had not reached the card. */
  undoRefund(id: string): void {
    this.book.undoRefund(this.intents.get(id)!);
  }

  /** Disputes the charge, as the cardholder. */
  dispute(id: string): void {
    this.book.dispute(this.intents.get(id)!);
  }

  endDispute(id: string, status: "won" | "lost"): void {
    this.book.endDispute(this.intents.get(id)!, status);
  }

  /** Returns an event as Stripe would send it: body and signature. */
  async event(
    type: string,
    id: string,
    options: { livemode?: boolean; secret?: string; sentAt?: number } = {},
  ): Promise<{ body: string; headers: Record<string, string> }> {
    const intent = this.intents.get(id)!;
    const object = this.#objectOf(type, intent);
    const body = JSON.stringify({
      id: `evt_${this.book.next()}`,
      object: "event",
      type,
      livemode: options.livemode ?? false,
      data: { object },
    });
    const signature = await new Stripe("sk_test_stand_in").webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: options.secret ?? this.#webhookSecret,
      timestamp: Math.floor((options.sentAt ?? Date.now()) / 1000),
      cryptoProvider: Stripe.createSubtleCryptoProvider(),
    });
    return { body, headers: { "Stripe-Signature": signature, "Content-Type": "application/json" } };
  }

  /** Returns the object of an event. */
  #objectOf(type: string, intent: Intent): unknown {
    const belongsToIntent = (one: { payment_intent: string }) => one.payment_intent === intent.id;
    if (type.startsWith("refund")) return this.refunds.findLast(belongsToIntent);
    if (type.startsWith("charge.dispute")) return this.book.disputes.findLast(belongsToIntent);
    return type.startsWith("charge") ? intent.latest_charge : intent;
  }

  /** Handles a call to the API. @throws to simulate a network failure */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, , resource = "", id = "", action] = pathname.split("/");
    // Read bytes: the runtime warns about reading a form as text.
    const text = new TextDecoder().decode(await request.arrayBuffer());
    const params = new URLSearchParams(text);
    const call = callOf(request.method, resource, id, action);
    if (!call) return Response.json(errorResponse(404, "unknown", pathname).body, { status: 404 });
    const key = request.method === "POST" ? request.headers.get("Idempotency-Key") : null;
    this.calls.push({ call, key });
    if (key && this.#inFlight.has(key)) {
      const { status, body } = errorResponse(409, "idempotency_key_in_use", "Another request is in progress");
      return Response.json(body, { status });
    }
    if (key) this.#inFlight.add(key);
    try {
      await this.#take(this.#meanwhile, call)?.task();
    } finally {
      if (key) this.#inFlight.delete(key);
    }
    const fault = this.#take(this.#faults, call)?.fault;
    if (fault === "lost") throw new TypeError("Network connection lost");
    const response = this.#answer(call, { id, params, searchParams }, { key, fault, text });
    if (fault === "unheard") throw new TypeError("Network connection lost");
    return Response.json(response.body, {
      status: response.status,
      headers: { "Request-Id": "req_stand_in" },
    });
  }

  #take<T extends { call: Call }>(list: T[], call: Call): T | undefined {
    const index = list.findIndex((entry) => entry.call === call);
    return index < 0 ? undefined : list.splice(index, 1)[0];
  }

  #answer(call: Call, input: CallInput, { key, fault, text: sent }: IncomingCall): StripeResponse {
    const saved = key ? this.#saved.get(key) : undefined;
    if (saved) {
      if (saved.sent === sent) return saved;
      return errorResponse(400, "idempotency_error", "This key was used with other parameters");
    }
    const failure = fault && FAULTS[fault];
    const response = failure
      ? { status: failure.status, body: { error: failure.error } }
      : handleCall(this.book, call, input);
    const isStored = fault !== "busy" && fault !== "locked";
    // Return a copy, so that later changes do not affect the response.
    const copy = structuredClone(response);
    if (key && isStored) this.#saved.set(key, { ...copy, sent });
    return copy;
  }
}
