/** docs/failures.md, payment: each test's name begins with its row. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test, vi } from "vitest";
import {
  buyer,
  readStatusAndCode,
  eventsOf,
  exchange,
  expectBackOnMarket,
  expectSold,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  purchaseOf,
  runAlarm,
  stripe,
  sweep,
  webhook,
} from "../../../testing/cards.ts";
import { testEnv } from "../../../testing/client.ts";
import { problemsOf } from "../../../testing/facts.ts";
import { eventually } from "../../../testing/eventually.ts";

beforeEach(() => stripe.clearFaults());

test("a valid card buys the lead, and the buyer gets all details", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId, publishableKey, holdExpiresAt } = await pat.opened(leadId);
  expect(publishableKey).toBe("pk_test_naturestrip");
  expect(holdExpiresAt - Date.now()).toBeGreaterThan(4.9 * 60_000);
  expect((await pat.settle(holdId)).status).toBe("open");
  stripe.confirm(intentId, "good");
  const form = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  const response = await pat.as("POST", "/api/payments/settle", { holdId, buyer: form });
  expect(await response.json()).toMatchObject({
    status: "sold",
    purchase: { customerPhone: "02 5550 0123", amountPaid: "50.00", buyerName: "Pat" },
  });
  await expectSold(leadId, pat.user.id, holdId);
  expect(await eventsOf(leadId)).toEqual(["listed", "held", "gone"]);
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "already_bought"]);
});

test("row 7: after a declined card the buyer can retry the same payment", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "declined");
  expect((await webhook("payment_intent.payment_failed", intentId)).status).toBe(200);
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  expect(await paymentOf(holdId)).toMatchObject({ state: "pending", slot: 1, lastError: "card_declined" });
  expect((await pat.opened(leadId)).intentId).toBe(intentId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  await expectSold(leadId, pat.user.id, holdId);
});

test("row 8: 3-D Secure still open when the hold ends: cancelled, released, and the buyer sees why", async () => {
  const leadId = await listedLead();
  const [pat, rival] = [await buyer(), await buyer()];
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "asks");
  await endHold(leadId);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  expect(stripe.confirm(intentId, "good")).toBe(false);
  expect(await pat.settle(holdId)).toEqual({ status: "cancelled", purchase: null });
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
  // Another provider may hold the lead, and the first buyer must wait.
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "hold_waiting"]);
  expect((await rival.open(leadId)).status).toBe(200);
});

test("row 9: a payment that succeeds as the alarm fires is a sale", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await endHold(leadId);
  stripe.runDuringNext("cancel", () => void stripe.confirm(intentId, "good"));
  await runAlarm(leadId, 3);
  await expectSold(leadId, pat.user.id, holdId);
});

test.each(["busy", "broken", "lost", "unheard", "locked"] as const)(
  "row 10: a cancellation that is %s blocks the next buyer until it is certain",
  async (fault) => {
    const leadId = await listedLead();
    const [pat, rival] = [await buyer(), await buyer()];
    await pat.opened(leadId);
    await endHold(leadId);
    stripe.fail("cancel", fault);
    stripe.fail("retrieve", fault);
    await runAlarm(leadId);
    expect(await listingOf(leadId)).toMatchObject({ state: "releasing", hold: { release: { attempts: 1 } } });
    expect(await readStatusAndCode(await rival.open(leadId))).toEqual([409, "lead_taken"]);
    stripe.clearFaults();
    await runAlarm(leadId);
    await expectBackOnMarket(leadId);
  },
);

test("row 10: one slow cancellation delays no other row", async () => {
  const [slow, other] = [await listedLead(), await listedLead()];
  await (await buyer()).opened(slow);
  await (await buyer()).opened(other);
  await endHold(slow);
  await endHold(other);
  await runAlarm(slow, 1);
  const answered = Promise.withResolvers<void>();
  stripe.runDuringNext("cancel", () => answered.promise);
  // Skip the alarm's own delays. Stripe never responds.
  const waits = vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);
  await runAlarm(slow, 1);
  expect(waits).toHaveBeenCalled();
  for (const [ms] of waits.mock.calls) expect(ms).toBeLessThanOrEqual(1_000);
  vi.restoreAllMocks();
  await runAlarm(other);
  await expectBackOnMarket(other);
  expect(await listingOf(slow)).toMatchObject({ state: "releasing" });
  answered.resolve();
  await eventually(() => expectBackOnMarket(slow));
});

test("row 10: the admins see a payment that cannot be cancelled for ten minutes", async () => {
  const leadId = await listedLead();
  await (await buyer()).opened(leadId);
  await endHold(leadId);
  stripe.fail("cancel", "busy", "busy");
  await runAlarm(leadId);
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec(
      "UPDATE holds SET hold = json_set(hold, '$.release.since', ?) WHERE lead_id = ?",
      Date.now() - 11 * 60_000,
      leadId,
    );
  });
  await runAlarm(leadId, 1);
  const [report] = await problemsOf(leadId);
  expect(report).toMatchObject({ kind: "release_stuck" });
});

test.each([true, false])(
  "row 11: the exchange waits for a payment in processing (ends paid: %s)",
  async (isPaid) => {
    const leadId = await listedLead();
    const pat = await buyer();
    const { holdId, intentId } = await pat.opened(leadId);
    stripe.confirm(intentId, "slow");
    expect((await pat.settle(holdId)).status).toBe("processing");
    expect(await paymentOf(holdId)).toMatchObject({ state: "processing", slot: 1 });
    await endHold(leadId);
    await runAlarm(leadId, 3);
    expect(await listingOf(leadId)).toMatchObject({ state: "releasing" });
    stripe.finish(intentId, isPaid);
    await runAlarm(leadId);
    if (isPaid) await expectSold(leadId, pat.user.id, holdId);
    else await expectBackOnMarket(leadId);
  },
);

test("row 12: an alarm that fires twice, or late, changes nothing; a lost one is made up for", async () => {
  const leadId = await listedLead();
  const [pat, rival] = [await buyer(), await buyer()];
  await pat.opened(leadId);
  await runAlarm(leadId);
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  await endHold(leadId);
  // The rival's claim ends the expired hold and the payment is cancelled.
  expect(await readStatusAndCode(await rival.open(leadId))).toEqual([409, "lead_taken"]);
  await runAlarm(leadId, 4);
  await expectBackOnMarket(leadId);
  expect((await eventsOf(leadId)).filter((kind) => kind === "returned")).toHaveLength(1);

  const { holdId } = await rival.opened(leadId);
  await endHold(leadId);
  await runInDurableObject(exchange, async (_, { storage }) => {
    storage.sql.exec("DELETE FROM due");
    await storage.deleteAlarm();
  });
  await sweep();
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
});

test("row 22: sold, but D1 fails: the buyer has the details, and the outbox writes later", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  await testEnv.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON lead_purchases BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  await testEnv.DB.exec(
    "CREATE TRIGGER broken_ledger BEFORE UPDATE ON payments BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  const settled = await pat.settle(holdId);
  expect(settled).toMatchObject({ status: "sold", purchase: { customerPhone: "02 5550 0123" } });
  expect(await purchaseOf(leadId)).toBeNull();
  await testEnv.DB.exec("DROP TRIGGER broken");
  await testEnv.DB.exec("DROP TRIGGER broken_ledger");
  await runAlarm(leadId);
  await sweep();
  await expectSold(leadId, pat.user.id, holdId);
  expect((await purchaseOf(leadId))!.id).toBe(settled.purchase!.id);
});

test("row 13: an exchange evicted midway continues from its storage", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await evictDurableObject(exchange);
  expect((await pat.opened(leadId)).intentId).toBe(intentId);
  expect(await runInDurableObject(exchange, (_, { storage }) => storage.getAlarm())).not.toBeNull();
  await endHold(leadId);
  stripe.fail("cancel", "lost");
  await runAlarm(leadId);
  await evictDurableObject(exchange);
  expect(await listingOf(leadId)).toMatchObject({ state: "releasing" });
  stripe.confirm(intentId, "good");
  await runAlarm(leadId);
  await expectSold(leadId, pat.user.id, holdId);
});
