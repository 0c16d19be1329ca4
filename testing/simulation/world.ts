/**
 * A simulated world: the Worker's own code in a simulated environment. Worlds run one after another. They
 * reuse expensive parts (tables, prepared statements) and roll back data.
 */
import { readFileSync } from "node:fs";

import { runSweeps } from "../../worker/cron.ts";
import { BusinessRoom } from "../../worker/durable-objects/business-room.ts";
import { createTables } from "../../worker/exchange/tables.ts";
import { LeadExchange } from "../../worker/durable-objects/lead-exchange.ts";
import { consume } from "../../worker/messages/dispatch-commands.ts";
import { contextOf } from "../../worker/platform/context.ts";
import type { Bindings } from "../../worker/platform/env.ts";
import { type Pages, serve } from "../../worker/server.ts";
import { SimulatedD1 } from "./d1.ts";
import type { Record as LeadRecord } from "./facts.ts";
import { Faults } from "./faults.ts";
import type { Feature } from "./features.ts";
import { Network } from "./network.ts";
import { type ObjectClass, ObjectNamespace } from "./objects.ts";
import { installPlatform } from "./platform.ts";
import { schemaText } from "./population.ts";
import { Random } from "./random.ts";
import { type Process, running, Scheduler, type WorldClock } from "./scheduler.ts";
import { type QueueMessage, Senders } from "./senders.ts";
import type { SocketEnd } from "./sockets.ts";
import { Statements } from "./statements.ts";
import { Story } from "./story.ts";
import { SimulatedStripe, WEBHOOK_SECRET } from "./stripe.ts";

installPlatform();

/** Start time of every world: 1 December 2026, 9 am in Sydney. */
const START = Date.UTC(2026, 10, 30, 22);
const ORIGIN = "http://naturestrip.test";

/** The settings in wrangler.toml, as deployed. */
const CONFIG = readFileSync(new URL("../../wrangler.toml", import.meta.url), "utf8");
const DEPLOYED = Object.fromEntries(
  [...CONFIG.matchAll(/^([A-Z_]+) = "(.*)"$/gm)].map(([, name, value]) => [name!, value!]),
);
const RATE_LIMITS = [...CONFIG.matchAll(/^\[\[ratelimits\]\]\nname = "([A-Z_]+)"$/gm)].map(
  ([, name]) => name!,
);

/** Sets Stripe's keys. Disables the checks of visitors' requests, since the requests here are few and similar. */
const SETTINGS = {
  ...DEPLOYED,
  DUPLICATE_DAYS: "0",
  REQUESTS_PER_ADDRESS: "0",
  FASTEST_FORM_SECONDS: "0",
  SUSPICION_POINTS: "0",
  // Simulated admins have no passkeys.
  ADMIN_PASSKEYS: "optional",
  DEPLOYMENT: "simulation",
  STRIPE_SECRET_KEY: "sk_test_simulated",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PUBLISHABLE_KEY: "pk_test_simulated",
  STRIPE_API_HOST: "http://stripe.test",
};

const PAGES: Pages = { render: async () => new Response("page"), routeOf: async () => "/page" };

/** Tables and statements that successive worlds reuse. */
const reusable = {
  d1: null as Statements | null,
  exchanges: new Map<string, Statements>(),
  rooms: null as Statements | null,
};
let worlds = 0;

function reuseD1(): Statements {
  return (reusable.d1 ??= new Statements((db) => db.exec(schemaText())));
}

function reuseExchange(name: string): Statements {
  let statements = reusable.exchanges.get(name);
  if (!statements) {
    const sql = { exec: (text: string, ...values: string[]) => ({ toArray: () => [text, values] }) };
    statements = new Statements((db) => {
      sql.exec = (text, ...values) => {
        if (values.length === 0) {
          db.exec(text);
          return { toArray: () => [] };
        }
        return { toArray: () => db.prepare(text).all(...values) as never };
      };
      createTables(sql as unknown as SqlStorage);
    });
    reusable.exchanges.set(name, statements);
  }
  return statements;
}

/** Returns a region's storage in its initial state. */
function resetExchange(name: string): Statements {
  const statements = reuseExchange(name);
  statements.reset();
  return statements;
}

/** The result of a call; null if there was no response. */
export type Reply = { status: number; body: string; webSocket: SocketEnd | null } | null;

export type Call = { cookie?: string; body?: unknown; headers?: Record<string, string> };

/** The error of a call that was lost or killed before its response. */
class NoResponse extends Error {}

