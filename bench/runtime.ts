/** The built product and the baseline, each in its own runtime that logs no requests. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

import type { Miniflare } from "miniflare";

import { builtWorker, type LogLine, type RuntimeWorker, runWorker } from "../testing/product/built-worker.ts";
import { readBuild } from "../testing/product/read-build.ts";
import { type Db, database } from "../worker/platform/db/client.ts";
import type { LeadExchange } from "../worker/durable-objects/lead-exchange.ts";
import { runtimePids } from "./memory.ts";
import { REGION } from "./world.ts";

export type Running = { url: string; pid: number; stop: () => Promise<void> };
export type Floor = Running;
/** The region's exchange, called directly instead of through the API. Only for preparation. */
type Exchange = DurableObjectStub<LeadExchange>;
export type Product = Running & { db: Db; d1: D1Database; exchange: () => Promise<Exchange> };

type OnLogLine = (line: LogLine) => void;

async function start(
  worker: RuntimeWorker,
  persist?: string,
  onLog?: OnLogLine,
): Promise<Running & { miniflare: Miniflare }> {
  const before = new Set(runtimePids());
  const { miniflare, url } = await runWorker(worker, { persist, ...(onLog && { onLog }) });
  const pid = runtimePids().find((id) => !before.has(id)) ?? 0;
  return { miniflare, url, pid, stop: () => miniflare.dispose() };
}

/**
 * Starts the built Worker.
 *
 * @param vars overrides of wrangler.toml's vars
 * @param persist the state folder; a temporary one by default
 * @param wrapper a module that wraps the Worker; see attack/counting.ts
 * @param code the folder of another bundle of the Worker, with a trailing slash
 * @param settings overrides of wrangler.toml's runtime settings
 * @param onLine receives every log line
 */
export async function startProduct(
  vars: Record<string, string>,
  options: {
    persist?: string;
    wrapper?: string;
    code?: string;
    settings?: (configured: RuntimeWorker) => Partial<RuntimeWorker>;
    onLine?: OnLogLine;
  } = {},
): Promise<Product> {
  // Remove the asset server: it would add a lookup that the baseline does not have. No measured call is for a
  // static file.
  const { assets: _, ...worker } = builtWorker(readBuild(), vars, options);
  const changed = { ...worker, ...options.settings?.(worker) } as RuntimeWorker;
  const { miniflare, ...running } = await start(changed, options.persist, options.onLine);
  const d1 = (await miniflare.getD1Database("DB")) as unknown as D1Database;
  async function exchange(): Promise<Exchange> {
    const exchanges = await miniflare.getDurableObjectNamespace("LEAD_EXCHANGE");
    return exchanges.get(exchanges.idFromName(REGION)) as unknown as Exchange;
  }
  return { ...running, d1, db: database(d1), exchange };
}

/** @param greeting the first message to each window; none by default */
export async function startFloor(greeting = ""): Promise<Floor> {
  const source = readFileSync(new URL("floor.ts", import.meta.url), "utf8");
  const { miniflare: _, ...running } = await start({
    name: "floor",
    modules: true,
    script: stripTypeScriptTypes(source),
    compatibilityDate: "2026-10-01",
    bindings: { GREETING: greeting },
    durableObjects: { FLOOR: { className: "FloorObject", useSQLite: true } },
  } as RuntimeWorker);
  return running;
}
