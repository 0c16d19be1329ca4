/** A provider's standing: its figures, the lists behind them, and what a low standing does. */
import { expect, test } from "vitest";

import { addCallTime, type CallClock } from "../../../contract/call-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import type { ProviderPage, ProviderRow } from "../../../contract/providers.ts";
import {
  CALL_LISTS,
  CALL_RESULTS,
  type CallList,
  type CallListItem,
  formatCallTime,
  LOW_STANDING_MIN_LEADS,
  type ProviderStanding,
  resultsIn,
  type SlowCallerRule,
} from "../../../contract/standing.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { callerFor, db, testEnv } from "../../../testing/client.ts";
import { purchaseRow, setPurchase, setUser } from "../../../testing/facts.ts";
import { listedRequest, payingBuyer, rescue, rescueOf, sellTo } from "../../../testing/rescue.ts";
import { insertClockedSale } from "../../../testing/clocked-sales.ts";
import {
  insertAbnCheck,
  insertBadLeadReport,
  insertManualPurchase,
  insertUser,
  newId,
} from "../../../testing/world.ts";
import { contactLog, customerUpdates, type leads } from "../../tables.ts";
import type { UserRow } from "../../platform/caller.ts";

const NOW = Date.now();

/** 9 am in Sydney, some days ago. */
const nineAm = (daysAgo: number) =>
  addCallTime(startOfSydneyDay(addDays(sydneyDay(NOW), -daysAgo))!, 2 * HOUR_MS);

async function standingOf(user: UserRow): Promise<ProviderStanding> {
  return (await (await callerFor(user.id))("GET", "/api/figures/standing")).json();
}

async function listOf(user: UserRow, show: CallList, period = "all"): Promise<CallListItem[]> {
  const answer = await (await callerFor(user.id))("GET", `/api/figures/calls?show=${show}&period=${period}`);
  return answer.json();
}

async function logContact(purchaseId: string, outcome: "called" | "no_answer" | "texted", at: number) {
  const entry = { purchaseId, outcome, byUserId: "user_x", at, loggedAt: at, entryKey: newId("key") };
  await db.insert(contactLog).values(entry);
}

const answered = (answer: CallClock["answer"], answeredAt: number): CallClock => ({
  state: "over",
  answer,
  answeredAt,
});

/** Inserts one sale with each result, and some more: 17 leads in all, one of them older than 90 days. */
async function insertEveryResult(owner: UserRow) {
  const at = nineAm(20);
  const sale = (
    purchase: Partial<Parameters<typeof insertClockedSale>[2]> = {},
    lead: Partial<typeof leads.$inferInsert> = {},
  ) => insertClockedSale(db, owner, { purchasedAt: at, ...purchase }, lead);
  const ids: Record<string, string> = {
    soon: await sale({ calledAt: at + 30 * MINUTE_MS }),
    texted: await sale(),
    booked: await sale({ jobBookedAt: at + 90 * MINUTE_MS }),
    late: await sale({ calledAt: at + 3 * 24 * HOUR_MS }),
    missed: await sale(),
    contradicted: await sale({
      calledAt: at + HOUR_MS,
      callClock: answered("not_yet", at + 5 * HOUR_MS),
    }),
    madeGood: await sale({ callClock: answered("not_yet", at + HOUR_MS) }),
    rescued: await sale({
      calledAt: at + HOUR_MS,
      callClock: { ...answered("not_yet", at + 2 * HOUR_MS), state: "rescued", rescuedAt: at + 60 * HOUR_MS },
    }),
    neverAsked: await sale({
      calledAt: at + HOUR_MS,
      callClock: answered("never_asked", at + HOUR_MS),
    }),
    bad_lead: await sale(),
    open: await sale({ purchasedAt: NOW - MINUTE_MS, clockEndsAt: NOW + HOUR_MS }),
    confirmed: await sale({ callClock: answered("called", at + 100 * MINUTE_MS) }),
    withdrawn: await sale(),
    erased: await sale({}, { erasedAt: at + HOUR_MS }),
    // The erasure deleted the text or the withdrawal that came in time.
    erasedLater: await sale({}, { erasedAt: at + 7 * 24 * HOUR_MS }),
    // An older wording of the consent did not allow a rescue.
    notPassedOn: await sale({
      callClock: { ...answered("not_yet", at + 2 * HOUR_MS), rescuedAt: at + 60 * HOUR_MS },
    }),
    old: await sale({ purchasedAt: nineAm(120), calledAt: nineAm(120) + HOUR_MS }),
  };
  const withdrawn = await purchaseRow(ids.withdrawn!);
  await db
    .insert(customerUpdates)
    .values({ id: newId("upd"), leadId: withdrawn.leadId, kind: "withdrawn", at: at + HOUR_MS });
  await logContact(ids.texted!, "texted", at + 60 * MINUTE_MS);
  await logContact(ids.missed!, "no_answer", at + 60 * MINUTE_MS);
  await logContact(ids.madeGood!, "called", at + 2 * HOUR_MS);
  await insertBadLeadReport(db, owner, ids.bad_lead!, { state: "granted" });
  // These do not count: removed, refunded, added by hand, and from before the call clock.
  await sale({ removedAt: NOW });
  await sale({ paymentStatus: "refunded" });
  await sale({ clockEndsAt: null });
  await insertManualPurchase(db, owner, { stage: "called", startedAt: at });
  return ids;
}

