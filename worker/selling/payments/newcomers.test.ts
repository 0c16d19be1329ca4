/** docs/failures.md, rows 2 and 26: providers who keep leads off the market without a card, across regions. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import { attention, payments } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";
import {
  buyer,
  readStatusAndCode,
  expectBackOnMarket,
  expectSold,
  endHold,
  listedLead,
  runAlarm,
  stripe,
  typeCard,
} from "../../../testing/cards.ts";
import { callWith, db, testEnv } from "../../../testing/client.ts";
import { leadRow, paymentsFor, problemsOf, setUser } from "../../../testing/facts.ts";
import { countingDb } from "../../../testing/counting-db.ts";

beforeEach(() => stripe.clearFaults());

const NEWCOMER = { isVerified: false };
/** The limits by network apply only if there is a hash key. */
const COUNTED = { ORIGIN_HASH_KEY: "newcomers" };
const INNER_WEST = undefined;
const NORTH = "5 Sand Road, Manly NSW 2095";
const WEST = "5 River Road, Parramatta NSW 2150";

/** Returns how long a business may hold a lead, in seconds, as shown to the buyer. */
async function secondsFor(who: Awaited<ReturnType<typeof buyer>>, leadId: string): Promise<number> {
  const opened = await who.opened(leadId);
  const left = Math.round((opened.holdExpiresAt - opened.serverNow) / 1000);
  expect(Math.abs(opened.holdMs / 1000 - left)).toBeLessThanOrEqual(2);
  return opened.holdMs / 1000;
}

test("row 26: a business without payments or history has 90 seconds, any other five minutes", async () => {
  expect(await secondsFor(await buyer(NEWCOMER), await listedLead())).toBe(90);
  expect(await secondsFor(await buyer({ isVerified: true }), await listedLead())).toBe(300);
  expect(await secondsFor(await buyer({ ...NEWCOMER, isSuperAdmin: true }), await listedLead())).toBe(300);
});

test("row 26: a first purchase is enough trust for the next; a declined card is not", async () => {
  const pat = await buyer(NEWCOMER);
  const [first, second, third] = [await listedLead(), await listedLead(), await listedLead()];
  const opened = await pat.opened(first);
  await typeCard(opened, "4000000000000002");
  expect(await readStatusAndCode(await pat.open(second))).toEqual([409, "newcomer_limit"]);
  expect(stripe.intentsOf(second)).toEqual([]);
  await typeCard(opened, "4242424242424242");
  expect((await pat.settle(opened.holdId)).status).toBe("sold");
  await expectSold(first, pat.user.id, opened.holdId);
  expect(await secondsFor(pat, second)).toBe(300);
  expect(await secondsFor(pat, third)).toBe(300);
});

/** Holds leads for new providers in parallel, each from its own network. @returns each provider's answer and hold */
async function takeFrom(addresses: string[], leadIds: string[], changed: Partial<Bindings>) {
  const providers = await Promise.all(addresses.map(() => buyer(NEWCOMER)));
  return Promise.all(
    providers.map(async (pat, i) => {
      const response = await callWith({ ...COUNTED, ...changed }, "POST", "/api/exchange/holds", {
        cookie: pat.as.cookie,
        body: { leadId: leadIds[i], amount: 5000 },
        headers: { "CF-Connecting-IP": addresses[i]! },
      });
      const body = (await response.json()) as { holdId?: string; code?: string };
      return { pat, leadId: leadIds[i]!, result: body.code ?? "held", holdId: body.holdId ?? "" };
    }),
  );
}

const leadsAt = (addresses: (string | undefined)[]) => Promise.all(addresses.map((at) => listedLead(at)));
const heldOf = (results: Awaited<ReturnType<typeof takeFrom>>) =>
  results.filter((one) => one.result === "held");

