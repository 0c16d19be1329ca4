import { expect, test } from "vitest";

import { formatMonth, formatRate, roundUpAxis } from "./format-figures.ts";

test("formats rates and months", () => {
  expect(formatRate(2 / 3)).toBe("67%");
  expect(formatRate(null)).toBe("–");
  expect(formatMonth("2026-01")).toBe("Jan");
  expect(formatMonth("2026-12", true)).toBe("Dec 2026");
});

test("an axis ends at a round number at or above the highest bar", () => {
  for (const highest of [0, 1, 4, 5, 9.5, 11, 37, 99, 100, 101, 999, 1250, 48_000]) {
    const top = roundUpAxis(highest);
    expect(top, String(highest)).toBeGreaterThanOrEqual(highest);
    expect((top / 4) * 2, String(highest)).toBe(Math.round((top / 4) * 2));
  }
});
