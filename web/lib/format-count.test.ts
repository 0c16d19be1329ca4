import { expect, test } from "vitest";

import { formatCount } from "./format-count.ts";

test.for([
  [0, "0"],
  [999, "999"],
  [1_204, "1,204"],
  [1_000_000, "1,000,000"],
] as const)("formats %i as %s", ([count, words]) => {
  expect(formatCount(count)).toBe(words);
});
