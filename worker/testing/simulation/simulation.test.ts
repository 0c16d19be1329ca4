import { expect, test } from "vitest";

import { play, simulate, type Tally } from "./run.ts";
import { BREAKS } from "./world.ts";

const SCHEDULES = 5_000;

test(`in ${SCHEDULES} random schedules every invariant holds`, { timeout: 120_000 }, () => {
  // A failure names its seed and how many steps of it are enough.
  expect(simulate({ from: 1, schedules: SCHEDULES })).toBeNull();
});

test("schedules go where it hurts: sales, refunds, cancelled payments, expired and moved leads", () => {
  const total: Partial<Tally> = {};
  for (let seed = 1; seed <= 500; seed++) {
    for (const [name, count] of Object.entries(play(seed)))
      total[name as keyof Tally] = (total[name as keyof Tally] ?? 0) + count;
  }
  expect(total.cardSales).toBeGreaterThan(100);
  expect(total.otherSales).toBeGreaterThan(30);
  expect(total.refunds).toBeGreaterThan(5);
  expect(total.cancelled).toBeGreaterThan(200);
  expect(total.expired).toBeGreaterThan(50);
  expect(total.moved).toBeGreaterThan(50);
});

test("the same seed plays the same schedule", () => {
  for (let seed = 1; seed <= 20; seed++) expect(play(seed)).toEqual(play(seed));
});

test.each(BREAKS)("the simulation catches a machine that is broken by: %s", (broken) => {
  const failure = simulate({ from: 1, schedules: 500, broken });
  expect(failure).not.toBeNull();
  // Cut to its shortest start, the very schedule is harmless to the unbroken machine.
  expect(() => play(failure!.seed, null, failure!.steps)).not.toThrow();
  console.log(broken, failure);
});
