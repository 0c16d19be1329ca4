/** The production build under attack: its state on disk, its log heard, what each request writes counted. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startProduct } from "../bench/runtime.ts";
import { migrate } from "../testing/product/read-build.ts";
import { LOCAL } from "../testing/product/product.ts";
import { serveStripe } from "../testing/stand-ins/stripe-server.ts";
import { StripeStandIn } from "../testing/stand-ins/stripe-stand-in.ts";
import { COUNTING_WRAPPER } from "./counting.ts";
import { serveOutgoing } from "./outgoing.ts";
import { SECRETS } from "./people.ts";

const VARS = {
  ...LOCAL,
  ...SECRETS,
  DEPLOYMENT: "attack",
  STRIPE_PUBLISHABLE_KEY: "pk_test_attack",
  EMAIL_FROM: "hello@naturestrip.example",
};

/** What stands behind the rate limits is what is attacked here; the limits have tests of their own. */
const LIMITLESS = { limit: 1_000_000, period: 60 as const };

export type Target = Awaited<ReturnType<typeof startTarget>>;

/** Starts the build on this machine's loopback; `stop` it when done. */
export async function startTarget() {
  const folder = mkdtempSync(join(tmpdir(), "naturestrip-attack-"));
  const lines: string[] = [];
  const stripe = await serveStripe(new StripeStandIn(SECRETS.STRIPE_WEBHOOK_SECRET));
  const outgoing = await serveOutgoing();
  const product = await startProduct(
    { ...VARS, ...outgoing.vars, STRIPE_API_HOST: stripe.url, STRIPE_JS_URL: stripe.scriptUrl },
    {
      persist: folder,
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
    /** Every line the runtime has printed. */
    lines,
    /** What it has sent by itself. */
    outgoing,
    folder,
    cpuMs: () => processorMs(product.pid),
    /** Ends the product; its files stay until `forget`. */
    async stop() {
      await product.stop();
      stripe.stop();
      outgoing.stop();
    },
    forget: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

/**
 * Processor time a process has used, over all its threads, in milliseconds: what the runtime's own garbage
 * collection and compiling take is in it. NaN where the system does not tell (it is Linux that does).
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
