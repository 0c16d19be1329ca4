/** The worker thread of `npm run simulate`, one per core: plays the batches it receives. */
import { registerHooks } from "node:module";
import { parentPort } from "node:worker_threads";

import type { Feature } from "../testing/simulation/features.ts";
import type { Failure } from "../testing/simulation/run.ts";

const RUNTIME = new URL("../testing/simulation/cloudflare-workers.ts", import.meta.url).href;

// Replace the import of the Workers runtime with its stand-in.
registerHooks({
  resolve: (name, context, next) =>
    name === "cloudflare:workers" ? { url: RUNTIME, shortCircuit: true } : next(name, context),
});

/** `continuesAfterFailure`: counts failing schedules instead of stopping, and does not minimise them. */
export type Batch = { from: number; schedules: number; features: Feature[]; continuesAfterFailure: boolean };
export type BatchResult = {
  played: number;
  failure: Failure | null;
  violations: { seed: number; message: string }[];
};

/** Plays schedules up to the first failure, or all of them. */
export async function runBatch({
  from,
  schedules,
  features,
  continuesAfterFailure,
}: Batch): Promise<BatchResult> {
  const { play, simulate } = await import("../testing/simulation/run.ts");
  if (!continuesAfterFailure)
    return { played: schedules, failure: await simulate({ from, schedules, features }), violations: [] };
  const violations: BatchResult["violations"] = [];
  for (let seed = from; seed < from + schedules; seed++) {
    const { failure } = await play(seed, { features });
    if (failure !== null) violations.push({ seed, message: failure.split("\n")[0]! });
  }
  return { played: schedules, failure: null, violations };
}

parentPort?.on("message", (batch: Batch) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void runBatch(batch).then((result) => parentPort!.postMessage(result));
});