const EXPECTED_RESULT: Record<string, (typeof CALL_RESULTS)[number]> = {
  soon: "in_time",
  texted: "in_time",
  booked: "in_time",
  madeGood: "in_time",
  late: "late",
  missed: "missed",
  contradicted: "missed",
  rescued: "rescued",
  neverAsked: "never_asked",
  bad_lead: "bad_lead",
  open: "open",
  confirmed: "in_time",
  withdrawn: "withdrawn",
  erased: "withdrawn",
  erasedLater: "withdrawn",
  notPassedOn: "missed",
  old: "in_time",
};

test("each bought lead has one result, and the provider's figures add them up", async () => {
  const owner = await insertUser(db);
  const ids = await insertEveryResult(owner);
  const all = await listOf(owner, "all");
  const resultById = new Map(all.map(({ id, result }) => [id, result]));
  for (const [name, id] of Object.entries(ids)) expect(resultById.get(id), name).toBe(EXPECTED_RESULT[name]);
  expect(all).toHaveLength(Object.keys(ids).length);

  const { recent, total, isLow, rule } = await standingOf(owner);
  expect(recent).toEqual({
    bought: 16,
    in_time: 5,
    late: 1,
    missed: 3,
    rescued: 1,
    open: 1,
    withdrawn: 3,
    never_asked: 1,
    bad_lead: 1,
    counted: 10,
    share: 0.5,
    // Waits of 30, 60, 90, 100 and 120 minutes, and one of three days of 13 hours.
    medianMs: 90 * MINUTE_MS,
  });
  expect(total).toMatchObject({ bought: 17, in_time: 6, counted: 11, medianMs: 90 * MINUTE_MS });
  expect([isLow, rule]).toEqual([true, "warn"]);
});

test("a customer who withdraws or says that they were called after the clock's end was not called in time", async () => {
  const owner = await insertUser(db);
  const purchasedAt = nineAm(20);
  const id = await insertClockedSale(db, owner, { purchasedAt });
  const purchase = await purchaseRow(id);
  const { leadId, clockEndsAt } = purchase;
  await db
    .insert(customerUpdates)
    .values({ id: newId("upd"), leadId, kind: "withdrawn", at: clockEndsAt! + 1 });
  await insertClockedSale(db, owner, { purchasedAt, callClock: answered("called", clockEndsAt! + 1) });
  expect((await standingOf(owner)).recent).toMatchObject({ missed: 1, late: 1, withdrawn: 0, share: 0 });
});

test("the list behind each number has as many leads as the number", async () => {
  const owner = await insertUser(db);
  await insertEveryResult(owner);
  const { recent, total } = await standingOf(owner);
  for (const [period, standing] of [
    ["recent", recent],
    ["all", total],
  ] as const) {
    for (const show of CALL_LISTS) {
      const rows = await listOf(owner, show, period);
      const expected = resultsIn(show).reduce((sum, result) => sum + standing[result], 0);
      expect(rows, `${show}, ${period}`).toHaveLength(expected);
    }
  }
  const [late] = await listOf(owner, "late");
  expect(late).toMatchObject({ customerName: "Anna Brown", waitMs: 3 * 13 * HOUR_MS });
  // Pages: the second begins after the first.
  const read = await callerFor(owner.id);
  const first = await read("GET", "/api/figures/calls?period=all&limit=5");
  const next = /<([^>]+)>/.exec(first.headers.get("Link")!)![1]!;
  const ids = [first, await read("GET", next)].map(async (page) =>
    ((await page.json()) as CallListItem[]).map(({ id }) => id),
  );
  expect(new Set((await Promise.all(ids)).flat()).size).toBe(10);
  expect((await read("GET", "/api/figures/calls?show=everything")).status).toBe(400);
});

