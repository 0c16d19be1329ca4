import { expect, onTestFinished, test, vi } from "vitest";

import { SECOND_MS } from "../../contract/durations.ts";
import { IS_LONG } from "../long.ts";
import { BrowserWindow } from "./browsers.ts";
import { type Feature, FEATURE_NAMES } from "./features.ts";
import { play, reduceFailure, type RunCounts, simulate } from "./run.ts";
import { Violation } from "./violation.ts";

/** Enough for every feature to occur. `npm run simulate` can play many more. */
const SCHEDULES = 150;

/** `npm test` plays at least this many, so each feature is chosen once. It plays more until it has used its CPU time. */
const MIN_SCHEDULES = FEATURE_NAMES.length;
const MAX_CPU_MS = 10 * SECOND_MS;

/** Yields the seeds to play. */
function* seeds(): Generator<number> {
  const before = process.cpuUsage();
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const { user, system } = process.cpuUsage(before);
    if (!IS_LONG && seed > MIN_SCHEDULES && (user + system) / 1000 > MAX_CPU_MS) return;
    yield seed;
  }
}

test("in random schedules every invariant holds, and in the long form every feature occurs", async ({
  signal,
}) => {
  const occurrences = new Map<Feature, number>();
  const total: Partial<RunCounts> = {};
  let played = 0;
  for (const seed of seeds()) {
    const outcome = await play(seed, { signal });
    // A failure includes its story. `npm run simulate -- --seed=…` shows it again.
    const failure = outcome.failure && (await reduceFailure(seed, { signal }));
    expect(failure && `${failure.story.join("\n")}\n${seed}: ${failure.message}`).toBeNull();
    played += 1;
    for (const [name, count] of outcome.occurrences)
      occurrences.set(name, (occurrences.get(name) ?? 0) + count);
    for (const [name, count] of Object.entries(outcome.tally))
      total[name as keyof RunCounts] = (total[name as keyof RunCounts] ?? 0) + count;
  }
  expect(total.cardSales).toBeGreaterThan(played / 5);
  expect(total.cancelled).toBeGreaterThan(played / 10);
  if (!IS_LONG) return;
  // A feature that never occurs has not been tested.
  expect(FEATURE_NAMES.filter((name) => !occurrences.has(name))).toEqual([]);
  for (const [name, count] of Object.entries(total)) expect(count, name).toBeGreaterThan(0);
});

test("the same seed gives the same story, whatever was played before", async ({ signal }) => {
  const playRecorded = (seed: number) => play(seed, { recordsStory: true, signal });
  const recorded = [1, 2, 3, 200_001_251, 200_001_252];
  const first = new Map<number, Awaited<ReturnType<typeof play>>>();
  for (const seed of recorded) first.set(seed, await playRecorded(seed));
  for (const seed of recorded.toReversed()) expect(await playRecorded(seed)).toEqual(first.get(seed));
});

test("a failing schedule is reduced to the act and the feature that cause the failure", async () => {
  const planted = vi.spyOn(BrowserWindow.prototype, "dropNetwork").mockImplementation(() => {
    throw new Violation("planted");
  });
  onTestFinished(() => planted.mockRestore());
  const features: Feature[] = ["calls", "giving", "moves", "windows"];
  const failure = await simulate({ from: 1, schedules: 100, features });
  expect(failure).toMatchObject({ message: "planted", acts: [expect.any(Number)], features: ["windows"] });
});

test("a schedule ends when its test ran out of time", async () => {
  const controller = new AbortController();
  const playing = play(1, { signal: controller.signal });
  controller.abort();
  await expect(playing).rejects.toThrow("aborted");
});
