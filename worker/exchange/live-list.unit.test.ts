import { expect, test } from "vitest";

import { comeBackWithinMs } from "./live-list.ts";

test("with more windows, reconnecting takes longer, up to a minute", () => {
  expect([0, 100, 5_000, 30_000, 300_000].map(comeBackWithinMs)).toEqual([0, 200, 10_000, 60_000, 60_000]);
});
