import { expect, test } from "vitest";

import { type Feature, FEATURE_NAMES } from "./features.ts";
import { reduceFailure, play, enabledFeatures, type RunCounts } from "./run.ts";

/** Enough for every feature to occur. `npm run simulate` can play many more. */
const SCHEDULES = 150;

test(
  `in ${SCHEDULES} random schedules every invariant holds, and every feature occurs`,
  {
    timeout: 600_000,
  },
  async () => {
    const occurrences = new Map<Feature, number>();
    const total: Partial<RunCounts> = {};
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const outcome = await play(seed);
      // A failure includes its story. `npm run simulate -- --seed=…` shows it again.
      const failure = outcome.failure && (await reduceFailure(seed));
      expect(failure && `${failure.story.join("\n")}\n${seed}: ${failure.message}`).toBeNull();
      for (const [name, count] of outcome.occurrences)
        occurrences.set(name, (occurrences.get(name) ?? 0) + count);
      for (const [name, count] of Object.entries(outcome.tally))
        total[name as keyof RunCounts] = (total[name as keyof RunCounts] ?? 0) + count;
    }
    // A feature that never occurs has not been tested.
    expect(enabledFeatures().filter((name) => !occurrences.has(name))).toEqual([]);
    for (const [name, count] of Object.entries(total)) expect(count, name).toBeGreaterThan(0);
    expect(total.cardSales).toBeGreaterThan(SCHEDULES / 5);
    expect(total.cancelled).toBeGreaterThan(SCHEDULES / 10);
  },
);

const playRecorded = (seed: number) => play(seed, { features: FEATURE_NAMES, recordsStory: true });

test("the same seed gives the same story, whatever was played before", { timeout: 120_000 }, async () => {
  const seeds = [1, 2, 3, 4, 5, 200_001_251, 200_001_252, 200_001_257, 200_001_263, 200_001_301];
  const first = new Map<number, Awaited<ReturnType<typeof play>>>();
  for (const seed of seeds) first.set(seed, await playRecorded(seed));
  for (const seed of seeds.toReversed()) expect(await playRecorded(seed)).toEqual(first.get(seed));
});
