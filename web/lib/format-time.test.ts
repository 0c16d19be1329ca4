import { expect, test } from "vitest";

import { formatAge } from "./format-time.ts";

const MINUTE = 60_000;
const now = Date.UTC(2026, 10, 21, 1);

test.each([
  [59 * MINUTE, "New"],
  [60 * MINUTE, "1 hour ago"],
  [23 * 60 * MINUTE, "23 hours ago"],
  [24 * 60 * MINUTE, "1 day ago"],
  [6.9 * 24 * 60 * MINUTE, "6 days ago"],
  [7 * 24 * 60 * MINUTE, "14 Nov 2026"],
])("formats an age of %i ms as %s", (age, words) => {
  expect(formatAge(now - age, now)).toBe(words);
});
