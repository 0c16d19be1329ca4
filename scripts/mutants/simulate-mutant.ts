/** Plays schedules against the Worker's code with one mutated source. */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

import { type Mutant, mutate } from "./mutant.ts";

const { mutant, schedules } = workerData as { mutant: Mutant; schedules: number };
const ROOT = new URL("../../", import.meta.url);
const RUNTIME = new URL("testing/simulation/cloudflare-workers.ts", ROOT).href;
const TARGET = fileURLToPath(new URL(mutant.file, ROOT));

registerHooks({
  resolve: (name, context, next) =>
    name === "cloudflare:workers" ? { url: RUNTIME, shortCircuit: true } : next(name, context),
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.startsWith("file:") || fileURLToPath(url) !== TARGET) return loaded;
    return { ...loaded, source: mutate(String(loaded.source), mutant) };
  },
});

const { play } = await import("../../testing/simulation/run.ts");

/** Seeds that the tests do not use. They are the same for every mutant. */
const FROM = 1_000_000;

let found: string | null = null;
for (let seed = FROM; seed < FROM + schedules && found === null; seed++) {
  const { failure } = await play(seed);
  if (failure !== null) found = `schedule ${seed - FROM + 1}: ${failure.split("\n")[0]}`;
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage(found);
process.exit(0);
