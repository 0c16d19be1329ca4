/**
 * A Stripe to test against: the few endpoints that are used, with state, idempotency keys and every way
 * of going wrong. The Worker does not know it: only the API's host differs.
 */
import { Stripe } from "stripe";

type Intent = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "amount"
  | "amount_received"
  | "currency"
  | "status"
  | "client_secret"
  | "livemode"
  | "last_payment_error"
> & { metadata: Record<string, string>; latest_charge: Charge | null };
type Charge = Pick<Stripe.Charge, "id" | "object" | "refunded" | "disputed" | "payment_intent">;
type Refund = Pick<Stripe.Refund, "id" | "object" | "status" | "amount"> & { payment_intent: string };

type Call = "create" | "retrieve" | "cancel" | "refund" | "list_refunds" | "list_disputes";

/**
 * What may go wrong with a call. `refused` and `broken` are remembered under the call's idempotency key,
 * as Stripe does; `busy` and `locked` are not. `lost`: never arrived. `unheard`: done, but the answer
 * was lost.
 */
export type Fault = "refused" | "broken" | "busy" | "locked" | "lost" | "unheard";

type Given = {
  id: string;
  params: URLSearchParams;
  searchParams: URLSearchParams;
  key: string | null;
  fault: Fault | undefined;
  text: string;
};

type Saved = { status: number; body: unknown; params: string };

const FAULTS: Partial<Record<Fault, { status: number; error: Record<string, unknown> }>> = {
  refused: { status: 402, error: { type: "card_error", code: "card_declined", message: "Refused" } },
  broken: { status: 500, error: { type: "api_error", message: "Something went wrong on Stripe's end" } },
  busy: { status: 429, error: { type: "invalid_request_error", code: "rate_limit", message: "Slow down" } },
  locked: {
    status: 429,
    error: { type: "invalid_request_error", code: "lock_timeout", message: "Locked by another request" },
  },
};

function problem(status: number, code: string, message: string): Saved {
  return { status, body: { error: { type: "invalid_request_error", code, message } }, params: "" };
}

export class StripeStandIn {
  readonly intents = new Map<string, Intent>();
  readonly refunds: Refund[] = [];
  readonly disputes: (Pick<Stripe.Dispute, "id" | "object" | "status"> & { payment_intent: string })[] = [];
  /** Every call that arrived, in order. */
  readonly calls: { call: Call; key: string | null }[] = [];
  readonly #saved = new Map<string, Saved>();
  readonly #faults: { call: Call; fault: Fault }[] = [];
  readonly #meanwhile: { call: Call; act: () => void | Promise<void> }[] = [];
  readonly #webhookSecret: string;
  #count = 0;

  constructor(webhookSecret: string) {
    this.#webhookSecret = webhookSecret;
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
  confirm(id: string, card: "good" | "declined" | "asks" | "slow"): boolean {
    const intent = this.intents.get(id)!;
    if (intent.status === "canceled" || intent.status === "succeeded" || intent.status === "processing")
      return false;
    intent.last_payment_error = null;
    if (card === "good") this.#pay(intent);
    else if (card === "slow") intent.status = "processing";
    else if (card === "asks") intent.status = "requires_action";
    else {
      intent.status = "requires_payment_method";
      const declined = { type: "card_error", code: "card_declined" };
      intent.last_payment_error = declined as Stripe.PaymentIntent["last_payment_error"];
    }
    return true;
  }

  /** A payment that was `processing` comes to its end. */
  finish(id: string, isPaid: boolean): void {
    const intent = this.intents.get(id)!;
    if (intent.status !== "processing") return;
    if (isPaid) this.#pay(intent);
    else intent.status = "requires_payment_method";
  }

  #pay(intent: Intent): void {
    intent.status = "succeeded";
    intent.amount_received = intent.amount;
    intent.latest_charge = {
      id: `ch_${intent.id}`,
      object: "charge",
      refunded: false,
      disputed: false,
      payment_intent: intent.id,
    };
  }

  /** Somebody pays back in Stripe's dashboard. */
  refundByHand(id: string): void {
    this.#refund(this.intents.get(id)!);
  }

  /** The card's owner disputes the charge. */
  dispute(id: string): void {
    this.intents.get(id)!.latest_charge!.disputed = true;
    const dispute = { id: `dp_${++this.#count}`, object: "dispute", status: "needs_response" } as const;
    this.disputes.push({ ...dispute, payment_intent: id });
  }

  /** A dispute comes to its end; the charge says for ever that there was one. */
  endDispute(id: string, status: "won" | "lost"): void {
    for (const dispute of this.disputes) if (dispute.payment_intent === id) dispute.status = status;
  }