export class World implements WorldClock {
  /**
   * The end of this world's IDs, derived from the seed. Work that is spread by ID is then spread the same way
   * in each run, and IDs differ between seeds.
   */
  readonly mark: string;
  /** This world's number in its isolate, so that the isolate's caches do not mix worlds. */
  readonly number = ++worlds;
  readonly seed: number;
  readonly features: ReadonlySet<Feature>;
  readonly scheduler = new Scheduler(START);
  readonly ids: Random;
  readonly story: Story;
  readonly faults: Faults;
  readonly d1: SimulatedD1;
  readonly exchanges: ObjectNamespace;
  readonly rooms: ObjectNamespace;
  readonly stripe: SimulatedStripe;
  readonly env: Bindings;
  /** Payments whose secret has left the server, so that a browser could pay them. */
  readonly exposedIntents = new Set<string>();
  /** An error from code that could not throw it. */
  failure: Error | null = null;
  /** Requests, sweeps and browsers that have not finished. */
  pendingCount = 0;
  #requests = 0;

  constructor(seed: number, features: ReadonlySet<Feature>, recordsStory: boolean) {
    this.seed = seed;
    this.mark = seed.toString(36).padStart(8, "0");
    this.features = features;
    this.ids = new Random(seed, "ids");
    const { scheduler } = this;
    this.story = new Story(recordsStory, () => scheduler.now);
    const { logStep } = this.story;
    const faults = new Faults(features, new Random(seed, "faults"), scheduler, logStep);
    this.faults = faults;
    const network = new Network(scheduler, faults);
    const blobs = new Random(seed, "blobs");
    reuseD1().reset();
    reuseD1().drawBlob = (blob) => blobs.fill(blob);
    this.d1 = new SimulatedD1(reuseD1(), network);
    const objects = {
      world: this,
      scheduler,
      network,
      faults,
      logStep,
      env: () => this.env,
      fail: (error: Error) => this.fail(error),
    };
    this.exchanges = new ObjectNamespace("exchange", LeadExchange as unknown as ObjectClass, {
      ...objects,
      storageOf: resetExchange,
    });
    this.rooms = new ObjectNamespace("room", BusinessRoom as unknown as ObjectClass, {
      ...objects,
      storageOf: () => (reusable.rooms ??= new Statements(() => {})),
    });
    this.stripe = new SimulatedStripe({
      mark: this.mark,
      scheduler,
      faults,
      network,
      logStep,
      deliver: (body, signature) => this.#deliver(body, signature),
    });
    this.network = network;
    this.senders = new Senders(this, (message) => this.#consume(message));
    this.env = this.#bindings();
  }

  readonly network: Network;
  readonly senders: Senders;

  #bindings(): Bindings {
    const limit = { limit: async () => ({ success: true }) };
    return {
      ...SETTINGS,
      PAYMENTS: this.features.has("direct_sales") ? "direct" : "stripe",
      // Otherwise every world's first sweep would enqueue the nightly jobs.
      ...(!this.features.has("nightly") && { NIGHTLY_AT: "" }),
      DB: this.d1,
      LEAD_EXCHANGE: this.exchanges,
      BUSINESS_ROOM: this.rooms,
      ...(this.features.has("messages") && this.senders.bindings),
      ...Object.fromEntries(RATE_LIMITS.map((name) => [name, limit])),
    } as unknown as Bindings;
  }

  /** Holds that an exchange has lost together with its storage. */
  readonly lostHolds = new Set<string>();
  /** Closed records that an exchange has lost, by region and lead. D1 still has them. */
  readonly lostRecords = new Map<string, LeadRecord>();
  /** Storage losses of each region's exchange. */
  readonly losses = new Map<string, number>();

  /** Regions that failed to receive a deactivation. The sweep sends it again. */
  readonly regionsNotInformed = new Set<string>();
  /** Leads with a refused hold that could not be released, and when (epoch ms). The exchange ends the hold in time. */
  readonly unreleasedHolds: { leadId: string; at: number }[] = [];

  /** Records an error, which ends the schedule. */
  fail(error: Error): void {
    this.failure ??= error;
  }

  fetch(url: string, init: RequestInit): Promise<unknown> {
    return this.senders.fetch(url, init) ?? this.stripe.fetch(url, init);
  }

  onLog(level: string, line: string): void {
    if (line.includes('"release_left_to_lapse"')) {
      const { region } = JSON.parse(line) as { region: string };
      this.regionsNotInformed.add(region);
    }
    if (line.includes('"give_up_failed"')) {
      const { leadId } = JSON.parse(line) as { leadId: string };
      this.unreleasedHolds.push({ leadId, at: this.scheduler.now });
    }
    if (level !== "log") this.story.logStep(() => `      log: ${line}`);
  }

