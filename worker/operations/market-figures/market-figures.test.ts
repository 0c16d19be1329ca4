/** Compares the market's figures with the queries in docs/figures.md. */
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { MarketFigures, MarketPeriod } from "../../../contract/market-figures.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import figuresPage from "../../../docs/figures.md?raw";
import { insertAdmin } from "../../../testing/admins.ts";
import { db, testEnv } from "../../../testing/client.ts";
import { runSweep, runSweeps } from "../../../testing/drivers.ts";
import { setLead } from "../../../testing/facts.ts";
import {
  insertBadLeadReport,
  insertManualPurchase,
  insertPayment,
  insertPendingLead,
  insertTeamMember,
  insertUser,
  newId,
  sessionCookie,
} from "../../../testing/world.ts";
import { leadPurchases, type leads, marketDays, pausedRegions, sessions, signIns } from "../../tables.ts";

const NOW = Date.now();
const TODAY = sydneyDay(NOW);
const midnight = (daysAgo: number) => startOfSydneyDay(addDays(TODAY, -daysAgo))!;

const { asAdmin } = await insertAdmin();
const read = async () => (await (await asAdmin("GET", "/api/super-admin/market")).json()) as MarketFigures;

const GONE = { listingState: "closed", exchangeVersion: 2 } as const;

/** Inserts a request created at `at`: pending, with the given changes, or sold. */
async function addLead(
  at: number,
  change: Partial<typeof leads.$inferInsert> = {},
  sale?: Partial<typeof leadPurchases.$inferInsert> & { buyerId: string },
): Promise<string> {
  const { id } = await insertPendingLead(db, {}, at);
  const sold = sale
    ? ({ status: "sold", listingState: "closed", exchangeVersion: 2, confirmedBy: "email" } as const)
    : {};
  await setLead(id, { quarantineReasons: [], ...sold, ...change });
  if (!sale) return id;
  await db.insert(leadPurchases).values({
    id: newId("pur"),
    leadId: id,
    boughtByUserId: sale.buyerId,
    buyerName: "Pat",
    mode: "stripe",
    amountPaidCents: 5000,
    paymentStatus: "completed",
    purchasedAt: at + HOUR_MS,
    clockEndsAt: at + DAY_MS,
    updatedAt: at + HOUR_MS,
    ...sale,
  });
  return id;
}

