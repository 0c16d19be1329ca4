/**
 * `npm run simulate`: plays random schedules of buyers, admins, payments, crashes and lost messages against
 * the deployed code, on every core.
 *
 * `--schedules=N` sets how many and `--from=SEED` the first. `--seed=N` plays one schedule and prints its
 * story. `--keep-going` continues after failures. `--without=…` switches features off; `--list` prints them.
 */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { type Feature, FEATURE_NAMES, FEATURES } from "../testing/simulation/features.ts";
import { type Arguments, readArguments } from "./command.ts";
import type { Batch, BatchResult } from "./simulate-worker.ts";

const BATCH = 250;

/** Prints an error in one sentence and exits. */
function exitWithError(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

const SPEC = {
  name: "simulate",
  options: {
    schedules: "text",
    from: "text",
    seed: "text",
    without: "text",
    list: "flag",
    "keep-going": "flag",
  },
} as const;

function parseArguments(): Arguments {
  try {
    return readArguments(SPEC);
  } catch (error) {
    exitWithError((error as Error).message);
  }
}

function parseWholeNumber(name: string, text: string | null, fallback: number): number {
  if (text === null) return fallback;
  const number = Number(text);
  if (!/^\d{1,12}$/.test(text)) exitWithError(`--${name} must be a whole number, not "${text}".`);
  return number;
}

/** Returns all features except those that the option switches off. */
function featuresWithout(text: string | null): Feature[] {
  const unwanted = text?.split(",").filter(Boolean) ?? [];
  const unknown = unwanted.find((one) => !(one in FEATURES));
  if (unknown !== undefined) exitWithError(`--without: there is no feature "${unknown}". See --list.`);
  return FEATURE_NAMES.filter((name) => !unwanted.includes(name));
}

function list(): void {
  for (const name of FEATURE_NAMES) console.log(`${name.padEnd(20)} ${FEATURES[name]}`);
}

/** Plays one schedule on this thread and prints its story if it fails. */
async function printFailure(seed: number, features: Feature[]): Promise<boolean> {
  const { runBatch } = await import("./simulate-worker.ts");
  const { failure } = await runBatch({ from: seed, schedules: 1, features, continuesAfterFailure: false });
  if (!failure) console.log(`Schedule ${seed} holds.`);
  else show(failure);
  return failure === null;
}

function show(failure: NonNullable<BatchResult["failure"]>): void {
  const { seed, message, story, features, acts } = failure;
  console.error(
    `\n${story.join("\n")}\n\nSchedule ${seed} fails with ${acts.length} acts and ${features.length ? features.join(", ") : "no faults"}:\n${message}`,
  );
}

/** Plays many schedules, one batch at a time on each core. @returns whether all of them passed */
async function playAll(
  from: number,
  schedules: number,
  { features, continuesAfterFailure }: { features: Feature[]; continuesAfterFailure: boolean },
): Promise<boolean> {
  const started = performance.now();
  let next = from;
  let done = 0;
  let failed: BatchResult["failure"] = null;
  let violations = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL("./simulate-worker.ts", import.meta.url));
      const sendBatch = () => {
        const size = Math.min(BATCH, from + schedules - next);
        const batch: Batch = { from: next, schedules: size, features, continuesAfterFailure };
        next += BATCH;
        if (failed || batch.schedules <= 0) return void worker.terminate().then(() => resolve());
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        worker.postMessage(batch);
      };
      worker.on("error", reject);
      worker.on("message", ({ played, failure, violations: found }: BatchResult) => {
        done += played;
        failed ??= failure;
        violations += found.length;
        for (const { seed, message } of found) console.error(`Schedule ${seed} fails: ${message}`);
        const seconds = (performance.now() - started) / 1000;
        if (!failed && done % (BATCH * 8) === 0)
          console.log(
            `${done} with ${violations} violations, ${seconds.toFixed(0)} s, ${(done / seconds).toFixed(0)} per second`,
          );
        sendBatch();
      });
      sendBatch();
    });
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), Math.ceil(schedules / BATCH)) }, work),
  );
  const seconds = (performance.now() - started) / 1000;
  if (failed) {
    show(failed);
    console.error(`Repeat it: npm run simulate -- --seed=${(failed as { seed: number }).seed}`);
    return false;
  }
  console.log(
    `${done} schedules with ${violations} violations in ${seconds.toFixed(1)} s, ${(done / seconds).toFixed(0)} per second`,
  );
  return violations === 0;
}

const args = parseArguments();
const features = featuresWithout(args.option("without"));
if (args.hasFlag("list")) list();
else if (args.option("seed") !== null)
  process.exitCode = (await printFailure(parseWholeNumber("seed", args.option("seed"), 0), features)) ? 0 : 1;
else {
  const schedules = parseWholeNumber("schedules", args.option("schedules"), 100_000);
  const from = parseWholeNumber("from", args.option("from"), Math.floor(Math.random() * 1e9));
  console.log(`${schedules} schedules from seed ${from}`);
  process.exitCode = (await playAll(from, schedules, {
    features,
    continuesAfterFailure: args.hasFlag("keep-going"),
  }))
    ? 0
    : 1;
}
