import { expect, test } from "vitest";

import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { addDays, startOfSydneyDay } from "../../../contract/sydney-time.ts";
import { boundsOf, daysFrom, daysToCount, firstDayOf, mondayOf } from "./rules.ts";

/** A Sunday morning in Sydney. */
const NOW = Date.parse("2026-11-22T09:00:00+11:00");
const TODAY = "2026-11-22";

test("weeks begin on Mondays in Sydney", () => {
  expect(mondayOf("2026-11-22")).toBe("2026-11-16");
  expect(mondayOf("2026-11-16")).toBe("2026-11-16");
  expect(firstDayOf(1, NOW)).toBe("2026-11-16");
  expect(firstDayOf(12, NOW)).toBe("2026-08-31");
  // Still Sunday in UTC.
  expect(firstDayOf(1, Date.parse("2026-11-23T00:30:00+11:00"))).toBe("2026-11-23");
});

test("days have no gaps when the clocks change and a day has 23 or 25 hours", () => {
  const days = daysFrom("2026-10-01", "2026-10-10");
  expect(days).toHaveLength(10);
  const hours = days.map((day) => (boundsOf(day).to - boundsOf(day).from) / (60 * MINUTE_MS));
  expect(hours).toEqual([24, 24, 24, 23, 24, 24, 24, 24, 24, 24]);
  expect(days.every((day, i) => i === 0 || boundsOf(days[i - 1]!).to === boundsOf(day).from)).toBe(true);
  expect(daysFrom("2026-10-02", "2026-10-01")).toEqual([]);
});

test("today is counted every 15 minutes, recent days once a day, old ones once they are over", () => {
  const first = "2026-10-20";
  expect(daysToCount(new Map(), TODAY, NOW)).toEqual([TODAY]);
  expect(daysToCount(new Map(), first, NOW)).toEqual(daysFrom(first, TODAY).toReversed());
  const midnight = startOfSydneyDay(TODAY)!;
  const counted = new Map(daysFrom(first, TODAY).map((day) => [day, midnight]));
  counted.set(TODAY, NOW - 14 * MINUTE_MS);
  expect(daysToCount(counted, first, NOW)).toEqual([]);
  counted.set(TODAY, NOW - 15 * MINUTE_MS);
  expect(daysToCount(counted, first, NOW)).toEqual([TODAY]);
  counted.set(TODAY, NOW);
  // Yesterday and the day 15 days ago, both counted yesterday evening.
  counted.set(addDays(TODAY, -1), midnight - 1);
  counted.set(addDays(TODAY, -15), midnight - 1);
  // Two days old enough to be settled. One was counted after it ended, the other before.
  counted.set(addDays(TODAY, -16), midnight - DAY_MS);
  counted.set(first, boundsOf(first).to - 1);
  expect(daysToCount(counted, first, NOW)).toEqual([addDays(TODAY, -1), addDays(TODAY, -15), first]);
  // The first lead is dated tomorrow.
  expect(daysToCount(counted, addDays(TODAY, 1), NOW)).toEqual([]);
});