beforeAll(async () => {
  const owner = await insertUser(db, { createdAt: NOW - 90 * DAY_MS });
  const buyerId = owner.id;
  // The last minute of one day and the first minute of the next.
  await addLead(midnight(3) - 1);
  await addLead(midnight(3));
  await addLead(midnight(3) - 1, {}, { buyerId, purchasedAt: midnight(3) });
  // All modes, with times to sale of 1, 3, 7 and 20 hours, in two regions.
  await addLead(midnight(5), {}, { buyerId });
  await addLead(midnight(5), {}, { buyerId, purchasedAt: midnight(5) + 3 * HOUR_MS });
  await addLead(midnight(5), {}, { buyerId, mode: "direct", purchasedAt: midnight(5) + 20 * HOUR_MS });
  await addLead(midnight(6), {}, { buyerId, mode: "claimed", amountPaidCents: 0 });
  await addLead(midnight(6), {}, { buyerId, mode: "assigned", amountPaidCents: 0 });
  await addLead(midnight(6), { region: "blacktown" }, { buyerId, purchasedAt: midnight(6) + 7 * HOUR_MS });
  await addLead(midnight(6), { region: "blacktown" });
  // Called; booked immediately; called and then removed.
  await addLead(
    midnight(9),
    { region: "parramatta" },
    { buyerId, salesStage: "called", calledAt: midnight(8) },
  );
  await addLead(
    midnight(9),
    { region: "parramatta" },
    { buyerId, salesStage: "job_booked", jobBookedAt: midnight(8) },
  );
  await addLead(
    midnight(9),
    { region: "parramatta" },
    { buyerId, calledAt: midnight(8), removedAt: midnight(7) },
  );
  // Called, but refunded; called, but sent by no one.
  await addLead(
    midnight(9),
    { region: "parramatta" },
    { buyerId, calledAt: midnight(8), paymentStatus: "refunded" },
  );
  await addLead(
    midnight(9),
    { region: "parramatta" },
    { buyerId, calledAt: midnight(8), callClock: { state: "over", answer: "never_asked", answeredAt: 1 } },
  );
  // Called by the customer's word only; passed on, then called and booked.
  const clock = { clockEndsAt: midnight(10), updatedAt: midnight(11) };
  await addLead(
    midnight(11),
    { region: "parramatta" },
    { buyerId, ...clock, callClock: { state: "over", answer: "called", answeredAt: midnight(11) + 1 } },
  );
  // An unconfirmed customer's "yes" is no call, and their "not yet" undoes none.
  await addLead(
    midnight(11),
    { region: "parramatta", confirmedBy: null },
    { buyerId, ...clock, callClock: { state: "over", answer: "called", answeredAt: midnight(11) + 1 } },
  );
  await addLead(
    midnight(12),
    { region: "parramatta", confirmedBy: null },
    {
      buyerId,
      ...clock,
      calledAt: midnight(10),
      callClock: { state: "over", answer: "not_yet", answeredAt: midnight(10) + 1 },
    },
  );
  const rescuedFromId = await addLead(
    midnight(11),
    { region: "parramatta" },
    { buyerId, ...clock, callClock: { state: "rescued", answer: "not_yet", answeredAt: midnight(11) + 1 } },
  );
  const later = { calledAt: midnight(10), jobBookedAt: midnight(10), salesStage: "job_booked" } as const;
  await addLead(midnight(11), { region: "parramatta", rescuedFromId }, { buyerId, ...later });
  await db.insert(marketDays).values({ day: addDays(TODAY, -9), pages: 40, forms: 6 });
  // Quarantined and dropped, quarantined and released, expired, withdrawn, pending, and very old.
  const suspicious = { quarantineReasons: ["honeypot"] };
  await addLead(midnight(7), {
    ...suspicious,
    listingState: "closed",
    status: "withdrawn",
    exchangeVersion: 0,
  });
  await addLead(midnight(7), suspicious);
  await addLead(midnight(20), { ...GONE, status: "expired" });
  await addLead(midnight(20), { ...GONE, status: "withdrawn" });
  await db.insert(pausedRegions).values({ region: "macarthur", reason: "test", since: NOW });
  await addLead(NOW - MINUTE_MS, { region: "macarthur" });
  await addLead(midnight(70), {}, { buyerId });
  await addLead(midnight(40), {}, { buyerId, purchasedAt: midnight(2) });
  // A provider's own lead is not part of the market.
  const own = await insertManualPurchase(db, owner, { stage: "called", startedAt: midnight(4) });
  const lead = await addLead(midnight(8));
  await insertPayment(db, owner, lead, { succeededAt: midnight(8) + 1, createdAt: midnight(9) });
  await insertPayment(db, owner, lead, {
    region: "blacktown",
    state: "refunded",
    amountCents: 4950,
    refundedCents: 4950,
    succeededAt: midnight(8) - 1,
    refundedAt: midnight(1),
  });
  await insertPayment(db, owner, lead, { state: "cancelled", succeededAt: null });
  // Partly refunded by hand.
  await insertPayment(db, owner, lead, { refundedCents: 1000, succeededAt: midnight(2) });
  await insertBadLeadReport(db, owner, own, { createdAt: midnight(1) - 1, state: "granted" });
  await addProviders();
  // Two rounds of all sweeps list the requests. Then one sweep counts a few days in each round.
  for (let round = 0; round < 2; round += 1) await runSweeps();
  for (let round = 0; round < 18; round += 1) await runSweep("figure_sweep");
});

/** Inserts a session last used at `at`, without a sign-in record. */
async function seenAt(userId: string, at: number, impersonatorId: string | null = null): Promise<void> {
  await sessionCookie(db, userId);
  await db.update(sessions).set({ lastSeenAt: at, impersonatorId }).where(eq(sessions.userId, userId));
  await db.delete(signIns).where(eq(signIns.userId, userId));
}

/**
 * Inserts providers who are new, old, inactive, deactivated or impersonated. Others were active by session, teammate,
 * sign-in or purchase.
 */
