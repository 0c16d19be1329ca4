/** The parties between the Worker and its recipients: the queue, and the mail, push and text services. */
import { MINUTE_MS } from "../../contract/durations.ts";
import { mailbox, type SentMail } from "../stand-ins/mailbox.ts";
import { newPushKeys, type PushFault, PushStandIn } from "../stand-ins/push-stand-in.ts";
import { type SentText, type SmsFault, SmsStandIn } from "../stand-ins/sms-stand-in.ts";
import { copyOf } from "./copy.ts";
import { untilAborted } from "./network.ts";
import { currentProcess, type Process, running } from "./scheduler.ts";
import { Violation } from "./violation.ts";
import type { World } from "./world.ts";

const PUSH_KEYS = await newPushKeys();
const PUSH_HOST = "http://push.test";
const SMS_KEYS = "user:password";
const SMS_URL = "https://api.mobilemessage.com.au/v1/messages";
const SMS_SECRET = "simulated".repeat(4);
export const SMS_WEBHOOK = `/api/sms/webhook/${SMS_SECRET}`;

/** The browsers of all worlds subscribe once, because new keys take time. */
const phones = new PushStandIn(PUSH_KEYS);
export const BROWSERS = await Promise.all(["anna", "bert", "cleo"].map(() => phones.subscribe()));

/** wrangler.toml: the queue retries a message three times, 30 seconds apart. */
const QUEUE_ATTEMPTS = 4;
const QUEUE_RETRY_MS = 30_000;

/** How a service fails. `isFinal`: it refuses this message, or this device no longer exists. */
type Failure<Fault> = { fault: Fault; isFinal?: true };

const PUSH_FAILURES: Failure<PushFault>[] = [
  { fault: { status: 429, retryAfter: "20" } },
  { fault: { status: 503 } },
  { fault: { status: 400 }, isFinal: true },
  { fault: { status: 410 }, isFinal: true },
];
const SMS_FAILURES: Failure<SmsFault>[] = [
  { fault: { status: 429, retryAfter: "20" } },
  { fault: { status: 503 } },
  { fault: { result: "invalid" }, isFinal: true },
  { fault: "malformed", isFinal: true },
];
const EMAIL_FAILURES: Failure<string>[] = [
  { fault: "E_RATE_LIMIT_EXCEEDED" },
  { fault: "E_INTERNAL_SERVER_ERROR" },
  { fault: "E_RECIPIENT_SUPPRESSED", isFinal: true },
];

/** A message that a service accepted. The recipient is as in the outbox: a device, an address or a number. */
export type Accepted = { recipient: string; process: Process };

/** A message of the queue, in the platform's terms. */
export type QueueMessage = { id: string; timestamp: Date; attempts: number; body: unknown };

/** Hands the Worker a message of the queue. @returns whether the Worker acknowledged it */
type Consume = (message: QueueMessage) => Promise<boolean>;

export class Senders {
  readonly accepted: Accepted[] = [];
  /** Recipients of a message that a service refused for good. */
  readonly refused = new Set<string>();
  /** When recipients opted out (epoch ms): the time of the response. Infinity without one: D1 may have stored it. */
  readonly stopped = new Map<string, number>();
  /** Texts whose delivery the Worker has acknowledged. */
  readonly reported = new Set<string>();
  readonly #world: World;
  readonly #consume: Consume;
  readonly #mailbox = mailbox();
  readonly #gateway = new SmsStandIn(SMS_KEYS);

  constructor(world: World, consume: Consume) {
    this.#world = world;
    this.#consume = consume;
  }

