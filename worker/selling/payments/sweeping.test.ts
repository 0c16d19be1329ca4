import { ne } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import type { Region } from "../../../contract/regions.ts";
import { payments } from "../../tables.ts";
import {
  buyer,
  expectSold,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  stripe,
} from "../../../testing/cards.ts";
import { db } from "../../../testing/client.ts";
import { runSweep } from "../../../testing/drivers.ts";
import { insertUser, newId, newLeadId } from "../../../testing/world.ts";

beforeEach(() => stripe.clearFaults());

const LATER_MS = 10 * 60_000;
const HOLD_MS = 5 * 60_000;

/** Each sweep handles 100 of 241 rows, from a random start. Missing a row forty times would not be chance. */
async function sweepUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 40; i++) {
    const { seen } = await runSweep("payment_sweep", Date.now() + LATER_MS);
    expect(seen).toBe(100);
    if (await isDone()) break;
  }
}

test("payments that cannot be settled block no other one, however many and old they are", async () => {
  const { id: buyerId } = await insertUser(db);
  const common = {
    // This region does not exist, so every call for it fails.
    region: "nowhere" as Region,
    buyerId,
    userId: buyerId,
    state: "pending",
    amountCents: 5000,
  } as const;
  // More rows than fit in one sweep, all older than the row under test and always failing.
  const stuck = Array.from({ length: 240 }, () => ({
    ...common,
    id: newId("pay"),
    holdId: newId("hold"),
    leadId: newLeadId("inner-west"),
    stripePaymentIntentId: `pi_gone_${newId("pay")}`,
    createdAt: 1,
    updatedAt: 1,
  }));
  for (let i = 0; i < stuck.length; i += 5) await db.insert(payments).values(stuck.slice(i, i + 5));

  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  await endHold(leadId);
  await sweepUntil(async () => (await listingOf(leadId)).state === "sold");
  await expectSold(leadId, pat.user.id, holdId);
});

test("the sweep settles a payment in processing whose webhook was lost", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "slow");
  expect((await pat.settle(holdId)).status).toBe("processing");
  stripe.finish(intentId, true);
  await sweepUntil(async () => (await listingOf(leadId)).state === "sold");
  await expectSold(leadId, pat.user.id, holdId);
});

test("a lead that a buyer has just held stays held, whatever the sweep finds", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  const { createdAt } = await paymentOf(holdId);
  // Delete the stuck rows, so that every sweep would find the row under test.
  await db.delete(payments).where(ne(payments.holdId, holdId));
  expect(await runSweep("payment_sweep", createdAt + HOLD_MS)).toEqual({ seen: 0, failed: 0 });
  expect(await listingOf(leadId)).toMatchObject({ state: "held", hold: { holdId } });
  expect(await paymentOf(holdId)).toMatchObject({ state: "pending", slot: 1 });
});
