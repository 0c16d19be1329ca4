/** Tests that an exchange wakes for its timers after a crash, and after an alarm was lost. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
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
  timersOf,
  useStripeStandIn,
} from "../../testing/cards.ts";
import { holdOrder } from "../../testing/orders.ts";
import type { LeadExchange } from "../durable-objects/lead-exchange.ts";

beforeEach(() => stripe.clearFaults());

const timerKindsOf = async (leadId: string) => (await timersOf(leadId)).map(({ kind }) => kind);

const loseAlarm = () => runInDurableObject(exchange, (_, { storage }) => storage.deleteAlarm());

const alarmAt = () => runInDurableObject(exchange, (_, { storage }) => storage.getAlarm());

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

test("row 35: the alarm is set in the same turn as the change that needs it, so both are committed or neither", async () => {
  const leadId = await listedLead();
  const { user } = await buyer();
  await runInDurableObject(exchange, async (object, { storage }) => {
    const decided = (object as unknown as LeadExchange).decide(holdOrder(leadId, user));
    // Read before any other task runs. Nothing that the object does later can be in this answer.
    const alarm = await storage.getAlarm();
    const first = storage.sql.exec<{ at: number }>("SELECT min(at) AS at FROM due").one().at;
    expect(alarm).toBe(first);
    expect(await decided).toMatchObject({ ok: true });
  });
});

test("row 35: an object that is ended right after a change has stored both the hold and its alarm, or neither", async () => {
  const leadId = await listedLead();
  const { user } = await buyer();
  await runInDurableObject(exchange, async (object, state) => {
    void (object as unknown as LeadExchange).decide(holdOrder(leadId, user)).catch(() => {});
    state.abort("The machine is gone");
  }).catch(() => {});
  useStripeStandIn();
  const stored = await listingOf(leadId);
  const first = await runInDurableObject(
    exchange,
    (_, { storage }) => storage.sql.exec<{ at: number }>("SELECT min(at) AS at FROM due").one().at,
  );
  expect(stored.hold === null ? ["expire"] : ["announce", "expire", "hold"]).toEqual(
    await timerKindsOf(leadId),
  );
  expect(await alarmAt()).toBe(first);
});

test("row 35: an object that wakes sets a lost alarm again", async () => {
  const stuck = await releasing();
  await loseAlarm();
  await evictDurableObject(exchange);
  stripe.clearFaults();
  expect(await alarmAt()).not.toBeNull();
  await runAlarm(stuck);
  await expectBackOnMarket(stuck);
});
