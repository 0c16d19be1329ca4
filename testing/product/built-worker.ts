/**
 * Runs the production build in the Workers runtime as one process without a proxy, for browser tests and
 * benchmarks. (`npm start` uses wrangler, whose proxy is a second process.)
 */
import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

import type { BuildOptions } from "./read-build.ts";
import { BUILD } from "../tools.ts";

type V4Options = Parameters<typeof convertV4MiniflareOptions>[0];
export type RuntimeWorker = Extract<V4Options, { workers: unknown }>["workers"][number];

/** A line of a Worker's log. */
export type LogLine = { level: string; message: string; timestamp: number };

type RunOptions = {
  persist?: string | undefined;
  onLog?: (line: LogLine) => void;
  inspectObjects?: boolean;
};

/**
 * Runs a Worker on a free port, without a log line for each request.
 *
 * @param options `persist`: the state folder; temporary by default. `onLog` receives the log, which is not
 * printed. `inspectObjects` gives callers access to the objects' storage
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

/** The module types of the build's files. Files of other types are not part of the Worker. */
const MODULE_TYPES: Readonly<Record<string, string>> = { ".js": "ESModule", ".wasm": "CompiledWasm" };

/** A small entry module that exports everything from the Worker's own entry. */
const ENTRY = 'export * from "./index.js"; export { default } from "./index.js";';

/**
 * Returns a bundle's modules: the entry, then the others by size. Miniflare copies all earlier modules for each module
 * that it adds. With the large modules first, a product needs 0.5 s more CPU to start.
 *
 * @param wrapper a module that replaces the entry
 */
function builtModules(folder: string, wrapper: string) {
  const modules = readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const type = MODULE_TYPES[extname(name)];
    return type ? [{ type, path: `${folder}${name}`, contents: readFileSync(`${folder}${name}`) }] : [];
  });
  return [
    { type: "ESModule", path: `${folder}wrapper.js`, contents: wrapper },
    ...modules.toSorted((a, b) => a.contents.length - b.contents.length),
  ];
}

/**
 * Returns the built Worker's options, from its configuration.
 *
 * @param build the configuration, from `readBuild`
 * @param vars overrides of wrangler.toml's vars
 * @param bundle `wrapper`: a module that wraps the Worker's own entry. `code`: the folder of another bundle
 */
export function builtWorker(
  build: BuildOptions,
  vars: Record<string, string>,
  { wrapper = ENTRY, code = BUILD }: { wrapper?: string; code?: string } = {},
): RuntimeWorker {
  const { bindings, ...others } = build;
  return {
    ...others,
    name: "naturestrip",
    modulesRoot: code,
    modules: builtModules(code, wrapper),
    bindings: { ...(bindings as Record<string, string>), ...vars },
  } as RuntimeWorker;
}
