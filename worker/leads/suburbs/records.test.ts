/** Statistics on a suburb's page, computed from our own requests. */
import { expect, test } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import type { SuburbRecords } from "../../../contract/suburbs.ts";
import { call, db } from "../../../testing/client.ts";
import { insertManualPurchase, insertPendingLead, insertUser } from "../../../testing/world.ts";
import { textWithoutIds } from "../../../testing/text-without-ids.ts";
import { leadPurchases } from "../../platform/db/schema.ts";
import { newId } from "../../platform/ids.ts";

const NOTHING = { requestsAMonth: null, medianCallHours: null, mostAskedFor: null };
const read = async (slug: string) =>
  (await (await call("GET", `/api/suburbs/${slug}/records`)).json()) as SuburbRecords;

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
  expect(await read("atlantis")).toEqual(NOTHING);
});

test("a name that is invalid in a header has no records, like any unknown name", async () => {
  for (const name of ["%C5%81%C3%B3d%C5%BA", "a%0Ab", "atlantis"]) expect(await read(name)).toEqual(NOTHING);
});
