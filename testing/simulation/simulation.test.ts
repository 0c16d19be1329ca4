// First: what builds queries is loaded after it.
import "./quick-drizzle.ts";
import { expect, test } from "vitest";

import { FEATURE_NAMES } from "./features.ts";
import { play, simulate, type Tally } from "./run.ts";

const SCHEDULES = 600;

test(`in ${SCHEDULES} random schedules every invariant holds`, { timeout: 300_000 }, async () => {
  const failure = await simulate({ from: 1, schedules: SCHEDULES });
  // A failure tells its story; `npm run simulate -- --seed=…` tells it again.
  expect(failure && `${failure.story.join("\n")}\n${failure.seed}: ${failure.message}`).toBeNull();
});

test("schedules go where it hurts", { timeout: 60_000 }, async () => {
  const total: Partial<Tally> = {};
  for (let seed = 1; seed <= 200; seed++) {
    const { tally } = await play(seed, { features: FEATURE_NAMES });
    for (const [name, count] of Object.entries(tally))
      total[name as keyof Tally] = (total[name as keyof Tally] ?? 0) + count;
  }
  expect(total.cardSales).toBeGreaterThan(80);
  expect(total.otherSales).toBeGreaterThan(20);
  expect(total.refunds).toBeGreaterThan(5);
  expect(total.cancelled).toBeGreaterThan(50);
  expect(total.expired).toBeGreaterThan(20);
  expect(total.moved).toBeGreaterThan(5);
  expect(total.erased).toBeGreaterThan(10);
});

test("the same seed tells the same story", { timeout: 60_000 }, async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const options = { features: FEATURE_NAMES, isTold: true };
    const [first, second] = [await play(seed, options), await play(seed, options)];
    expect(second).toEqual(first);
  }
});
