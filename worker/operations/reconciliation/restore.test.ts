/** D1 is taken back to an earlier time while the exchanges and Stripe keep what happened since. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { HOUR_MS } from "../../../contract/durations.ts";
import type { Region } from "../../../contract/regions.ts";
import {
  buyer,
  exchange,
  listedLead,
  purchaseOf,
  runAlarm,
  soldLead,
  stripe,
} from "../../../testing/cards.ts";
import { call, callerFor, db } from "../../../testing/client.ts";
import { pause, resume, runSweeps } from "../../../testing/drivers.ts";
import { leadRow, setLead } from "../../../testing/facts.ts";
import { copyD1, dumpD1, dumpExchanges, jobRow, storeJob } from "../../../testing/operator.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";
import { operatorJobs, payments, sessions } from "../../tables.ts";
import { phoneKey } from "../../../contract/phone.ts";

const BUYER = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };

/** Runs an operator's job for every region, or one job. @returns its counts */
async function operate(job: Parameters<typeof storeJob>[0], laterMs = 0): Promise<Record<string, number>> {
  const id = await storeJob(job);
  if (laterMs > 0)
    await db
      .update(operatorJobs)
      .set({ createdAt: Date.now() + laterMs })
      .where(eq(operatorJobs.id, id));
  await runSweeps(Date.now() + laterMs);
  const row = await jobRow(id);
  expect(row.state).toBe("done");
  return row.result as Record<string, number>;
}

const reconcile = (isFix: boolean) =>
  operate({ kind: "reconcile", input: { since: 0, isFix, region: null } }, HOUR_MS);

const PLACES: readonly Region[] = ["inner-west", "parramatta"];
const pauseAll = () => Promise.all(PLACES.map((region) => pause(region, { reason: "A restore" })));
const resumeAll = () => Promise.all(PLACES.map((region) => resume(region)));

/** Writes the exchange's queued decisions to D1. */
async function writeDecisions(...ids: string[]): Promise<void> {
  for (const id of ids) await runAlarm(id, 1);
}

test("row 44: after a restore and reconcile --fix, no lead is sold twice, no sale is lost and no erased person is back", async () => {
  const [open, sold, withdrawn] = [await listedLead(), await listedLead(), await listedLead()];
  const erased = await insertPendingLead(db, {
    customerName: "Zebedee Quillfeather",
    customerPhone: "0491 571 804",
  });
  await setLead(erased.id, { phoneKey: phoneKey("0491 571 804"), otherPhoneKey: "" });
  await runSweeps(Date.now() + 60_000);
  const pat = await buyer();
  const leaver = await insertUser(db);
  const { cookie } = await callerFor(leaver.id);
  const takeBack = await copyD1();

  // An hour of trade.
  const { holdId, intentId } = await pat.opened(sold);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  const purchase = await purchaseOf(sold);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  await admin("POST", `/api/super-admin/leads/${withdrawn}/withdraw`, { reason: "Asked twice" });
  await operate({ kind: "erase_person", input: { phone: "0491 571 804", email: null } });
  const fresh = await listedLead();
  const lateSale = await soldLead();
  expect((await call("POST", "/api/auth/logout", { cookie, body: {} })).status).toBeLessThan(300);
  await writeDecisions(sold, withdrawn, erased.id, lateSale.leadId);

  await pauseAll();
  await takeBack();
  expect(await dumpD1()).toContain("Quillfeather");

  const planned = await reconcile(false);
  expect(planned).toMatchObject({
    d1_was_restored: 1,
    planned: planned["differences"]! - 1,
    for_a_person: 1,
  });
  expect(await db.select().from(sessions)).not.toEqual([]);
  const done = await reconcile(true);
  expect(done).toMatchObject({ fixed: planned["planned"], for_a_person: 1, d1_was_restored: 1 });
  expect(done["sessions_ended"]).toBeGreaterThan(0);
  expect(await reconcile(true)).toMatchObject({ differences: 1, sale_without_lead: 1 });
  await resumeAll();

  // Only D1 had what the buyer typed into the form and the window. The account's details replace it.
  expect(await purchaseOf(sold)).toMatchObject({
    id: purchase!.id,
    buyerId: pat.user.id,
    amountPaidCents: 5000,
    purchasedAt: purchase!.purchasedAt,
    paymentStatus: "completed",
  });
  const [payment] = await db.select().from(payments).where(eq(payments.stripePaymentIntentId, intentId));
  expect(payment).toMatchObject({ state: "succeeded", slot: null });
  expect(await leadRow(sold)).toMatchObject({ status: "sold", listingState: "closed" });
  expect(await leadRow(withdrawn)).toMatchObject({ status: "withdrawn", listingState: "closed" });
  expect(await dumpD1()).not.toContain("Quillfeather");
  expect(await dumpExchanges()).not.toContain("Quillfeather");
  // Signed out before the restore and after it.
  expect((await call("GET", "/api/my-purchased-leads", { cookie })).status).toBe(401);

  const rival = await callerFor((await insertUser(db)).id);
  const buy = async (id: string) => (await rival("POST", `/api/leads/${id}/purchase`, BUYER)).status;
  expect(await buy(open)).toBe(201);
  for (const id of [sold, withdrawn, erased.id, fresh, lateSale.leadId])
    expect(await buy(id), id).toBeGreaterThanOrEqual(404);
  expect(stripe.refunds).toEqual([]);
  expect(await exchange.recordsOf([fresh])).toMatchObject([{ state: "withdrawn" }]);
});