test("admins see every provider's standing; other providers do not", async () => {
  const owner = await insertUser(db);
  const ids = await insertEveryResult(owner);
  const { asAdmin, list } = await insertAdmin();
  const page = (await (
    await asAdmin("GET", `/api/super-admin/providers/${owner.id}`)
  ).json()) as ProviderPage;
  expect(page.standing).toEqual(await standingOf(owner));
  const rows = await list<CallListItem>(`/api/super-admin/providers/${owner.id}/calls?show=rescued`);
  expect(rows.map(({ id }) => id)).toEqual([ids.rescued]);
  const providers = await list<ProviderRow>("/api/users/providers");
  expect(providers.find(({ id }) => id === owner.id)?.calls).toEqual({ counted: 10, inTime: 5 });
  const stranger = await insertUser(db);
  expect(await listOf(stranger, "all")).toEqual([]);
  expect(providers.some(({ calls }) => calls === null)).toBe(true);
});

test("the calls of a person's other business count in a standing, by a checked ABN but not by a phone number", async () => {
  const [old, phoenix] = [await insertUser(db), await insertUser(db)];
  for (let i = 0; i < LOW_STANDING_MIN_LEADS; i += 1)
    await insertClockedSale(db, old, { purchasedAt: nineAm(10) });
  expect((await standingOf(phoenix)).isLow).toBe(false);
  // No one checks a number: a provider may type that of a rival.
  await setUser(old.id, { phoneKey: "+61491570316", createdAt: 1 });
  await setUser(phoenix.id, { phoneKey: "+61491570316" });
  expect((await standingOf(phoenix)).isLow).toBe(false);
  for (const { id } of [old, phoenix]) await insertAbnCheck(db, id, "51824753558");
  expect(await standingOf(phoenix)).toMatchObject({ isLow: true, recent: { bought: 0 } });
});

test("a standing is low from ten counted leads on, below seven in ten called in time", async () => {
  const owner = await insertUser(db);
  const at = nineAm(10);
  const sales = [];
  for (let i = 0; i < LOW_STANDING_MIN_LEADS - 1; i += 1)
    sales.push(
      await insertClockedSale(db, owner, i < 6 ? { purchasedAt: at, calledAt: at } : { purchasedAt: at }),
    );
  const { list } = await insertAdmin();
  const isLow = async () => {
    const { isLow: shown } = await standingOf(owner);
    const slow = await list<ProviderRow>("/api/users/providers?only=slow");
    expect(slow.some(({ id }) => id === owner.id)).toBe(shown);
    return shown;
  };
  expect(await isLow(), "nine leads").toBe(false);
  await insertClockedSale(db, owner, { purchasedAt: at });
  expect(await isLow(), "six of ten").toBe(true);
  await setPurchase(sales.at(-1)!, { calledAt: at + HOUR_MS });
  expect(await isLow(), "seven of ten").toBe(false);
});

test("a time to call reads as minutes, then as hours", () => {
  expect([20_000, 59 * MINUTE_MS, HOUR_MS, 200 * MINUTE_MS, 119.7 * MINUTE_MS].map(formatCallTime)).toEqual([
    "1 min",
    "59 min",
    "1 h",
    "3 h 20 min",
    "2 h",
  ]);
});

test("by the operator's setting, a provider with a low standing gets no offers of rescued leads", async () => {
  const [slow, fair] = [await payingBuyer(), await payingBuyer()];
  for (let i = 0; i < LOW_STANDING_MIN_LEADS; i += 1)
    await insertClockedSale(db, slow.user, { purchasedAt: nineAm(10) });
  const offered = async (slowCallers: SlowCallerRule) => {
    const soldId = await listedRequest();
    await sellTo(soldId, await payingBuyer(), [slow, fair]);
    const leadId = await rescue(soldId, Date.now(), { ...testEnv, SLOW_CALLERS: slowCallers });
    const { offers, queue } = await rescueOf(leadId);
    return [...offers.map(({ businessId }) => businessId), ...queue];
  };
  expect(await offered("warn")).toEqual([slow.user.id, fair.user.id]);
  expect(await offered("no_rescue_offers")).toEqual([fair.user.id]);
});
