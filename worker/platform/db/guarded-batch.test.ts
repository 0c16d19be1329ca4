/** A batch with a guard writes all or nothing. */
import { expect, test } from "vitest";

import { db } from "../../../testing/client.ts";
import {
  countGuardRows,
  isFactsChanged,
  readPrice,
  setPriceInRaces,
  setPrices,
} from "../../../testing/guarded-batch.ts";
import { insertPendingLead } from "../../../testing/world.ts";

const { id } = await insertPendingLead(db);

test("a batch whose guard holds writes every statement and returns their results", async () => {
  const results = await setPrices(id, await readPrice(id), [4000, 4100]);
  expect(results).toEqual([[{ cents: 4000 }], [{ cents: 4100 }]]);
  expect(await countGuardRows()).toBe(0);
});

test("a batch whose guard does not hold writes nothing", async () => {
  const was = await readPrice(id);
  const error = await setPrices(id, was + 1, [4200, 4300]).catch((thrown: unknown) => thrown);
  expect(isFactsChanged(error)).toBe(true);
  expect(await readPrice(id)).toBe(was);
  expect(await countGuardRows()).toBe(0);
});

test("another error of a batch is not taken for a failed guard, and writes nothing either", async () => {
  const was = await readPrice(id);
  await expect(setPrices(id, was, [4200, -1])).rejects.toThrow(/leads_price_in_range/);
  expect(await readPrice(id)).toBe(was);
});

test("a command that lost a race reads and decides again, three times at most", async () => {
  expect(await setPriceInRaces(id, 9000, 2)).toEqual({ attempts: 3, isWritten: true });
  expect(await readPrice(id)).toBe(9000);
  expect(await setPriceInRaces(id, 9500, 3)).toEqual({ attempts: 3, isWritten: false });
  expect(await readPrice(id)).toBe(9003);
});