  /** Starts work in its own process. */
  start(name: string, work: () => Promise<void>): void {
    const process: Process = { name, isAlive: true };
    this.pendingCount += 1;
    void running
      .run({ world: this, process }, work)
      .catch((error: unknown) => this.fail(error as Error))
      .finally(() => (this.pendingCount -= 1));
  }

  /** Waits in simulated time. Only for code in a running process. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.scheduler.after(ms, resolve));
  }

  /** Calls the Worker over the network. Only from a running process. */
  async call(who: string, method: string, path: string, options: Call = {}): Promise<Reply> {
    const { cookie, body, headers } = options;
    const what = `${who}: ${method} ${path}`;
    const handleRequest = () =>
      this.#serve(
        what,
        method,
        path,
        {
          ...(cookie && { Cookie: cookie }),
          ...(body !== undefined && { "Content-Type": "application/json" }),
          Origin: ORIGIN,
          ...headers,
        },
        body,
      );
    const reply = await this.network
      .send("browser", what, handleRequest, () => new NoResponse())
      .catch((error: unknown) => {
        // The Worker always responds. Any other error is a bug in this simulation.
        if (!(error instanceof NoResponse)) this.fail(error as Error);
        return null;
      });
    this.story.logStep(
      () => `${what}${body === undefined ? "" : ` ${formatBody(body)}`} → ${formatReply(reply)}`,
    );
    return reply;
  }

  /** Runs the Worker's part of a call in its own process, which may be killed midway. */
  #serve(
    what: string,
    method: string,
    path: string,
    headers: Record<string, string>,
    body: unknown,
  ): Promise<Reply> {
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    return this.#asWorker(`request ${++this.#requests} (${what})`, async (ctx) => {
      const request = new Request(`${ORIGIN}${path}`, {
        method,
        headers: {
          ...headers,
          "CF-Connecting-IP": `2001:db8::${this.#requests.toString(16)}`,
          ...(text !== undefined && { "Content-Length": String(text.length) }),
        },
        ...(text !== undefined && { body: text }),
      });
      const response = await serve(request, this.env, ctx, PAGES);
      if (path === "/api/create-payment-intent" && response.status === 200) await this.#noteSecret(response);
      const { webSocket = null } = response as unknown as { webSocket?: SocketEnd | null };
      return { status: response.status, body: webSocket ? "" : await response.text(), webSocket };
    });
  }

  async #noteSecret(response: Response): Promise<void> {
    const { clientSecret } = (await response.clone().json()) as { clientSecret: string };
    this.exposedIntents.add(clientSecret.split("_secret")[0]!);
  }

  #asWorker<T>(name: string, work: (ctx: ExecutionContext) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const kill = () => {
        process.isAlive = false;
        reject(new NoResponse());
      };
      const process: Process = { name, isAlive: true, kill };
      const ctx = {
        waitUntil: (background: Promise<unknown>) => void background.catch(() => {}),
        passThroughOnException: () => {},
      } as unknown as ExecutionContext;
      running.run({ world: this, process }, () => work(ctx)).then(resolve, reject);
    });
  }

  /** Runs the minute's cron. */
  async sweep(): Promise<void> {
    const scheduled = this.scheduler.now;
    this.story.logStep(() => "cron: the minute's sweeps begin");
    await this.#asWorker("cron", () => runSweeps(this.env, scheduled)).catch(() => {});
  }

  /** Hands the Worker a message of the queue. @returns whether it acknowledged the message */
  async #consume(message: QueueMessage): Promise<boolean> {
    let isAcked = false;
    const queued = { ...message, ack: () => (isAcked = true), retry: () => {} };
    const batch = { messages: [queued] } as unknown as MessageBatch;
    await this.#asWorker("queue", () => consume(batch, contextOf(this.env))).catch(() => {});
    return isAcked;
  }

  async #deliver(body: string, signature: string): Promise<number | null> {
    const headers = { "Stripe-Signature": signature };
    return new Promise((resolve) =>
      this.start("Stripe", async () => {
        const reply = await this.call("Stripe", "POST", "/api/stripe/webhook", { headers, body });
        resolve(reply?.status ?? null);
      }),
    );
  }
}

function formatBody(body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

function formatReply(reply: Reply): string {
  if (!reply) return "no answer";
  const { status, body } = reply;
  const code = status >= 400 ? /"code":"(\w+)"/.exec(body)?.[1] : /"status":"(\w+)"/.exec(body)?.[1];
  return code ? `${status} ${code}` : String(status);
}
