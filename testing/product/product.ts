/** The whole product for a test: the production build in the Workers runtime, with no data except the suburbs. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { inject } from "vitest";

import { builtWorker, type LogLine, runWorker } from "./built-worker.ts";
import type { BuildOptions } from "./read-build.ts";
import { startDelayProxy } from "./delay-proxy.ts";
import { type Db, database } from "../../worker/platform/db/client.ts";
import type { Bindings } from "../../worker/platform/env.ts";
import { useCheapHashes, sessionCookie } from "../world.ts";

/** Free leads, forms without rate or time limits, and a key for bank details. */
export const LOCAL = {
  PAYMENTS: "direct",
  ADMIN_PASSKEYS: "optional",
  PWNED_PASSWORDS: "off",
  SAMPLE_CLAIMS: "on",
  DUPLICATE_DAYS: "0",
  REQUESTS_PER_ADDRESS: "0",
  FASTEST_FORM_SECONDS: "0",
  SUSPICION_POINTS: "0",
  NEWCOMER_SHARE_PERCENT: "100",
  BANK_DETAILS_KEYS: "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
} as const;

export type Product = Awaited<ReturnType<typeof startProduct>>;

/**
 * Starts the product. The caller stops it.
 *
 * @param vars overrides of wrangler.toml's vars and the local ones
 * @param world the initial state; null creates an empty one, for callers outside the tests
 */
export async function startProduct(
  vars: Partial<Record<keyof Bindings, string>> = {},
  world: string | null = inject("emptyWorld"),
) {
  // Only callers outside the tests have to load the code that reads the build.
  const outside = world === null ? await import("./read-build.ts") : null;
  const build: BuildOptions = outside?.readBuild() ?? inject("build");
  const state = mkdtempSync(join(world ? dirname(world) : tmpdir(), "naturestrip-product-"));
  if (world) cpSync(world, state, { recursive: true });
  const lines: LogLine[] = [];
  const { miniflare, url: direct } = await runWorker(builtWorker(build, { ...LOCAL, ...vars }), {
    persist: state,
    onLog: (line) => lines.push(line),
    inspectObjects: true,
  });
  const link = process.env.UNSTEADY_LINK === "1" ? await startDelayProxy(direct) : null;
  const url = link?.url ?? direct;
  const { DB: d1 } = await miniflare.getBindings<Bindings>();
  await outside?.migrate(d1);
  const db: Db = database(d1);
  useCheapHashes();
  return {
    /** Without a trailing slash, such as `http://127.0.0.1:34567`. */
    url,
    db,
    /** The same database without drizzle. */
    d1,
    /** Returns a region's exchange, bypassing the API. */
    exchange(name: string) {
      const at = ["naturestrip", "LeadExchange", { name }] as const;
      return {
        async exec(sql: string, ...values: unknown[]) {
          const storage = await miniflare.unsafeGetDurableObjectStorage(...at);
          return storage.exec(sql, ...values);
        },
        evict: () => miniflare.unsafeEvictDurableObject(...at),
      };
    },
    /** Returns the log so far. */
    logs: (): readonly LogLine[] => lines,
    async runSchedule() {
      const worker = await miniflare.getWorker();
      await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date() });
    },
    async stop() {
      link?.close();
      await miniflare.dispose();
      rmSync(state, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
    /** Returns a fetch function for a signed-in user. */
    async callerFor(userId: string) {
      const cookie = await sessionCookie(db, userId);
      return (method: string, path: string, body?: unknown) =>
        fetch(`${url}${path}`, {
          method,
          headers: {
            Origin: url,
            Cookie: cookie,
            ...(body !== undefined && { "Content-Type": "application/json" }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
    },
  };
}