test.each([
  ["two from one /56", 2, (n: number) => `2001:db8:77:4${n.toString(16)}::${n}`],
  ["four from one /48", 4, (n: number) => `2001:db8:78:${n.toString(16)}00::1`],
  ["four from one IPv4 address", 4, () => "203.0.113.7"],
])(
  "row 26: of new providers who take leads in three regions at once, %s hold one",
  async (_, most, address) => {
    const numbers = Array.from({ length: 9 }, (_, i) => i);
    const leadIds = await leadsAt(numbers.map((n) => [INNER_WEST, NORTH, WEST][n % 3]));
    const results = await takeFrom(numbers.map(address), leadIds, {});
    const held = heldOf(results);
    expect(held).toHaveLength(most);
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(["held", "newcomer_limit"]));
    // A known provider on the same network may still hold a lead.
    const known = await buyer();
    const taken = await callWith(COUNTED, "POST", "/api/exchange/holds", {
      cookie: known.as.cookie,
      body: { leadId: results.find(({ result }) => result !== "held")!.leadId, amount: 5000 },
      headers: { "CF-Connecting-IP": address(0) },
    });
    expect(taken.status).toBe(200);
    // Releasing a hold makes room for the next provider, and deletes the network from the ledger.
    await held[0]!.pat.close(held[0]!.holdId);
    const [row] = await db.select().from(payments).where(eq(payments.holdId, held[0]!.holdId));
    expect(row).toMatchObject({ slot: null, newcomer56: null, newcomer48: null });
    expect(heldOf(await takeFrom([address(1)], await leadsAt([WEST]), {}))).toHaveLength(1);
  },
);

test("row 26: new providers hold at most a third of a region's available leads, and the admins see it", async () => {
  await db.delete(attention);
  const address = "5 Hill Road, Penrith NSW 2750";
  const leadIds = await leadsAt(Array(12).fill(address));
  const { region } = await leadRow(leadIds[0]!);
  // Leads that known providers hold do not count as available.
  for (const leadId of leadIds.slice(9)) await (await buyer()).mustTake(leadId);
  const strangers = leadIds.slice(0, 8).map((_, i) => `2001:db8:${(900 + i).toString(16)}::1`);
  const changed = { NEWCOMER_SHARE_PERCENT: "34" };
  const results = await takeFrom(strangers, leadIds, changed);
  expect(heldOf(results)).toHaveLength(3);
  expect(results.filter(({ result }) => result === "newcomer_limit")).toHaveLength(5);
  expect(stripe.intentsOf(leadIds[0]!)).toEqual([]);
  const [report] = await problemsOf(region);
  expect(report).toMatchObject({ kind: "newcomer_share" });
  const known = await buyer();
  const free = results.find(({ result }) => result !== "held")!.leadId;
  expect((await known.take(free)).status).toBe(200);
  // In a region with few leads, new providers may hold one of them.
  const few = await leadsAt(["5 Hunter Street, Newcastle NSW 2300", "7 Hunter Street, Newcastle NSW 2300"]);
  expect(heldOf(await takeFrom(strangers.slice(0, 2), few, changed))).toHaveLength(1);
});

test("row 26: a provider whose verification was just revoked has 90 seconds, despite the isolate's cache", async () => {
  const [taken, leadId] = [await listedLead(), await listedLead()];
  await (await buyer()).opened(taken);
  const pat = await buyer({ isVerified: true });
  // A losing claim leaves the session in the cache.
  expect(await readStatusAndCode(await pat.open(taken))).toEqual([409, "lead_taken"]);
  await setUser(pat.user.id, { isVerified: false });
  expect(await secondsFor(pat, leadId)).toBe(90);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  expect(await paymentsFor(leadId)).toHaveLength(1);
});

test("row 26: a new provider's losing claim costs D1 nothing", async () => {
  const leadId = await listedLead();
  await (await buyer()).opened(leadId);
  const pat = await buyer(NEWCOMER);
  await pat.open(leadId);
  const { db: counting, cost } = countingDb(testEnv.DB);
  const body = { leadId, amount: 5000 };
  const lost = await callWith({ DB: counting }, "POST", "/api/create-payment-intent", {
    cookie: pat.as.cookie,
    body,
  });
  expect(await readStatusAndCode(lost)).toEqual([409, "lead_taken"]);
  expect(cost).toEqual({ calls: 0, statements: 0, rowsRead: 0 });
});

