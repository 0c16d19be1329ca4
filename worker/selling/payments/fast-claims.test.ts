/** docs/failures.md, between taking a lead and creating its payment: each test's name begins with its row. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import {
  buyer,
  readStatusAndCode,
  eventsOf,
  expectBackOnMarket,
  expectSold,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  runAlarm,
  stripe,
  UNREACHABLE_STRIPE_URL,
  sweep,
} from "../../../testing/cards.ts";
import { callWith, db, testEnv } from "../../../testing/client.ts";
import { paymentsFor, setPayment } from "../../../testing/facts.ts";
import { countingDb } from "../../../testing/counting-db.ts";
import { eventually } from "../../../testing/eventually.ts";
import { sessions } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";

beforeEach(() => stripe.clearFaults());

type Buyer = Awaited<ReturnType<typeof buyer>>;

const NORTH = "5 Sand Road, Manly NSW 2095";
const WEST = "5 River Road, Parramatta NSW 2150";

function callAs({ as }: Buyer, path: string, leadId: string, changed: Partial<Bindings>) {
  return callWith(changed, "POST", path, { cookie: as.cookie, body: { leadId, amount: 5000 } });
}

/** Returns a buyer with a cached session, from a recent call. */
async function buyerWithWindow(): Promise<Buyer> {
  const present = await buyer();
  expect((await callWith({}, "GET", "/api/auth/me", { cookie: present.as.cookie })).status).toBe(200);
  return present;
}

/** Waits until the slot is free: an expired hold's row is closed in the background. */
async function expectSlotFree(holdId: string) {
  await eventually(async () => expect(await paymentOf(holdId)).toMatchObject({ slot: null }));
}

test("a lead is taken without Stripe, with one call to D1; the next call creates its payment", async () => {
  const leadId = await listedLead();
  const pat = await buyerWithWindow();
  const { db: counting, cost } = countingDb(testEnv.DB);
  const taken = await callAs(pat, "/api/exchange/holds", leadId, {
    DB: counting,
    STRIPE_API_HOST: UNREACHABLE_STRIPE_URL,
  });
  expect(taken.status).toBe(200);
  // Inserts the ledger's row, and enqueues the warning before the hold expires.
  expect(cost).toMatchObject({ calls: 1, statements: 2 });
  const hold = (await taken.json()) as Awaited<ReturnType<Buyer["mustTake"]>>;
  expect(hold).toMatchObject({ holdMs: 300_000, amountCents: 5000 });
  expect(hold).not.toHaveProperty("clientSecret");
  expect(stripe.intentsOf(leadId)).toEqual([]);
  const opened = await pat.opened(leadId);
  expect(opened).toMatchObject({ holdId: hold.holdId, holdExpiresAt: hold.holdExpiresAt });
  expect(await eventsOf(leadId)).toEqual(["listed", "held"]);
  stripe.confirm(opened.intentId, "good");
  expect((await pat.settle(hold.holdId)).status).toBe("sold");
  await expectSold(leadId, pat.user.id, hold.holdId);
});

test("row 1: of ten who take a lead at once one gets it, the others are refused immediately and cost D1 nothing", async () => {
  const leadId = await listedLead();
  const rivals = await Promise.all(Array.from({ length: 10 }, () => buyer()));
  const results = await Promise.all(rivals.map(({ take }) => take(leadId)));
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  expect(await paymentsFor(leadId)).toHaveLength(1);
  const late = await buyerWithWindow();
  const { db: counting, cost } = countingDb(testEnv.DB);
  const lost = await callAs(late, "/api/exchange/holds", leadId, { DB: counting });
  expect(await readStatusAndCode(lost)).toEqual([409, "lead_taken"]);
  expect(cost.statements).toBe(0);
});

test("row 2: a second window takes the same hold, and both share one payment", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const [one, two] = [await pat.mustTake(leadId), await pat.mustTake(leadId)];
  expect(two.holdId).toBe(one.holdId);
  const [first, second] = await Promise.all([pat.opened(leadId), pat.opened(leadId)]);
  expect(first).toMatchObject({ holdId: one.holdId, clientSecret: second.clientSecret });
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  expect(await readStatusAndCode(await (await buyer()).open(leadId))).toEqual([409, "lead_taken"]);
});

test("row 2: a claim key that took one lead cannot take another, or open another one's payment", async () => {
  const [one, near, other] = [await listedLead(), await listedLead(), await listedLead(NORTH)];
  const pat = await buyer();
  expect((await pat.take(one, "key-1")).status).toBe(200);
  for (const leadId of [near, other])
    expect(await readStatusAndCode(await pat.take(leadId, "key-1"))).toEqual([422, "key_reused"]);
  const taken = await listedLead();
  await (await buyer()).mustTake(taken);
  expect(await readStatusAndCode(await pat.take(taken, "key-1"))).toEqual([409, "lead_taken"]);
  const { holdId } = await pat.mustTake(other);
  expect(await readStatusAndCode(await pat.open(other, "key-1"))).toEqual([422, "key_reused"]);
  expect(stripe.intentsOf(other)).toEqual([]);
  expect(await pat.opened(other)).toMatchObject({ holdId });
  expect((await pat.open(one, "key-1")).status).toBe(200);
  // The refused lead stays available, and another business may use the same key.
  expect((await (await buyer()).take(near, "key-1")).status).toBe(200);
});