  #refund(intent: Intent): Refund {
    intent.latest_charge!.refunded = true;
    const refund: Refund = {
      id: `re_${++this.#count}`,
      object: "refund",
      status: "succeeded",
      amount: intent.amount_received,
      payment_intent: intent.id,
    };
    this.refunds.push(refund);
    return refund;
  }

  /** An event as Stripe would send it: body and signature. */
  async event(
    type: string,
    id: string,
    options: { livemode?: boolean; secret?: string } = {},
  ): Promise<{ body: string; headers: Record<string, string> }> {
    const intent = this.intents.get(id)!;
    const object = type.startsWith("charge") ? intent.latest_charge : intent;
    const body = JSON.stringify({
      id: `evt_${++this.#count}`,
      object: "event",
      type,
      livemode: options.livemode ?? false,
      data: { object },
    });
    const signature = await new Stripe("sk_test_stand_in").webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: options.secret ?? this.#webhookSecret,
      cryptoProvider: Stripe.createSubtleCryptoProvider(),
    });
    return { body, headers: { "Stripe-Signature": signature, "Content-Type": "application/json" } };
  }

  /** Answers a call to the API. @throws when the network is to fail */
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, , resource = "", id = "", action] = pathname.split("/");
    const text = request.method === "POST" ? await request.text() : "";
    const params = new URLSearchParams(text);
    const call = callOf(request.method, resource, action);
    if (!call) return Response.json(problem(404, "unknown", pathname).body, { status: 404 });
    const key = request.method === "POST" ? request.headers.get("Idempotency-Key") : null;
    this.calls.push({ call, key });
    const act = this.#take(this.#meanwhile, call);
    await act?.act();
    const fault = this.#take(this.#faults, call)?.fault;
    if (fault === "lost") throw new TypeError("Network connection lost");
    const answer = this.#answer(call, { id, params, searchParams, key, fault, text });
    if (fault === "unheard") throw new TypeError("Network connection lost");
    return Response.json(answer.body, { status: answer.status, headers: { "Request-Id": "req_stand_in" } });
  }

  #take<T extends { call: Call }>(list: T[], call: Call): T | undefined {
    const index = list.findIndex((entry) => entry.call === call);
    return index < 0 ? undefined : list.splice(index, 1)[0];
  }

  #answer(call: Call, given: Given): Saved {
    const { key, fault, text } = given;
    const saved = key ? this.#saved.get(key) : undefined;
    if (saved) {
      if (saved.params === text) return saved;
      return problem(400, "idempotency_error", "This key was used with other parameters");
    }
    const failure = fault && FAULTS[fault];
    const answer = failure
      ? { status: failure.status, body: { error: failure.error }, params: text }
      : { ...this.#act(call, given), params: text };
    const isRemembered = fault !== "busy" && fault !== "locked";
    // What is sent is a copy: later changes do not reach an answer that was given.
    const copy = structuredClone(answer);
    if (key && isRemembered) this.#saved.set(key, copy);
    return copy;
  }

  #act(call: Call, { id, params, searchParams }: Given): Saved {
    if (call === "create") return { status: 200, body: this.#create(params), params: "" };
    if (call === "list_refunds" || call === "list_disputes") {
      const all = call === "list_refunds" ? this.refunds : this.disputes;
      const data = all.filter(({ payment_intent: intent }) => intent === searchParams.get("payment_intent"));
      return { status: 200, body: { object: "list", data, has_more: false }, params: "" };
    }
    const intent = this.intents.get(call === "refund" ? params.get("payment_intent")! : id);
    if (!intent) return problem(404, "resource_missing", "No such payment_intent");
    if (call === "retrieve") return { status: 200, body: intent, params: "" };
    if (call === "cancel") {
      if (intent.status === "succeeded" || intent.status === "processing" || intent.status === "canceled")
        return problem(400, "payment_intent_unexpected_state", `It is ${intent.status}`);
      intent.status = "canceled";
      return { status: 200, body: intent, params: "" };
    }
    if (intent.status !== "succeeded") return problem(400, "charge_not_refundable", "Nothing was charged");
    if (intent.latest_charge!.refunded) return problem(400, "charge_already_refunded", "Already refunded");
    return { status: 200, body: this.#refund(intent), params: "" };
  }

  #create(params: URLSearchParams): Intent {
    const id = `pi_${String(++this.#count).padStart(6, "0")}`;
    const metadata = Object.fromEntries(
      [...params].flatMap(([name, value]) => {
        const field = /^metadata\[(.+)\]$/.exec(name)?.[1];
        return field ? [[field, value]] : [];
      }),
    );
    const intent: Intent = {
      id,
      object: "payment_intent",
      amount: Number(params.get("amount")),
      amount_received: 0,
      currency: params.get("currency")!,
      status: "requires_payment_method",
      client_secret: `${id}_secret_stand_in`,
      livemode: false,
      last_payment_error: null,
      metadata,
      latest_charge: null,
    };
    this.intents.set(id, intent);
    return intent;
  }
}

function callOf(method: string, resource: string, action: string | undefined): Call | null {
  if (resource === "payment_intents") {
    if (method === "GET") return "retrieve";
    return action === "cancel" ? "cancel" : action ? null : "create";
  }
  if (resource === "refunds") return method === "GET" ? "list_refunds" : "refund";
  if (resource === "disputes") return "list_disputes";
  return null;
}