test("row 26: a wait begins when a lead is released, not when it was held", async () => {
  const pat = await buyer();
  const addresses = [INNER_WEST, NORTH, WEST];
  const { now } = Date;
  const at = (minutes: number) => vi.spyOn(Date, "now").mockImplementation(() => now() + minutes * 60_000);
  const leadIds = await leadsAt(addresses);
  for (const leadId of leadIds) {
    at(0);
    const { holdId } = await pat.mustTake(leadId);
    at(4);
    expect((await pat.close(holdId)).status).toBe(204);
  }
  const other = await listedLead("5 Hill Road, Penrith NSW 2750");
  // The wait is fifteen minutes for any lead. The ten minutes for this lead have passed.
  at(18.5);
  const early = await (await pat.take(other)).json();
  at(19.5);
  const late = await pat.take(other);
  vi.restoreAllMocks();
  expect(early).toMatchObject({ status: 409, code: "hold_waiting" });
  expect(early).toMatchObject({ detail: expect.stringContaining("You released several leads") });
  expect(late.status).toBe(200);
});

test("row 26: a wait for the same lead begins when it is released", async () => {
  const pat = await buyer();
  const { now } = Date;
  const at = (minutes: number) => vi.spyOn(Date, "now").mockImplementation(() => now() + minutes * 60_000);
  const leadId = await listedLead();
  const { holdId } = await pat.mustTake(leadId);
  at(4);
  await pat.close(holdId);
  at(13.5);
  const early = await readStatusAndCode(await pat.take(leadId));
  at(14.5);
  const late = await pat.take(leadId);
  vi.restoreAllMocks();
  expect([early, late.status]).toEqual([[409, "hold_waiting"], 200]);
});

test("row 26: the admins see a lead that three businesses abandoned, but not one that two did", async () => {
  const leadId = await listedLead();
  const shown = () => problemsOf(leadId);
  for (const n of [1, 2, 3]) {
    expect(await shown()).toEqual([]);
    const { holdId } = await (await buyer(NEWCOMER)).opened(leadId);
    await endHold(leadId);
    await runAlarm(leadId);
    expect(await db.select().from(payments).where(eq(payments.holdId, holdId)), `hold ${n}`).toMatchObject([
      { releasedAt: expect.any(Number), succeededAt: null },
    ]);
  }
  expect(await shown()).toMatchObject([
    {
      kind: "held_in_vain",
      detail: "3 businesses reserved this lead and released it again",
      resolvedAt: null,
    },
  ]);
  // The lead is still for sale.
  await expectBackOnMarket(leadId);
});

test("row 26: one business that abandons a lead repeatedly counts once", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.opened(leadId);
  await pat.close(holdId);
  await runAlarm(leadId);
  await db.insert(payments).values(
    [1, 2, 3].map((n) => ({
      id: `pay_again${n}${leadId.slice(-8)}`,
      holdId: `hold_again${n}${leadId.slice(-8)}`,
      leadId,
      region: "inner-west" as const,
      buyerId: pat.user.id,
      userId: pat.user.id,
      state: "cancelled" as const,
      amountCents: 5000,
      releasedAt: 1,
      createdAt: 1,
      updatedAt: 1,
    })),
  );
  const rival = await buyer();
  await rival.close((await rival.opened(leadId)).holdId);
  await runAlarm(leadId);
  expect(await problemsOf(leadId)).toEqual([]);
});

test("row 2: of two concurrent claims in two regions with one key, one gets a hold", async () => {
  const [one, other] = [await listedLead(INNER_WEST), await listedLead(NORTH)];
  const pat = await buyer();
  const results = await Promise.all([pat.open(one, "both"), pat.open(other, "both")]);
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect([...stripe.intentsOf(one), ...stripe.intentsOf(other)]).toHaveLength(1);
});
