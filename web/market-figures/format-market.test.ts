import { expect, test } from "vitest";

import { formatDay, formatPeriodLength, formatTrend } from "./format-market.ts";

test("formats days, durations and trends", () => {
  expect(formatDay("2026-11-22")).toBe("22 Nov");
  expect(formatDay("2026-11-22", true)).toBe("Sun 22 Nov");
  expect(formatPeriodLength(20 * 60_000)).toBe("20 min");
  expect(formatPeriodLength(47 * 3_600_000)).toBe("47 h");
  expect(formatPeriodLength(72 * 3_600_000)).toBe("3 days");
  expect(formatTrend(12, 10)).toBe("up 20%");
  expect(formatTrend(0, 10)).toBe("down 100%");
  expect(formatTrend(1000, 1001)).toBe("about the same as before");
  expect(formatTrend(3, 0)).toBe("none before");
  expect(formatTrend(0, 0)).toBe("the same as before");
});
