/**
 * A Stripe to test against: the few endpoints that are used, with state, idempotency keys and every way
 * of going wrong. The Worker does not know it: only the API's host differs.
 */
import { Stripe } from "stripe";

import { type Intent, StripeBook } from "./stripe-book.ts";
import { act, type Answer, type Call, callOf, type Given, problem } from "./stripe-calls.ts";
import type { CardBehaviour } from "./stripe-test-cards.ts";

/**
 * What may go wrong with a call. `refused` and `broken` are remembered under the call's idempotency key,
 * as Stripe does; `busy` and `locked` are not. `lost`: never arrived. `unheard`: done, but the answer
 * was lost.
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

/** How a call arrives: the key it may be repeated under, and its parameters as they were sent. */
type Arrival = { key: string | null; text: string; fault: Fault | undefined };

/** An answer that is remembered under a key, with the parameters it was given for. */
type Saved = Answer & { sent: string };

export class StripeStandIn {
  readonly book = new StripeBook();
  /** Every call that arrived, in order. */
  readonly calls: { call: Call; key: string | null }[] = [];
  readonly #saved = new Map<string, Saved>();
  /** Keys whose call is being worked on: a second call with one is turned away. */
  readonly #inFlight = new Set<string>();
  readonly #faults: { call: Call; fault: Fault }[] = [];
  readonly #meanwhile: { call: Call; act: () => void | Promise<void> }[] = [];
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

  /** The next calls of this kind go wrong like this, in this order. */
  fail(call: Call, ...faults: Fault[]): void {
    this.#faults.push(...faults.map((fault) => ({ call, fault })));
  }

  /** Something happens while the next call of this kind is on its way. */
  meanwhile(call: Call, act: () => void | Promise<void>): void {
    this.#meanwhile.push({ call, act });
  }

  /** All calls go through from now on. */
  mend(): void {
    this.#faults.length = 0;
    this.#meanwhile.length = 0;
  }

  /** Payments of a lead, in the order in which they were made. */
  intentsOf(leadId: string): Intent[] {
    return [...this.intents.values()].filter(({ metadata }) => metadata.lead === leadId);
  }

  /** The buyer confirms with a card that behaves like this. @returns whether Stripe took it */
  confirm(id: string, card: CardBehaviour): boolean {
    return this.book.confirm(this.intents.get(id)!, card);
  }

  /** A payment that was `processing` comes to its end. */
  finish(id: string, isPaid: boolean): void {
    this.book.finish(this.intents.get(id)!, isPaid);
  }

  /** Somebody pays back in Stripe's dashboard: all that is left, or so many cents. */
  refundByHand(id: string, amountCents?: number): void {
    this.book.refund(this.intents.get(id)!, amountCents);
  }

  /** The account knows nothing of a payment, as after a change of keys. */
  lose(id: string): void {
    this.intents.delete(id);
  }

  /** A refund that was made does not reach its card after all. */
  undoRefund(id: string): void {
    this.book.undoRefund(this.intents.get(id)!);
  }

  /** The card's owner disputes the charge. */
  dispute(id: string): void {
    this.book.dispute(this.intents.get(id)!);
  }

  endDispute(id: string, status: "won" | "lost"): void {
    this.book.endDispute(this.intents.get(id)!, status);
  }

  /** An event as Stripe would send it: body and signature. */
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

  /** What an event is about. */
  #objectOf(type: string, intent: Intent): unknown {
    const isItsOwn = (one: { payment_intent: string }) => one.payment_intent === intent.id;
    if (type.startsWith("refund")) return this.refunds.findLast(isItsOwn);
    if (type.startsWith("charge.dispute")) return this.book.disputes.findLast(isItsOwn);
    return type.startsWith("charge") ? intent.latest_charge : intent;
  }

  /** Answers a call to the API. @throws when the network is to fail */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, , resource = "", id = "", action] = pathname.split("/");
    // As bytes: the runtime warns of reading a form as text.
    const text = new TextDecoder().decode(await request.arrayBuffer());
    const params = new URLSearchParams(text);
    const call = callOf(request.method, resource, id, action);
    if (!call) return Response.json(problem(404, "unknown", pathname).body, { status: 404 });
    const key = request.method === "POST" ? request.headers.get("Idempotency-Key") : null;
    this.calls.push({ call, key });
    if (key && this.#inFlight.has(key)) {
      const { status, body } = problem(409, "idempotency_key_in_use", "Another request is in progress");
      return Response.json(body, { status });
    }
    if (key) this.#inFlight.add(key);
    try {
      await this.#take(this.#meanwhile, call)?.act();
    } finally {
      if (key) this.#inFlight.delete(key);
    }
    const fault = this.#take(this.#faults, call)?.fault;
    if (fault === "lost") throw new TypeError("Network connection lost");
    const answer = this.#answer(call, { id, params, searchParams }, { key, fault, text });
    if (fault === "unheard") throw new TypeError("Network connection lost");
    return Response.json(answer.body, { status: answer.status, headers: { "Request-Id": "req_stand_in" } });
  }

  #take<T extends { call: Call }>(list: T[], call: Call): T | undefined {
    const index = list.findIndex((entry) => entry.call === call);
    return index < 0 ? undefined : list.splice(index, 1)[0];
  }

  #answer(call: Call, given: Given, { key, fault, text: sent }: Arrival): Answer {
    const saved = key ? this.#saved.get(key) : undefined;
    if (saved) {
      if (saved.sent === sent) return saved;
      return problem(400, "idempotency_error", "This key was used with other parameters");
    }
    const failure = fault && FAULTS[fault];
    const answer = failure
      ? { status: failure.status, body: { error: failure.error } }
      : act(this.book, call, given);
    const isRemembered = fault !== "busy" && fault !== "locked";
    // What is sent is a copy: later changes do not reach an answer that was given.
    const copy = structuredClone(answer);
    if (key && isRemembered) this.#saved.set(key, { ...copy, sent });
    return copy;
  }
}
