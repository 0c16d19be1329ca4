import { expect, test } from "vitest";

import { confirmedUntil } from "./sockets.ts";

test("windows that came together come back spread over twenty minutes, by half minutes that share an alarm", () => {
  const now = 1_700_000_000_000;
  const ends = Array.from({ length: 5_000 }, () =>
    confirmedUntil(`ses_${crypto.randomUUID()}`, Infinity, now),
  );
  const half = ends.filter((end) => end < now + 50 * 60_000).length;
  expect(half).toBeGreaterThan(2_000);
  expect(half).toBeLessThan(3_000);
  expect(Math.min(...ends)).toBeGreaterThanOrEqual(now + 39.5 * 60_000);
  expect(Math.max(...ends)).toBeLessThanOrEqual(now + 60 * 60_000);
  expect(new Set(ends).size).toBeLessThanOrEqual(41);
});
