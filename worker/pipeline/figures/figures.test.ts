import { DAY_MS } from "../../../contract/durations.ts";
import { expect, test } from "vitest";

import type { Figures, MonthFigures } from "../../../contract/figures.ts";
import { sydneyMonth } from "../../../contract/sydney-time.ts";
import type { SalesStage } from "../../../contract/stages.ts";
import type { UserRow } from "../../platform/caller.ts";
import { leadPurchases } from "../../tables.ts";
import { callerFor, db } from "../../../testing/client.ts";
import { setPurchase } from "../../../testing/facts.ts";
import { insertManualPurchase, insertUser } from "../../../testing/world.ts";

const NOW = Date.now();

type Answer = { months: MonthFigures[]; total: Figures };

async function figuresOf(user: UserRow): Promise<Answer> {
  return (await (await callerFor(user.id))("GET", "/api/figures")).json();
}

async function addBought(
  owner: UserRow,
  input: { stage: SalesStage; daysAgo: number; customerPaidCents?: number },
  change: Partial<typeof leadPurchases.$inferInsert> = {},
) {
  const { daysAgo, ...rest } = input;
  const id = await insertManualPurchase(db, owner, { ...rest, startedAt: NOW - daysAgo * DAY_MS });
  await setPurchase(id, { mode: "stripe", amountPaidCents: 5000, ...change });
}

test("figures show what a month's leads cost, how many were won and what they earned", async () => {
  const owner = await insertUser(db);
  await addBought(owner, { stage: "invoice_paid", daysAgo: 20, customerPaidCents: 24_500 });
  await addBought(owner, { stage: "declined", daysAgo: 20 });
  // Moved back a stage: the job still counts.
  await addBought(owner, { stage: "job_booked", daysAgo: 20 }, { salesStage: "called" });
  // Too recent to count for the win rate.
  await addBought(owner, { stage: "called", daysAgo: 1 });
  // Refunded, removed and manually added purchases do not count as bought.
  await addBought(owner, { stage: "called", daysAgo: 20 }, { paymentStatus: "refunded" });
  await addBought(owner, { stage: "called", daysAgo: 20 }, { removedAt: NOW });
  await insertManualPurchase(db, owner, {
    stage: "invoice_paid",
    startedAt: NOW - 20 * DAY_MS,
    customerPaidCents: 1000,
  });
  const { total, months } = await figuresOf(owner);
  expect(total).toEqual({
    bought: 4,
    spend: "200.00",
    won: 2,
    winRate: 2 / 3,
    earned: "255.00",
    costPerWon: "100.00",
  });
  expect(months).toHaveLength(12);
  expect(months.at(-1)!.month).toBe(sydneyMonth(NOW));
  expect(months.reduce((sum, { bought }) => sum + bought, 0)).toBe(4);
});

test("without leads nothing is divided by zero", async () => {
  const { total, months } = await figuresOf(await insertUser(db));
  expect(total).toEqual({
    bought: 0,
    spend: "0.00",
    won: 0,
    winRate: null,
    earned: "0.00",
    costPerWon: null,
  });
  expect(new Set(months.map(({ month }) => month)).size).toBe(12);
});

test("a purchase counts in the month it was bought, in Sydney time", async () => {
  const owner = await insertUser(db);
  // In Sydney it is ten past midnight on the first of the month, but in UTC it is still last month.
  const { months } = await figuresOf(owner);
  const last = months.at(-2)!.month;
  const start = Date.parse(`${last}-01T00:10:00+10:00`);
  await addBought(owner, { stage: "called", daysAgo: (NOW - start) / DAY_MS });
  const { months: after } = await figuresOf(owner);
  const bought = Object.fromEntries(after.map(({ month, bought }) => [month, bought]));
  const expected = sydneyMonth(start);
  expect(bought[expected]).toBe(1);
});
