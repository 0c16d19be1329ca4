/**
 * Simulates Stripe. A key is busy during its first call and is stored for a day. Refunds may be pending or
 * returned. Events arrive late, twice, out of order or not at all.
 */
import { MINUTE_MS } from "../../contract/durations.ts";
import { createHmac } from "node:crypto";

import { type Change, type Intent, type Refund, StripeBook } from "../stand-ins/stripe-book.ts";
import {
  handleCall,
  type StripeResponse,
  callOf,
  type CallInput,
  errorResponse,
} from "../stand-ins/stripe-calls.ts";
import { copyOf } from "./copy.ts";
import type { Faults } from "./faults.ts";
import { type Network, untilAborted } from "./network.ts";
import type { Scheduler } from "./scheduler.ts";

const KEY_MS = 24 * 60 * 60_000;
/** Delays before resending an event after a failed attempt, in ms after the previous attempt. */
const EVENT_RETRIES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];

export const WEBHOOK_SECRET = "whsec_simulated";

/** How a delayed refund begins, and how it ends. */
const REFUND_FORMS = [
  { status: "pending", end: "succeeded" },
  { status: "pending", end: "failed" },
  { status: "succeeded", end: "failed" },
] as const;

type StoredResponse = { at: number; sent: string; answer: StripeResponse | null };

/** The parts of a world that Stripe needs. */
type StripeEnvironment = {
  /** Part of the IDs it creates. */
  mark: string;
  scheduler: Scheduler;
  faults: Faults;
  network: Network;
  logStep: (line: () => string) => void;
  /** Sends an event to the Worker. @returns the response's status; null if there is none */
  deliver: (body: string, signature: string) => Promise<number | null>;
};

const error = (status: number, type: string, code: string): StripeResponse => ({
  status,
  body: { error: { type, code, message: code } },
});

/** Returns the part of a `fetch` response that the SDK reads. */
function toResponse({ status, body }: StripeResponse) {
  const text = JSON.stringify(body);
  return {
    status,
    headers: new Headers({ "Request-Id": "req_simulated" }),
    json: async () => JSON.parse(text) as unknown,
    text: async () => text,
  };
}

export class SimulatedStripe {
  readonly book: StripeBook;
  /** Number of events in transit and of scheduled changes. */
  undelivered = 0;
  readonly #of: StripeEnvironment;
  readonly #keys = new Map<string, StoredResponse>();
  /** Payments that are unknown to our keys' account. */
  readonly #unknown = new Set<string>();

  constructor(of: StripeEnvironment) {
    this.#of = of;
    this.book = new StripeBook(of.mark);
    this.book.onChange((change, intentId) => this.#announce(change, intentId));
  }

  /** Switches the keys: from now on, existing payments belong to another account. @returns their number */
  deletePayments(): number {
    for (const id of this.book.intents.keys()) this.#unknown.add(id);
    return this.#unknown.size;
  }

  isDeleted(intentId: string): boolean {
    return this.#unknown.has(intentId);
  }

  /** A call to the API, from the Worker or from a buyer's browser. */
  fetch(url: string, init: RequestInit): Promise<unknown> {
    const { method = "GET", headers, body, signal } = init;
    const { pathname, searchParams } = new URL(url);
    const [, , resource = "", id = "", action] = pathname.split("/");
    const text = typeof body === "string" ? body : "";
    const key = method === "POST" ? new Headers(headers as HeadersInit).get("Idempotency-Key") : null;
    const input: CallInput = { id, params: new URLSearchParams(text), searchParams };
    const what = `Stripe ${method} ${pathname}${key ? ` (${key})` : ""}`;
    const answer = this.#of.network.send(
      "stripe",
      what,
      () => this.#arrive(method, resource, action, input, key, text),
      () => new TypeError("fetch failed"),
    );
    return untilAborted(answer.then(toResponse), signal);
  }

