/** The product as it is built, and the floor, each in a runtime of its own that logs no requests. */
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

import { type Db, database } from "../worker/db/client.ts";
import type { LeadExchange } from "../worker/durable-objects/lead-exchange.ts";
import { runtimePids } from "./memory.ts";
import { REGION } from "./world.ts";

const BUILD = fileURLToPath(new URL("../build/server/", import.meta.url));

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];
type V4Worker = Extract<V4Options, { workers: unknown }>["workers"][number];

type Running = { url: string; pid: number; stop: () => Promise<void> };
export type Floor = Running;
/** The exchange of the one region that is traded in, reached past the front door: only to prepare. */
export type Exchange = DurableObjectStub<LeadExchange>;
export type Product = Running & { db: Db; d1: D1Database; exchange: () => Promise<Exchange> };

/** The Worker writes its log as ever; nobody prints it here. */
function dropLog(): void {}

async function start(worker: V4Worker, persist?: string): Promise<Running & { miniflare: Miniflare }> {
  const before = new Set(runtimePids());
  const options = {
    log: new Log(LogLevel.NONE),
    logRequests: false,
    cf: false,
    handleStructuredLogs: dropLog,
    ...(persist && { resourcePersistencePath: persist }),
    workers: [worker],
  } as V4Options;
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  const { origin } = await miniflare.ready;
  const pid = runtimePids().find((id) => !before.has(id)) ?? 0;
  return { miniflare, url: origin, pid, stop: () => miniflare.dispose() };
}

/** The built Worker's modules, its entry first. @param wrapper a module that takes the entry's place */
function builtModules(wrapper: string | undefined) {
  const files = readdirSync(BUILD, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js"),
  );
  const entry = files.toSorted((a, b) => Number(b === "index.js") - Number(a === "index.js"));
  const modules = entry.map((name) => ({
    type: "ESModule",
    path: `${BUILD}${name}`,
    contents: readFileSync(`${BUILD}${name}`, "utf8"),
  }));
  return wrapper === undefined
    ? modules
    : [{ type: "ESModule", path: `${BUILD}wrapper.js`, contents: wrapper }, ...modules];
}

/**
 * Starts the built Worker.
 * @param vars override wrangler.toml's
 * @param persist where its state lives; a passing place when left out
 * @param wrapper a module that stands before the Worker's own; see cost.ts
 */
export async function startProduct(
  vars: Record<string, string>,
  options: { persist?: string; wrapper?: string } = {},
): Promise<Product> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(`${BUILD}wrangler.json`);
  // Which files are modules is said below, file by file. No call measured here is answered by a static
  // file, and the floor has none: without them neither has somebody standing in front who looks for one.
  const { bindings, modulesRules: _, assets: __, ...others } = workerOptions;
  const worker = {
    ...others,
    name: "naturestrip",
    modulesRoot: BUILD,
    modules: builtModules(options.wrapper),
    bindings: { ...(bindings as Record<string, string>), ...vars },
  } as V4Worker;
  const { miniflare, ...running } = await start(worker, options.persist);
  const d1 = (await miniflare.getD1Database("DB")) as unknown as D1Database;
  async function exchange(): Promise<Exchange> {
    const exchanges = await miniflare.getDurableObjectNamespace("LEAD_EXCHANGE");
    return exchanges.get(exchanges.idFromName(REGION)) as unknown as Exchange;
  }
  return { ...running, d1, db: database(d1), exchange };
}

/** Starts the floor. */
export async function startFloor(): Promise<Floor> {
  const source = readFileSync(new URL("floor.ts", import.meta.url), "utf8");
  const { miniflare: _, ...running } = await start({
    name: "floor",
    modules: true,
    script: stripTypeScriptTypes(source),
    compatibilityDate: "2026-10-01",
    durableObjects: { FLOOR: { className: "FloorObject", useSQLite: true } },
  } as V4Worker);
  return running;
}
