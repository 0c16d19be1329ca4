/** Statistics on a suburb's page, computed from our own requests. */
import { expect, test } from "vitest";

import { addCallTime } from "../../../contract/call-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../contract/durations.ts";
import { REGION_CALL_MIN_SALES } from "../../../contract/standing.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../../../contract/sydney-time.ts";
import type { SuburbAnswer } from "../../../contract/suburbs.ts";
import { call, db } from "../../../testing/client.ts";
import { setPurchase } from "../../../testing/facts.ts";
import { insertClockedSale } from "../../../testing/clocked-sales.ts";
import { insertManualPurchase, insertPendingLead, insertUser, newId } from "../../../testing/world.ts";
import { textWithoutIds } from "../../../testing/text-without-ids.ts";
import { leadPurchases } from "../../tables.ts";

const NOTHING = { requestsAMonth: null, medianCallHours: null, mostAskedFor: null, regionCall: null };
const read = async (slug: string) =>
  ((await (await call("GET", `/api/suburbs/${slug}`)).json()) as SuburbAnswer).records;

/** Inserts the n-th person's request from a suburb, the given number of days ago. */
const ask = (n: number, customerAddress: string, days: number, reasons: "duplicate"[] = []) =>
  insertPendingLead(
    db,
    { customerAddress, customerPhone: `0491 570 00${n}`, serviceType: ["lawn_mowing"] },
    Date.now() - days * DAY_MS,
    reasons,
  );

test("five requests are needed; old, quarantined and other suburbs' requests do not count", async () => {
  const owner = await insertUser(db);
  const mosman = "1 Raglan Street, Mosman NSW 2088";
  const made = [];
  for (let n = 1; n <= 4; n += 1) made.push(await ask(n, mosman, n));
  await ask(5, mosman, 91);
  await ask(5, mosman, 1, ["duplicate"]);
  await ask(5, "1 Darley Road, Manly NSW 2095", 1);
  await insertManualPurchase(db, owner, { stage: "called", startedAt: Date.now() });
  expect(await read("mosman")).toEqual(NOTHING);

  made.push(await ask(5, mosman, 5));
  expect(await read("mosman")).toEqual({ ...NOTHING, requestsAMonth: 2, mostAskedFor: "lawn_mowing" });
  for (const [i, { id, createdAt }] of made.entries())
    await db.insert(leadPurchases).values({
      id: newId("pur"),
      leadId: id,
      buyerId: owner.id,
      boughtByUserId: owner.id,
      buyerName: "Quin",
      mode: "direct",
      amountPaidCents: 5000,
      purchasedAt: createdAt,
      updatedAt: createdAt,
      calledAt: createdAt + (i + 1) * HOUR_MS,
    });
  expect((await read("mosman")).medianCallHours).toBe(3);
  expect(textWithoutIds(await read("mosman"))).not.toContain("0491");
});

test("from twenty sales on, pages of a region show its median time to call, between 7 am and 8 pm", async () => {
  const owner = await insertUser(db);
  const region = "blacktown";
  const nineAm = addCallTime(startOfSydneyDay(addDays(sydneyDay(Date.now()), -9))!, 2 * HOUR_MS);
  const sell = (change: Partial<typeof leadPurchases.$inferInsert>) =>
    insertClockedSale(db, owner, { purchasedAt: nineAm, ...change }, { region });
  const regionCall = async () => (await read("blacktown")).regionCall;
  for (let i = 1; i <= REGION_CALL_MIN_SALES - 1; i += 1)
    await sell(i <= 9 ? { calledAt: nineAm + i * 10 * MINUTE_MS } : {});
  // These do not count: refunded, removed, older, and never wanted by the customer.
  await sell({ calledAt: nineAm, paymentStatus: "refunded" });
  await sell({ calledAt: nineAm, removedAt: nineAm });
  await sell({ purchasedAt: nineAm - 91 * DAY_MS, calledAt: nineAm });
  await sell({ calledAt: nineAm, callClock: { state: "over", answer: "never_asked", answeredAt: nineAm } });
  expect(await regionCall(), "nineteen sales").toBeNull();
  const last = await sell({});
  expect(await regionCall(), "most customers were not called").toBeNull();
  // Called at 8 am on the next day: eleven counted hours on the first day, and one on the second.
  await setPurchase(last, { calledAt: addCallTime(nineAm, 12 * HOUR_MS) });
  expect(await regionCall()).toEqual({ region, medianMinutes: 12 * 60 });
  expect((await read("mosman")).regionCall).toBeNull();
});
