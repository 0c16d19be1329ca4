import { expect, test } from "vitest";

import { formatPeriod } from "./format-period.ts";

test.each([
  [365, "after one year"],
  [366, "after one year"],
  [730, "after two years"],
  [2557, "after seven years"],
  [3653, "after 10 years"],
  [90, "after 90 days"],
  [1, "after 1 day"],
  [0, "when you ask us to"],
])("formats %i days as: %s", (days, words) => {
  expect(formatPeriod(days)).toBe(words);
});