async function addProviders(): Promise<void> {
  const long = { createdAt: NOW - 60 * DAY_MS };
  const old = () => insertUser(db, long);
  await insertUser(db);
  await insertUser(db, { isActive: false });
  await seenAt((await old()).id, NOW - 29 * DAY_MS);
  await seenAt((await old()).id, NOW - 31 * DAY_MS);
  await seenAt((await old()).id, NOW - DAY_MS, (await insertUser(db, { isSuperAdmin: true })).id);
  await seenAt((await insertTeamMember(db, await old(), long)).id, NOW - DAY_MS);
  const tried = { at: NOW - DAY_MS, method: "password" as const, device: "Safari on iPhone" };
  await db.insert(signIns).values([
    { ...tried, userId: (await old()).id, succeeded: true },
    { ...tried, userId: (await old()).id, succeeded: false },
  ]);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const money = (cents: number) => (cents / 100).toFixed(2);

test("every week's figures are the sum of its days", async () => {
  const { days, weeks, countedAt } = await read();
  expect(countedAt).toBeGreaterThan(NOW - MINUTE_MS);
  expect(days.at(-1)!.day).toBe(TODAY);
  // The rows inserted above are included.
  expect(sum(days.map(({ leads }) => leads))).toBe(27);
  expect(sum(days.map(({ sold }) => sold))).toBe(17);
  expect(sum(days.map(({ refunds }) => Number(refunds)))).toBe(49.5);
  expect(weeks).toHaveLength(12);
  for (const week of weeks) {
    const own = days.filter(({ day }) => day >= week.day && day < addDays(week.day, 7));
    expect(new Date(week.day).getUTCDay()).toBe(1);
    expect(week.leads).toBe(sum(own.map(({ leads }) => leads)));
    expect(week.revenue).toBe(money(sum(own.map(({ revenue }) => Number(revenue) * 100))));
  }
});

test("regions, unsold leads and providers match the inserted rows", async () => {
  const { regions, unsold, providers } = await read();
  const of = (slug: string) => regions.find(({ region }) => region === slug);
  expect(of("inner-west")).toEqual({
    region: "inner-west",
    listed: 12,
    taken: 6,
    sellThrough: 0.5,
    // The sale times are 0 (just before midnight), 1, 3 and 20 hours and 38 days. The third is the median.
    medianSaleMs: 3 * HOUR_MS,
    open: 4,
  });
  expect(of("blacktown")).toMatchObject({ listed: 2, taken: 1, medianSaleMs: 7 * HOUR_MS, open: 1 });
  expect(of("macarthur")).toMatchObject({ listed: 0, sellThrough: null, medianSaleMs: null, open: 0 });
  expect(sum(unsold.map(({ leads }) => leads))).toBe(sum(regions.map(({ open }) => open)));
  expect(providers).toEqual({ total: 8, fresh: 1, active: 4, silent: 4 });
});

test("the figures follow visitors from page views to the job", async () => {
  const { funnel, days } = await read();
  expect(funnel.map(({ day, sent }) => [day, sent])).toEqual(days.map(({ day, leads }) => [day, leads]));
  const day = addDays(TODAY, -9);
  expect(funnel.find((one) => one.day === day)).toEqual({
    day,
    pages: 40,
    forms: 6,
    sent: 5,
    sold: 5,
    called: 2,
    booked: 1,
  });
  expect(funnel.find((one) => one.day === addDays(TODAY, -12))).toMatchObject({ sent: 1, called: 1 });
  // A rescued lead is the same request again.
  expect(funnel.find((one) => one.day === addDays(TODAY, -11))).toMatchObject({
    sent: 3,
    called: 2,
    booked: 1,
  });
});

function hasEvents({ leads, sold, given, revenue, refunds, badLeads }: MarketPeriod): boolean {
  return leads + sold + given + badLeads + Number(revenue) + Number(refunds) > 0;
}

/** The queries in docs/figures.md, by figure. */
const QUERIES = Object.fromEntries(
  [...figuresPage.matchAll(/```sql\n-- (\w+)\n([^`]+)```/g)].map(([, name, text]) => [name!, text!]),
);

async function ask(name: string, values: { from?: number; to?: number; region?: string; day?: string }) {
  const text = QUERIES[name]!.replaceAll(/:(\w+)/g, (_, key: keyof typeof values) =>
    typeof values[key] === "string" ? `'${values[key]}'` : String(values[key]),
  );
  return testEnv.DB.prepare(text).raw<[number | null]>();
}
const queryResult = async (...args: Parameters<typeof ask>) => (await ask(...args))[0]![0];

test("each figure equals its query in docs/figures.md", async () => {
  const { days, funnel, regions, unsold, stopped, providers } = await read();
  const asked = new Set<string>();
  const expectEach = async (
    figures: Record<string, unknown>,
    names: string[],
    values: Parameters<typeof ask>[1],
  ) => {
    for (const name of names) {
      asked.add(name);
      const result = await queryResult(name, values);
      const shown = figures[name];
      expect(typeof shown === "string" ? money(result!) : result, name).toBe(shown);
    }
  };
  // Checks every day with an event, and some days without.
  for (const period of days.filter((one, i) => hasEvents(one) || i % 9 === 0)) {
    const bounds = { from: startOfSydneyDay(period.day)!, to: startOfSydneyDay(addDays(period.day, 1))! };
    await expectEach(
      period,
      ["leads", "suspicious", "sold", "given", "revenue", "refunds", "badLeads"],
      bounds,
    );
  }
  for (const figures of funnel.filter(({ sent, pages }) => sent + pages > 0)) {
    const { from, to } = {
      from: startOfSydneyDay(figures.day)!,
      to: startOfSydneyDay(addDays(figures.day, 1))!,
    };
    await expectEach(figures, ["pages", "forms", "called", "booked"], { from, to, day: figures.day });
  }
  for (const figures of regions)
    await expectEach(figures, ["listed", "taken", "medianSaleMs", "open"], {
      region: figures.region,
      from: midnight(27),
    });
  let to = Date.now();
  for (const { upToHours, leads } of unsold) {
    const from = upToHours === null ? 0 : Date.now() - upToHours * HOUR_MS;
    await expectEach({ unsold: leads }, ["unsold"], { from, to });
    to = from;
  }
  await expectEach(providers!, ["total", "fresh", "active"], { from: NOW - 30 * DAY_MS });
  await expectEach({ stopped }, ["stopped"], { from: NOW - 30 * DAY_MS, to: NOW - 2 * DAY_MS });
  expect([...asked].toSorted()).toEqual(Object.keys(QUERIES).toSorted());
});

test("days marked as not counted are counted again, and keep their provider counts", async () => {
  const before = await db.select().from(marketDays);
  // As docs/figures.md says, after a change of the rules.
  await db.update(marketDays).set({ leads: 999, revenueCents: 999, regions: {}, countedAt: 0 });
  let counted = 0;
  for (let more = true; more;) {
    const swept = await runSweep("figure_sweep", NOW);
    counted += swept.counted;
    more = swept.counted > 0;
  }
  expect(counted).toBe(71);
  const withoutTime = (rows: typeof before) =>
    rows.map((row) => ({ ...row, countedAt: 0 })).toSorted((a, b) => a.day.localeCompare(b.day));
  expect(withoutTime(await db.select().from(marketDays))).toEqual(withoutTime(before));
});

async function file(name: string): Promise<string[]> {
  const result = await asAdmin("GET", `/api/super-admin/market/${name}.csv`);
  expect(result.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  const bytes = new Uint8Array(await result.arrayBuffer());
  expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf]);
  return new TextDecoder().decode(bytes).trimEnd().split("\r\n");
}

test("each table can be downloaded as a file that Excel reads correctly", async () => {
  const { days } = await read();
  const today = days.at(-1)!;
  expect((await file("days")).at(-1)).toBe(
    `"${today.day}","${today.leads}","0","0","0","${today.revenue}","0.00","0"`,
  );
  expect(await file("weeks")).toHaveLength(54);
  expect(await file("regions")).toContain('"blacktown","2","1","0.5000","7.0","1"');
  expect(await file("funnel")).toContain(`"${addDays(TODAY, -9)}","40","6","5","5","2","1"`);
  expect((await file("unsold")).at(-1)).toBe('"older","0"');
  expect((await file("providers")).at(-1)).toBe('"8","1","4","4"');
});
