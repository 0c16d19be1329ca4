import { afterEach, expect, test, vi } from "vitest";

import { retryIfMinuteChanges } from "./clock.ts";

afterEach(() => vi.useRealTimers());

/** Runs a test that fails once. @returns how often it ran */
async function runsOf(failOnce: () => void): Promise<number> {
  let runs = 0;
  await retryIfMinuteChanges(async () => {
    runs += 1;
    if (runs > 1) return;
    failOnce();
    throw new Error("too many");
  });
  return runs;
}

test("a test that fails while the minute changes runs again, even if readings of the clock run ahead", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 0, 59), toFake: ["Date"] });
  const ahead = Date.now() + 3_000;
  Date.now = () => ahead;
  expect(await runsOf(() => vi.setSystemTime(Date.UTC(2026, 0, 1, 12, 1)))).toBe(2);
});

test("a test that fails within a minute fails", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12), toFake: ["Date"] });
  await expect(runsOf(() => vi.setSystemTime(Date.UTC(2026, 0, 1, 12, 0, 59)))).rejects.toThrow("too many");
});
