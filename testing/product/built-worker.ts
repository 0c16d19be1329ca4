/**
 * The production build in the Workers runtime, one process and nothing in front of it: for browser tests and
 * benchmarks. (`npm start` uses wrangler, whose own front is a second process.)
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

import type { BuildOptions } from "./read-build.ts";
import { BUILD } from "../tools.ts";

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];
export type RuntimeWorker = Extract<V4Options, { workers: unknown }>["workers"][number];

/** A line a Worker wrote. */
export type LogLine = { level: string; message: string; timestamp: number };

type RunOptions = {
  persist?: string | undefined;
  onLog?: (line: LogLine) => void;
  inspectObjects?: boolean;
};

/**
 * Runs a Worker on a free port, without a line of log for each request.
 * @param options `persist` is where its state lives, a passing place when left out; `onLog` hears what it
 *   writes, which nobody prints; with `inspectObjects` the storage of its objects can be reached from outside
 */
export async function runWorker(
  worker: RuntimeWorker,
  { persist, onLog = () => {}, inspectObjects = false }: RunOptions = {},
): Promise<{ miniflare: Miniflare; url: string }> {
  const options = {
    log: new Log(LogLevel.NONE),
    logRequests: false,
    cf: false,
    handleStructuredLogs: onLog,
    unsafeInspectDurableObjects: inspectObjects,
    ...(persist && { resourcePersistencePath: persist }),
    workers: [worker],
  } as V4Options;
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  const { origin } = await miniflare.ready;
  return { miniflare, url: origin };
}

/** What the build's files are to the runtime; other files are not for it. */
const MODULE_TYPES: Readonly<Record<string, string>> = { ".js": "ESModule", ".wasm": "CompiledWasm" };

/** The built Worker's modules, its entry first. @param wrapper a module that takes the entry's place */
function builtModules(wrapper: string | undefined) {
  const files = readdirSync(BUILD, { recursive: true, encoding: "utf8" });
  const modules = files
    .toSorted((a, b) => Number(b === "index.js") - Number(a === "index.js"))
    .flatMap((name) => {
      const type = MODULE_TYPES[extname(name)];
      return type ? [{ type, path: `${BUILD}${name}`, contents: readFileSync(`${BUILD}${name}`) }] : [];
    });
  return wrapper === undefined
    ? modules
    : [{ type: "ESModule", path: `${BUILD}wrapper.js`, contents: wrapper }, ...modules];
}

/**
 * The built Worker, as its configuration says.
 * @param build what that says, from `readBuild`
 * @param vars override wrangler.toml's
 * @param wrapper a module that stands before the Worker's own
 */
export function builtWorker(
  build: BuildOptions,
  vars: Record<string, string>,
  wrapper?: string,
): RuntimeWorker {
  const { bindings, ...others } = build;
  return {
    ...others,
    name: "naturestrip",
    modulesRoot: BUILD,
    modules: builtModules(wrapper),
    bindings: { ...(bindings as Record<string, string>), ...vars },
  } as RuntimeWorker;
}
