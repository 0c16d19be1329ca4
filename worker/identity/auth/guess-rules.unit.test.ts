import { expect, test } from "vitest";

import { formatDelay, remainingDelayMs } from "./guess-rules.ts";

const NOW = Date.parse("2026-11-28T09:00:00Z");

test("each failure doubles the delay, from one second up to a minute", () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 2_000].map((failures) =>
    remainingDelayMs({ failures, lastAt: NOW }, NOW),
  );
  expect(delays).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((seconds) => seconds * 1_000));
});

test("the delay starts with the last failure and ends on time", () => {
  const failures = { failures: 5, lastAt: NOW };
  expect(remainingDelayMs(failures, NOW + 15_999)).toBe(1);
  expect(remainingDelayMs(failures, NOW + 16_000)).toBe(0);
  expect(remainingDelayMs(failures, NOW + 60_000)).toBe(0);
});

test("a refusal says how long to wait, and offers a link where email works", () => {
  expect(formatDelay(1, false)).toBe(
    "Someone typed a wrong password for this account. Please try again in 1 second.",
  );
  expect(formatDelay(32, true)).toBe(
    "Someone typed a wrong password for this account. Please try again in 32 seconds, or choose “Forgot password?” for a link by email.",
  );
});
