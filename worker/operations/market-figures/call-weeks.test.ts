/** The admins' figures from the request to the job, compared with their lists. */
import { beforeAll, expect, test } from "vitest";

import type { AdminLead } from "../../../contract/admin-leads.ts";
import { addCallTime } from "../../../contract/call-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { CALL_STEPS, type CallStep, type CallWeek } from "../../../contract/market-figures.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { db } from "../../../testing/client.ts";
import { insertClockedSale } from "../../../testing/clocked-sales.ts";
import { purchaseRow } from "../../../testing/facts.ts";
import { insertManualPurchase, insertPendingLead, insertUser, newId } from "../../../testing/world.ts";
import { contactLog, type leadPurchases, type leads } from "../../tables.ts";

const NOW = Date.now();
const TODAY = sydneyDay(NOW);

/** The Monday of the week before last. */
const MONDAY = mondayBefore(addDays(TODAY, -14));
const START = startOfSydneyDay(MONDAY)!;
const NEXT_START = startOfSydneyDay(addDays(MONDAY, 7))!;

const { asAdmin, pages } = await insertAdmin();
const read = async () => (await (await asAdmin("GET", "/api/super-admin/market/calls")).json()) as CallWeek[];

function mondayBefore(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

beforeAll(async () => {
  const owner = await insertUser(db);
  const at = addCallTime(START, 3 * HOUR_MS);
  const sale = (
    purchase: Partial<typeof leadPurchases.$inferInsert> = {},
    lead: Partial<typeof leads.$inferInsert> = {},
  ) =>
    insertClockedSale(db, owner, { purchasedAt: at, ...purchase }, { createdAt: START + HOUR_MS, ...lead });
  // The first and the last minute of the week, and of the weeks beside it.
  await sale({ calledAt: at + MINUTE_MS }, { createdAt: START });
  await sale({ calledAt: at + MINUTE_MS }, { createdAt: NEXT_START - 1 });
  await sale({ calledAt: at + MINUTE_MS }, { createdAt: START - 1 });
  await sale({ calledAt: at + MINUTE_MS }, { createdAt: NEXT_START });
  const texted = await sale();
  const textedAt = at + HOUR_MS;
  const entry = { byUserId: owner.id, at: textedAt, loggedAt: textedAt, entryKey: newId("key") };
  await db.insert(contactLog).values({ purchaseId: texted, outcome: "texted", ...entry });
  await sale({ calledAt: at + 4 * 24 * HOUR_MS }, { region: "blacktown" });
  await sale(
    { callClock: { state: "over", answer: "never_asked", answeredAt: at } },
    { region: "blacktown" },
  );
  await sale({ jobBookedAt: at + HOUR_MS, calledAt: at + HOUR_MS }, { region: "blacktown" });
  await sale({ paymentStatus: "refunded", calledAt: at + HOUR_MS });
  await sale({ removedAt: NOW });
  await sale({ clockEndsAt: null, calledAt: at + HOUR_MS });
  // A rescue: the second provider books the job. The rescued lead is not a second request.
  const rescued = await sale({
    callClock: { state: "rescued", answer: "not_yet", answeredAt: at, rescuedAt: at },
  });
  const first = await purchaseRow(rescued);
  await sale(
    { purchasedAt: at + HOUR_MS, calledAt: at + HOUR_MS, jobBookedAt: at + HOUR_MS },
    { rescuedFromId: first.leadId },
  );
  // An unsold request, and a provider's own lead.
  await insertPendingLead(db, {}, START + HOUR_MS);
  await insertManualPurchase(db, owner, { stage: "job_booked", startedAt: START + HOUR_MS });
});

const inOrder = (weeks: readonly CallWeek[]) => weeks.toSorted((a, b) => a.region.localeCompare(b.region));

test("a week counts its requests from midnight on Monday to the next Monday", async () => {
  const weeks = await read();
  const ofWeek = (week: string) => inOrder(weeks.filter((row) => row.week === week));
  expect(ofWeek(MONDAY)).toEqual([
    { week: MONDAY, region: "blacktown", requests: 3, sold: 3, in_time: 1, late: 1, rescued: 0, booked: 1 },
    { week: MONDAY, region: "inner-west", requests: 8, sold: 6, in_time: 3, late: 0, rescued: 1, booked: 1 },
  ]);
  const beside = { region: "inner-west", requests: 1, sold: 1, in_time: 1, late: 0, rescued: 0, booked: 0 };
  for (const week of [addDays(MONDAY, -7), addDays(MONDAY, 7)])
    expect(ofWeek(week), week).toEqual([{ week, ...beside }]);
});

test("the list behind each number has as many requests as the number", async () => {
  const own = (await read()).filter(({ week }) => week === MONDAY);
  for (const row of own) {
    for (const step of CALL_STEPS) {
      const path = `/api/super-admin/leads?limit=5&step=${step}&region=${row.region}&from=${MONDAY}&to=${addDays(MONDAY, 6)}`;
      expect(await pages<AdminLead>(path), `${row.region}: ${step}`).toHaveLength(row[step]);
    }
  }
  const sumOf = (step: CallStep) => own.reduce((total, row) => total + row[step], 0);
  const sold = await pages<AdminLead>(
    `/api/super-admin/leads?step=sold&from=${MONDAY}&to=${addDays(MONDAY, 6)}`,
  );
  expect(sold).toHaveLength(sumOf("sold"));
  // Without days, the list covers the twelve weeks of the page.
  expect((await pages<AdminLead>("/api/super-admin/leads?step=sold")).length).toBe(sumOf("sold") + 2);
  expect((await asAdmin("GET", "/api/super-admin/leads?from=2026-02-30")).status).toBe(400);
  expect((await asAdmin("GET", "/api/super-admin/leads?step=paid")).status).toBe(400);
});

test("the figures can be downloaded as CSV", async () => {
  const result = await asAdmin("GET", "/api/super-admin/market/calls.csv");
  expect(result.headers.get("Content-Disposition")).toBe(`attachment; filename="market-calls-${TODAY}.csv"`);
  const lines = (await result.text()).trimEnd().split("\r\n");
  expect(lines[0]).toContain(
    '"week_from","region","requests","sold","called_in_time","called_late","rescued","booked"',
  );
  expect(lines).toContain(`"${MONDAY}","blacktown","3","3","1","1","0","1"`);
});
