/** The whole product for a test: the production build in the Workers runtime, empty but for the suburbs. */
import { fileURLToPath } from "node:url";

import { createTestHarness } from "wrangler";

import { type Db, database } from "../worker/db/client.ts";
import type { Env } from "../worker/env.ts";
import { sessionCookie } from "../worker/testing/world.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Leads without a card, and forms that a browser may fill in as often and as fast as it can. */
const LOCAL = {
  PAYMENTS: "direct",
  DUPLICATE_DAYS: "0",
  REQUESTS_PER_ADDRESS: "0",
  FASTEST_FORM_SECONDS: "0",
} as const;

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** Starts the product; `stop` it when done. `vars` override wrangler.toml's, which are made local ones. */
export async function startProduct(vars: Partial<Record<keyof Env, string>> = {}) {
  const server = createTestHarness({
    root: ROOT,
    workers: [{ configPath: "build/server/wrangler.json", vars: { ...LOCAL, ...vars } }],
  });
  const { url } = await server.listen();
  const worker = server.getWorker();
  await worker.applyD1Migrations("DB");
  const env = (await worker.getEnv()) as Env;
  const db: Db = database(env.DB);
  return {
    /** Without a trailing slash, such as `http://localhost:34567`. */
    url: url.origin,
    db,
    worker,
    logs: () => server.getLogs(),
    runSchedule: () => worker.scheduled({ cron: "* * * * *", scheduledTime: new Date() }),
    stop: () => server.close(),
    /** A fetch for a signed-in user. */
    async callerFor(userId: string) {
      const cookie = await sessionCookie(db, userId);
      return (method: string, path: string, body?: unknown) =>
        fetch(`${url.origin}${path}`, {
          method,
          headers: {
            Origin: url.origin,
            Cookie: cookie,
            ...(body !== undefined && { "Content-Type": "application/json" }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
    },
  };
}
