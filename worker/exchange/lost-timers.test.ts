/** Tests that an exchange restores lost timer rows, so that leads do not get stuck. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";

import {
  buyer,
  exchange,
  expectBackOnMarket,
  endHold,
  listedLead,
  listingOf,
  runAlarm,
  stripe,
  sweep,
} from "../../testing/cards.ts";

beforeEach(() => stripe.clearFaults());

/** Returns the kinds of timers that are set for a lead. */
const dueOf = (leadId: string) =>
  runInDurableObject(exchange, (_, { storage }) =>
    storage.sql
      .exec<{ kind: string }>("SELECT kind FROM due WHERE key = ? ORDER BY kind", leadId)
      .toArray()
      .map(({ kind }) => kind),
  );

const loseTimers = (leadId: string) =>
  runInDurableObject(exchange, async (_, { storage }) => {
    storage.sql.exec("DELETE FROM due WHERE key = ?", leadId);
    await storage.deleteAlarm();
  });

/** Creates an ended hold with a payment that could not be cancelled yet. Returns the lead's ID. */
async function releasing(): Promise<string> {
  const pat = await buyer();
  const leadId = await listedLead();
  await pat.opened(leadId);
  await endHold(leadId);
  stripe.fail("cancel", "busy");
  await runAlarm(leadId, 1);
  await runAlarm(leadId, 1);
  expect(await listingOf(leadId)).toMatchObject({ state: "releasing" });
  return leadId;
}

test("a timer kind that only another release knows is kept, and does not wake the object immediately", async () => {
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec("INSERT INTO due (kind, key, at) VALUES ('of_a_later_release', 'region', 1)");
    return storage.setAlarm(Date.now());
  });
  const started = Date.now();
  await runDurableObjectAlarm(exchange);
  const at = await runInDurableObject(
    exchange,
    (_, { storage }) =>
      storage.sql.exec<{ at: number }>("SELECT at FROM due WHERE kind = 'of_a_later_release'").one().at,
  );
  expect(at).toBeGreaterThan(started + 30 * 60_000);
});

test("row 35: an object that wakes restores every missing timer", async () => {
  const open = await listedLead();
  const held = await listedLead();
  await (await buyer()).opened(held);
  const stuck = await releasing();
  for (const leadId of [open, held, stuck]) await loseTimers(leadId);
  await evictDurableObject(exchange);
  expect(await dueOf(open)).toEqual(["expire"]);
  expect(await dueOf(held)).toEqual(["hold"]);
  expect(await dueOf(stuck)).toEqual(["release"]);
  stripe.clearFaults();
  expect(await runDurableObjectAlarm(exchange)).toBe(true);
  await expectBackOnMarket(stuck);
});

test("row 35: a payment to be cancelled is cancelled even if its timer was lost, because the sweep triggers it", async () => {
  const stuck = await releasing();
  await loseTimers(stuck);
  stripe.clearFaults();
  await sweep();
  expect(await dueOf(stuck)).toEqual(["release"]);
  await runDurableObjectAlarm(exchange);
  await expectBackOnMarket(stuck);
});
