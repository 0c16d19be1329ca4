/** The restore drill. It has its own file because it is slow and can run in parallel with the other drills. */
import { expect, test } from "vitest";

import { drillRestore } from "./restore.ts";

test("row 44: a market restored from a backup stays closed midway and while it differs, then trades with every sale", async () => {
  const found = await drillRestore();
  expect(found.sales).toEqual({ first: 201, since: 201 });
  expect(found.midway).toMatchObject({
    isDone: false,
    isKept: true,
    forgotten: "available",
    signedOut: 401,
    closed: 503,
    other: expect.stringContaining("is not a backup: its first line has no checksum"),
  });
  expect(found.refused).toContain("D1 and the exchanges still differ (1), so the market stays closed");
  expect(found.stillClosed).toBe(503);
  expect([found.isDone, found.isForgotten]).toEqual([true, true]);
  expect(found.restored).toEqual(found.sale);
  expect(found.keptSale).toMatchObject({ status: "sold", amount_paid_cents: 5000 });
  expect(found.again.sold).toBeGreaterThanOrEqual(404);
  expect(found.again.orphan).toBeGreaterThanOrEqual(404);
  expect([found.again.open, found.again.fresh]).toEqual([201, 201]);
  expect(found.paused).toEqual([{ region: "blacktown", reason: "flood" }]);
  console.log(`The restore took ${(found.ms / 1000).toFixed(0)} s, its interruptions included.`);
});