test("row 26: a lead taken without a payment counts as one of two, across all regions", async () => {
  const pat = await buyer();
  for (const address of [undefined, NORTH]) await pat.mustTake(await listedLead(address));
  const third = await listedLead(WEST);
  expect(await readStatusAndCode(await pat.take(third))).toEqual([409, "too_many_holds"]);
  expect(await readStatusAndCode(await pat.open(third))).toEqual([409, "too_many_holds"]);
});

test("row 46: a lost payment call leaves the hold, and the next call finds it", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  stripe.fail("create", "unheard", "lost");
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([502, "payment_failed"]);
  expect(await listingOf(leadId)).toMatchObject({ state: "held", hold: { holdId, paymentIntentId: null } });
  stripe.clearFaults();
  const opened = await pat.opened(leadId);
  expect(opened.holdId).toBe(holdId);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  stripe.confirm(opened.intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect(await paymentOf(holdId)).toMatchObject({ state: "succeeded", lastError: null });
});

test.each(["refused", "lost"] as const)(
  "row 46: a payment call that is %s at Stripe causes no wait, and never ends the earlier call's hold",
  async (how) => {
    const leadId = await listedLead();
    const pat = await buyer();
    const { holdId } = await pat.mustTake(leadId);
    stripe.fail("create", how, how);
    expect(await readStatusAndCode(await pat.open(leadId))).toEqual([502, "payment_failed"]);
    expect(await listingOf(leadId)).toMatchObject({ state: "held", hold: { holdId } });
    stripe.clearFaults();
    expect((await pat.close(holdId)).status).toBe(204);
    await expectBackOnMarket(leadId);
    expect(await paymentOf(holdId)).toMatchObject({ slot: null, releasedAt: null });
    expect((await pat.take(leadId)).status).toBe(200);
  },
);

test("row 46: a hold that expires because Stripe does not respond does not count as a release", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  stripe.fail("create", "lost", "lost");
  expect((await pat.open(leadId)).status).toBe(502);
  stripe.clearFaults();
  await endHold(leadId);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  await expectSlotFree(holdId);
  await sweep();
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null, releasedAt: null });
});

test("row 46: closed in one window while another one created its payment, the hold counts as released", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  stripe.fail("create", "lost", "lost");
  expect((await pat.open(leadId)).status).toBe(502);
  stripe.clearFaults();
  const { intentId } = await pat.opened(leadId);
  expect((await pat.close(holdId)).status).toBe(204);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  expect(stripe.intents.get(intentId)).toMatchObject({ status: "canceled" });
  expect(await paymentOf(holdId)).toMatchObject({ releasedAt: expect.any(Number) });
});

test("row 47: a window that closes before its payment releases the lead; the payment is cancelled", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  stripe.runDuringNext("create", async () => {
    expect((await pat.close(holdId)).status).toBe(204);
  });
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "hold_ended"]);
  await expectBackOnMarket(leadId);
  // A later payment call does not hold the lead again.
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "hold_waiting"]);
  await sweep();
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
});

test("row 47: after a window disappears, the lead returns when its hold expires; the sweep frees the slot if D1 was down", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  await endHold(leadId);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  await eventually(async () =>
    expect(await paymentOf(holdId)).toMatchObject({ slot: null, releasedAt: expect.any(Number) }),
  );
  expect((await pat.settle(holdId)).status).toBe("cancelled");
  // Simulate a lost message from the exchange.
  const openRow = { slot: 1, releasedAt: null, lastError: null };
  await setPayment(holdId, openRow);
  await sweep();
  expect(await paymentOf(holdId)).toMatchObject({
    state: "cancelled",
    slot: null,
    releasedAt: expect.any(Number),
  });
});

test("row 48: a hold that ends while its payment is opened: cancelled, 409, and a rival may have it", async () => {
  const leadId = await listedLead();
  const [pat, rival] = [await buyer(), await buyer()];
  await pat.mustTake(leadId);
  const { now } = Date;
  stripe.runDuringNext("create", async () => {
    vi.spyOn(Date, "now").mockImplementation(() => now() + 300_001);
    await rival.mustTake(leadId);
  });
  const result = await readStatusAndCode(await pat.open(leadId));
  vi.restoreAllMocks();
  expect(result).toEqual([409, "hold_ended"]);
  expect(stripe.intentsOf(leadId)).toMatchObject([{ status: "canceled" }]);
  expect(await listingOf(leadId)).toMatchObject({ state: "held", hold: { businessId: rival.user.id } });
});

test("row 48: a hold without its slot in the ledger gets no payment", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  await setPayment(holdId, { slot: null });
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "hold_ended"]);
  expect(stripe.intentsOf(leadId)).toEqual([]);
});

test("row 48: a session that ends in between gets no secret, and the hold expires", async () => {
  const leadId = await listedLead();
  const pat = await buyerWithWindow();
  await pat.mustTake(leadId);
  await db.delete(sessions).where(eq(sessions.userId, pat.user.id));
  const result = await pat.open(leadId);
  expect(result.status).toBe(401);
  expect(await result.text()).not.toContain("_secret");
  expect(stripe.intentsOf(leadId)).toEqual([]);
});
