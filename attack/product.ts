/**
 * The production build under attack, with its state on disk, its log captured, and the writes of each request counted.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startProduct } from "../bench/runtime.ts";
import { migrate } from "../testing/product/read-build.ts";
import { LOCAL } from "../testing/product/product.ts";
import { serveStripe } from "../testing/stand-ins/stripe-server.ts";
import { StripeStandIn } from "../testing/stand-ins/stripe-stand-in.ts";
import type { FileKey } from "../worker/platform/files.ts";
import { BATCH_PATH, COUNTING_WRAPPER, FILE_PATH } from "./counting.ts";
import { serveOutgoing } from "./outgoing.ts";
import { SECRETS } from "./people.ts";

const VARS = {
  ...LOCAL,
  ...SECRETS,
  DEPLOYMENT: "attack",
  STRIPE_PUBLISHABLE_KEY: "pk_test_attack",
  EMAIL_FROM: "hello@naturestrip.example",
};

/** Raises the rate limits, so that they do not stop the attack. Other tests cover the limits. */
const LIMITLESS = { limit: 1_000_000, period: 60 as const };

export type Target = Awaited<ReturnType<typeof startTarget>>;

/**
 * Starts the build on the loopback interface. The caller must `stop` it.
 *
 * @param code the folder of another bundle of the Worker
 */
export async function startTarget(code?: string) {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-attack-"));
  const lines: string[] = [];
  const standIn = new StripeStandIn(SECRETS.STRIPE_WEBHOOK_SECRET);
  const stripe = await serveStripe(standIn);
  const outgoing = await serveOutgoing();
  const product = await startProduct(
    { ...VARS, ...outgoing.vars, STRIPE_API_HOST: stripe.url, STRIPE_JS_URL: stripe.scriptUrl },
    {
      persist: folder,
      ...(code && { code }),
      wrapper: COUNTING_WRAPPER,
      settings: (configured) => ({
        ratelimits: Object.fromEntries(
          Object.entries(configured.ratelimits ?? {}).map(([name, limit]) => [
            name,
            { ...limit, simple: LIMITLESS },
          ]),
        ),
      }),
      onLine: ({ message }) => void lines.push(message),
    },
  );
  await migrate(product.d1);
  return {
    url: product.url,
    db: product.db,
    d1: product.d1,
    /** Every line that the runtime has printed. */
    lines,
    /** The messages that the product has sent. */
    outgoing,
    stripe: standIn,
    /** Writes to D1. @throws Error with the response if a statement fails */
    async batch(statements: readonly { sql: string; params: unknown[] }[]) {
      const body = JSON.stringify(statements);
      const response = await fetch(product.url + BATCH_PATH, { method: "POST", body });
      if (!response.ok) throw new Error(`Rows could not be written: ${await response.text()}`);
    },
    /** Stores a file in the private bucket. */
    async putFile(key: FileKey, type: string, body: string) {
      const init = { method: "POST", headers: { "Content-Type": type }, body };
      const response = await fetch(product.url + FILE_PATH + key, init);
      if (!response.ok) throw new Error(`A file could not be stored: ${await response.text()}`);
    },
    folder,
    cpuMs: () => processorMs(product.pid),
    /** Stops the product. Its files stay until `forget`. */
    async stop() {
      await product.stop();
      stripe.stop();
      outgoing.stop();
    },
    forget: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

/**
 * Returns a process's CPU time over all its threads, in milliseconds. It includes the runtime's garbage collection and
 * compilation. NaN if the system does not report it (only Linux does).
 */
function processorMs(pid: number): number {
  let ns = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      ns += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    }
  } catch {
    return Number.NaN;
  }
  return ns / 1e6;
}