  /** The Worker's settings and bindings for messages. */
  get bindings() {
    const { EMAIL, EMAIL_FROM } = this.#mailbox.changed;
    return {
      EMAIL: { send: (mail: SentMail) => this.#mail(mail, (one) => EMAIL!.send(one as never)) },
      EMAIL_FROM,
      PUSH_KEYS,
      PUSH_STAND_IN: PUSH_HOST,
      SMS_GATEWAY: "mobilemessage",
      SMS_SENDER: "+61491570157",
      SMS_KEYS,
      SMS_WEBHOOK_SECRET: SMS_SECRET,
      ...(this.#world.features.has("queue") && {
        MESSAGE_QUEUE: { sendBatch: (bodies: Iterable<{ body: unknown }>) => this.#enqueue([...bodies]) },
      }),
    };
  }

  /** A call to the push service or the text gateway. @returns null for other hosts */
  fetch(url: string, { signal, ...init }: RequestInit): Promise<Response> | null {
    if (url.startsWith(PUSH_HOST)) return untilAborted(this.#push(new Request(url, init)), signal);
    return url === SMS_URL ? untilAborted(this.#text(new Request(url, init)), signal) : null;
  }

  /** Returns how a service fails now, and whom it refuses. Null if it works. */
  #failure<Fault>(failures: Failure<Fault>[], recipient: string): Fault | null {
    const { faults, story } = this.#world;
    const failure = faults.pickFault("senders", 0.25, failures);
    if (!failure) return null;
    const { fault, isFinal } = failure;
    if (isFinal) this.refused.add(recipient);
    story.logStep(() => `the service for ${recipient} fails: ${JSON.stringify(fault)}`);
    return fault;
  }

  /** Carries a message to its service. The service works outside the Worker's process. */
  #carry<T>(what: string, serve: () => Promise<T>): Promise<T> {
    const process: Process = { name: "a service", isAlive: true };
    const act = () => running.run({ world: this.#world, process }, serve);
    return this.#world.network.send("sender", what, act, () => new TypeError("Network connection lost"));
  }

  #accept(recipient: string, process: Process): void {
    const { faults, story } = this.#world;
    faults.recordFault("messages");
    story.logStep(() => `${process.name}: the message to ${recipient} is accepted`);
    this.accepted.push({ recipient, process });
    this.#checkLease(recipient, process);
  }

  /** A message is sent only under a lease, before it expires, and not to a recipient who opted out before. */
  #checkLease(recipient: string, process: Process): void {
    if (process.isUnsure || !process.isAlive) return;
    const { d1, features, scheduler } = this.#world;
    const [lease] = d1.statements.rows(
      `SELECT max(expires_at) AS expiresAt, max(tried_at) AS triedAt FROM messages
       WHERE recipient = ? AND state = 'waiting' AND attempts > 0 AND due > ?`,
      [recipient, scheduler.now],
    ) as { expiresAt: number | null; triedAt: number }[];
    const stoppedAt = this.stopped.get(recipient);
    if (stoppedAt !== undefined) {
      if (lease!.expiresAt !== null && lease!.triedAt > stoppedAt)
        this.#world.fail(new Violation(`Messages: ${recipient} opted out and got a message`));
      return;
    }
    // An erasure deletes a message while it is sent.
    if (lease!.expiresAt === null && !features.has("erasures"))
      this.#world.fail(new Violation(`Messages: ${recipient} got a message without a lease`));
    if (lease!.expiresAt !== null && lease!.expiresAt <= scheduler.now - MINUTE_MS)
      this.#world.fail(new Violation(`Messages: ${recipient} got an expired message`));
  }

  #mail(mail: SentMail, send: (mail: SentMail) => Promise<unknown>): Promise<unknown> {
    const process = currentProcess();
    return this.#carry(`email to ${mail.to}: ${mail.subject}`, async () => {
      const code = this.#failure(EMAIL_FAILURES, mail.to);
      if (code !== null) throw Object.assign(new Error("Not accepted"), { code });
      this.#accept(mail.to, process);
      return send(mail);
    });
  }

  #push(request: Request): Promise<Response> {
    const process = currentProcess();
    const endpoint = BROWSERS.findIndex((one) => one.endpoint.endsWith(new URL(request.url).pathname));
    const recipient = `psh_user_${["anna", "bert", "cleo"][endpoint]}${this.#world.mark}`;
    return this.#carry(`notification to ${recipient}`, async () => {
      const fault = this.#failure(PUSH_FAILURES, recipient);
      if (fault !== null) phones.fail(fault);
      const response = await phones.fetch(request);
      if (response.status === 201) this.#accept(recipient, process);
      else if (fault === null) this.#world.fail(new Error(`The push service answered ${response.status}`));
      return response;
    });
  }

  #text(request: Request): Promise<Response> {
    const process = currentProcess();
    return this.#carry("text", async () => {
      const { messages } = (await request.clone().json()) as { messages: [SentText] };
      const [{ to, custom_ref: ref }] = messages;
      const recipient = `+${to}`;
      const fault = this.#failure(SMS_FAILURES, recipient);
      if (fault !== null) this.#gateway.fail(fault);
      const response = await this.#gateway.fetch(request);
      if (fault !== null) return response;
      this.#accept(recipient, process);
      this.#reportText(ref);
      return response;
    });
  }

  /** Reports a text's delivery, at times before the Worker has the gateway's answer. */
  #reportText(ref: string): void {
    const { faults, scheduler } = this.#world;
    for (const ms of faults.drawDeliveries("senders", 400, 10 * MINUTE_MS))
      scheduler.after(ms, () =>
        this.#world.start("the gateway", async () => {
          const body = { custom_ref: ref, status: "delivered" };
          const reply = await this.#world.call("the gateway", "POST", SMS_WEBHOOK, { body });
          if (reply?.status === 200) this.reported.add(ref);
        }),
      );
  }

  #enqueue(messages: { body: unknown }[]): Promise<void> {
    const { network, faults } = this.#world;
    const bodies = copyOf(messages.map(({ body }) => body));
    const act = () => {
      if (faults.maybeInject("queue", 0.2)) throw new Error("Queue sendBatch failed: Too Many Requests");
      for (const body of bodies) this.#keep(body);
    };
    return network.send("queue", "the queue: sendBatch", act, () => new Error("Network connection lost."));
  }

  #keep(body: unknown): void {
    const { faults, ids, scheduler } = this.#world;
    const message = { id: ids.uuid(), timestamp: new Date(scheduler.now), attempts: 1, body };
    for (const ms of faults.drawDeliveries("queue", 500, 10 * MINUTE_MS)) this.#hand(message, ms);
  }

  #hand(message: QueueMessage, wait: number): void {
    const { attempts } = message;
    this.#world.scheduler.after(wait, () =>
      this.#world.start("the queue", async () => {
        const isAcked = await this.#consume(message);
        if (!isAcked && attempts < QUEUE_ATTEMPTS)
          this.#hand({ ...message, attempts: attempts + 1 }, QUEUE_RETRY_MS);
      }),
    );
  }
}