  async #arrive(
    method: string,
    resource: string,
    action: string | undefined,
    input: CallInput,
    key: string | null,
    sent: string,
  ): Promise<StripeResponse> {
    const { scheduler, faults, logStep } = this.#of;
    const call = callOf(method, resource, input.id, action);
    if (!call) return errorResponse(404, "unknown", resource);
    const known = key === null ? undefined : this.#recall(key);
    if (known && known.answer === null) {
      logStep(() => `Stripe: 409, ${key} is under way`);
      return error(409, "idempotency_error", "idempotency_key_in_use");
    }
    if (known?.answer)
      return known.sent === sent ? known.answer : error(400, "idempotency_error", "other_parameters");
    if (faults.maybeInject("stripe_busy", 0.03)) {
      logStep(() => `Stripe: 429 to ${call}`);
      return error(429, "invalid_request_error", "rate_limit");
    }
    const memory: StoredResponse = { at: scheduler.now, sent, answer: null };
    if (key !== null) this.#keys.set(key, memory);
    await new Promise<void>((resolve) => void scheduler.after(faults.delay(400), resolve));
    memory.answer = copyOf(this.#carryOut(call, input));
    return memory.answer;
  }

  #recall(key: string): StoredResponse | undefined {
    const known = this.#keys.get(key);
    if (known && this.#of.scheduler.now - known.at < KEY_MS) return known;
    this.#keys.delete(key);
    return undefined;
  }

  #carryOut(call: NonNullable<ReturnType<typeof callOf>>, input: CallInput): StripeResponse {
    const { faults, logStep } = this.#of;
    if (faults.maybeInject("stripe_busy", 0.02)) {
      logStep(() => `Stripe: 500 to ${call}`);
      return error(500, "api_error", "broken");
    }
    const named = call === "refund" ? input.params.get("payment_intent")! : input.id;
    if (this.#unknown.has(named)) return errorResponse(404, "resource_missing", "No such payment_intent");
    const answer = handleCall(this.book, call, input);
    // An account lists only its own payments.
    if (call === "list") {
      const page = answer.body as { data: Intent[] };
      page.data = page.data.filter(({ id }) => !this.#unknown.has(id));
    }
    if (answer.status === 200 && call === "create" && faults.maybeInject("wrong_amounts", 0.4))
      (answer.body as Intent).amount = 1;
    if (answer.status === 200 && call === "refund") this.perhapsDelay(answer.body as Refund);
    logStep(() => `Stripe: ${call} ${named}: ${answer.status}${statusOf(answer)}`);
    return answer;
  }

  /** The bank may delay a refund or return it days later. */
  perhapsDelay(refund: Refund): void {
    const { faults } = this.#of;
    const form = faults.pickFault("pending_refunds", 0.7, REFUND_FORMS);
    if (!form) return;
    refund.status = form.status;
    this.#later(faults.delay(20 * MINUTE_MS), () => this.book.endRefund(refund, form.end));
  }

  #announce(change: Change, intentId: string): void {
    const { faults, logStep } = this.#of;
    logStep(() => `Stripe: ${change} of ${intentId}`);
    if (change === "payment_intent.processing") this.#finishLater(intentId);
    const deliveries = faults.drawDeliveries("webhooks", 2_000, 20 * MINUTE_MS);
    if (deliveries.length === 0) {
      // The sweep reads a payment again. Only the nightly checks read its refunds and disputes.
      if (!change.startsWith("payment_intent")) faults.needsNightly = true;
      return logStep(() => `Stripe: no webhook will report ${change}`);
    }
    const object = JSON.stringify(this.#objectOf(change, intentId));
    const body = `{"id":"evt_${this.book.next()}","object":"event","type":"${change}","livemode":false,"data":{"object":${object}}}`;
    for (const ms of deliveries) this.#later(ms, () => void this.#send(body, 0));
  }

  #finishLater(intentId: string): void {
    const { faults } = this.#of;
    const isPaid = faults.delay(1) > 0.4;
    this.#later(faults.delay(9 * MINUTE_MS), () =>
      this.book.finish(this.book.intents.get(intentId)!, isPaid),
    );
  }

  async #send(body: string, retries: number): Promise<void> {
    const { scheduler, deliver } = this.#of;
    const time = Math.floor(scheduler.now / 1000);
    const hash = createHmac("sha256", WEBHOOK_SECRET).update(`${time}.${body}`).digest("hex");
    const status = await deliver(body, `t=${time},v1=${hash}`);
    const wait = EVENT_RETRIES_MS[retries];
    if (status !== 200 && wait !== undefined) scheduler.after(wait, () => void this.#send(body, retries + 1));
  }

  #later(ms: number, task: () => void): void {
    this.undelivered += 1;
    this.#of.scheduler.after(ms, () => {
      this.undelivered -= 1;
      task();
    });
  }

  #objectOf(change: Change, intentId: string): unknown {
    const intent = this.book.intents.get(intentId)!;
    const belongsToIntent = (one: { payment_intent: string }) => one.payment_intent === intentId;
    if (change.startsWith("refund")) return this.book.refunds.findLast(belongsToIntent);
    if (change.startsWith("charge.dispute")) return this.book.disputes.findLast(belongsToIntent);
    return change.startsWith("charge") ? intent.latest_charge : intent;
  }
}

function statusOf({ body }: StripeResponse): string {
  return body && typeof body === "object" && "status" in body ? ` ${String(body.status)}` : "";
}
