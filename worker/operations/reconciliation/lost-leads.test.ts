/** Exchanges lose their storage while D1 keeps its data, and the market continues to trade. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../../contract/durations.ts";
import type { Region } from "../../../contract/regions.ts";
import { runSweeps } from "../../cron.ts";
import { attention, leadPurchases, leads, operatorJobs } from "../../platform/db/schema.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { moveLead, withdrawLead } from "../leads/admin-commands.ts";
import { putOnMarket } from "../../leads/commands.ts";
import { buyer as cardBuyer, listedLead, paymentOf, stripe, webhook } from "../../../testing/cards.ts";
import { call, callerFor, db, testEnv, testContext } from "../../../testing/client.ts";
import { addCounts, type Counts } from "../operator/rules.ts";
import { reconciliationLegs } from "./commands.ts";
import { walkPart } from "./walk-commands.ts";
import { jobRow, storeJob } from "../../../testing/operator.ts";
import { runOperatorJobs } from "../operator/commands.ts";
import { insertPayment, insertPendingLead, insertUser } from "../../../testing/world.ts";

const BUYER = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
const HERE: Region = "inner-west";
const THERE: Region = "parramatta";

beforeEach(async () => {
  await db.delete(operatorJobs);
  await db.delete(attention);
  // Closes leads that an earlier test left on offer.
  await db.update(leads).set({ status: "expired", listingState: "closed" });
});

async function listed(customerAddress = "12 Banksia Street, Leichhardt NSW 2040", age = 10 * MINUTE_MS) {
  const lead = await insertPendingLead(db, { customerAddress }, Date.now() - age);
  await putOnMarket(testContext, lead);
  return lead.id;
}

/** Empties an exchange's storage. D1 keeps its data. */
async function loseStorage(region: Region): Promise<void> {
  const exchange = exchangeOf(testEnv, region)!;
  await runInDurableObject(exchange, (_, { storage }) => storage.deleteAll());
  await evictDurableObject(exchange);
}

/** Runs only the job's walk. The whole cron might check for lost storage first. */
const reconcile = async () => {
  const legs = reconciliationLegs(true, HERE);
  let job: { createdAt: number; progress: unknown; result: unknown } = {
    createdAt: 1,
    progress: null,
    result: null,
  };
  for (;;) {
    const step = await walkPart(testContext, legs, job, Date.now(), {
      since: 0,
      until: Number.MAX_SAFE_INTEGER,
      only: HERE,
    });
    const result = addCounts(job.result as Counts | null, step.counts);
    if (step.state === "done") return result;
    job = { ...job, progress: step.progress, result };
  }
};

const buyer = async () => callerFor((await insertUser(db)).id);

async function buy(id: string): Promise<number> {
  const as = await buyer();
  return (await as("POST", `/api/leads/${id}/purchase`, BUYER)).status;
}

const rowOf = async (id: string) => (await db.select().from(leads).where(eq(leads.id, id)))[0]!;

test("row 40: an exchange that lost its storage gets its leads back automatically, and trades on", async () => {
  const [waiting, sold] = [await listed(), await listed()];
  expect(await buy(sold)).toBe(201);
  await loseStorage(HERE);
  expect(await buy(waiting)).toBe(404);
  const health = await call("GET", "/api/health");
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({ ok: false, market: { ok: false, forgotten: [HERE] } });

  await runSweeps(testEnv, Date.now());
  // The run that lists the leads again also closes the alert.
  expect(await db.select().from(attention)).toMatchObject([
    { kind: "exchange_forgot", subjectId: HERE, resolvedAt: expect.any(Number) },
  ]);
  expect(await rowOf(waiting)).toMatchObject({ listingState: "listed", generation: 1 });
  const statuses = [await buy(waiting), await buy(waiting), await buy(sold)];
  expect(statuses.map((status, i) => (i === 0 ? status : status >= 400))).toEqual([201, true, true]);
  expect(await rowOf(sold)).toMatchObject({ status: "sold", listingState: "closed" });
  expect(await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, sold))).toHaveLength(1);

  // The product does not change an intact market.
  expect((await call("GET", "/api/health")).status).toBe(200);
  await db.delete(attention);
  await runSweeps(testEnv, Date.now());
  expect(await db.select().from(attention)).toEqual([]);
});

test("row 40: lost storage is noticed although an older lead was listed after the loss", async () => {
  const older = await insertPendingLead(db, {}, Date.now() - 20 * MINUTE_MS);
  const lost = await listed();
  await loseStorage(HERE);
  await putOnMarket(testContext, older);
  await runSweeps(testEnv, Date.now());
  await runSweeps(testEnv, Date.now());
  expect(await rowOf(lost)).toMatchObject({ listingState: "listed" });
});

test("row 40: admins get the alert even if D1 fails to store it at first", async () => {
  const id = await listed();
  await loseStorage(HERE);
  await db.run(
    sql`CREATE TRIGGER no_alerts BEFORE INSERT ON attention BEGIN SELECT RAISE(ABORT, 'D1 is away'); END`,
  );
  await runSweeps(testEnv, Date.now());
  await db.run(sql`DROP TRIGGER no_alerts`);
  await runSweeps(testEnv, Date.now());
  await runSweeps(testEnv, Date.now());
  expect(await rowOf(id)).toMatchObject({ listingState: "listed" });
  expect(await db.select().from(attention)).toMatchObject([{ kind: "exchange_forgot", subjectId: HERE }]);
});

const storeRun = (isFix: boolean) =>
  storeJob({ kind: "reconcile", input: { since: 0, isFix, region: null } });

test("row 40: with all storage lost, reconcile --fix lists every region's leads again, once", async () => {
  const ids = [
    await listed("12 Banksia Street, Leichhardt NSW 2040"),
    await listed("3 Church Street, Parramatta NSW 2150"),
  ];
  expect(await Promise.all(ids.map(async (id) => (await rowOf(id)).region))).toEqual([HERE, THERE]);
  const [before] = await Promise.all(ids.map(rowOf));
  for (const region of [HERE, THERE]) await loseStorage(region);
  const [dry, first, second] = [await storeRun(false), await storeRun(true), await storeRun(true)];
  await runOperatorJobs(testContext, Date.now());
  expect(await jobRow(dry)).toMatchObject({ state: "done", result: { offer_differs: 2, planned: 2 } });
  expect(await jobRow(first)).toMatchObject({ state: "done", result: { offer_differs: 2, fixed: 2 } });
  expect(await jobRow(second)).toMatchObject({ state: "done", result: { differences: 0 } });
  // The exchange continues from D1's version, so that D1 accepts its next decisions.
  expect((await rowOf(ids[0]!)).exchangeVersion).toBeGreaterThan(before!.exchangeVersion);
  for (const id of ids) expect(await buy(id)).toBe(201);
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: "sold", listingState: "closed" });
});

test("row 40: a paid lead is never relisted automatically: an admin must check it", async () => {
  const paid = await listed();
  await insertPayment(db, await insertUser(db), paid, { state: "succeeded" });
  await loseStorage(HERE);
  expect(await reconcile()).toMatchObject({ offer_differs: 1, for_a_person: 1 });
  expect(await rowOf(paid)).toMatchObject({ listingState: "closed", generation: 1 });
  expect(await db.select().from(attention).where(eq(attention.subjectId, paid))).toMatchObject([
    { kind: "offer_differs" },
  ]);
});

test("row 40: a card sale that its exchange has lost remains, even if it is settled again", async () => {
  const leadId = await listedLead();
  const pat = await cardBuyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  await loseStorage(HERE);
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
  expect(stripe.refunds).toEqual([]);
  expect((await paymentOf(holdId))!.state).toBe("succeeded");
  expect(await rowOf(leadId)).toMatchObject({ status: "sold", listingState: "closed" });
});

test("row 40: a moved lead is bought in its new region although the old one has lost it", async () => {
  const id = await listed();
  const admin = await insertUser(db, { isSuperAdmin: true });
  await moveLead(testContext, id, { byUserId: admin.id, requestId: "move", region: THERE });
  await loseStorage(HERE);
  expect([await buy(id), (await rowOf(id)).region]).toEqual([201, THERE]);
});

test("row 40: a lead that its exchange has just lost can be withdrawn permanently", async () => {
  const id = await listed();
  const admin = await insertUser(db, { isSuperAdmin: true });
  await loseStorage(HERE);
  await withdrawLead(testContext, id, { byUserId: admin.id, requestId: "off", reason: "A test request" });
  expect(await rowOf(id)).toMatchObject({ status: "withdrawn", listingState: "closed" });
  await runSweeps(testEnv, Date.now());
  await runSweeps(testEnv, Date.now());
  expect([await buy(id), (await rowOf(id)).status]).toEqual([409, "withdrawn"]);
});

test("row 40: a lead that its exchange has just lost can be moved to its new region", async () => {
  const id = await listed();
  const admin = await insertUser(db, { isSuperAdmin: true });
  await loseStorage(HERE);
  await moveLead(testContext, id, { byUserId: admin.id, requestId: "move", region: THERE });
  expect(await rowOf(id)).toMatchObject({ region: THERE, listingState: "listed" });
  expect([await buy(id), await buy(id)]).toEqual([201, 409]);
});

test("row 40: two concurrent runs list a lead once", async () => {
  const id = await listed();
  await loseStorage(HERE);
  await Promise.all([reconcile(), reconcile()]);
  expect(await rowOf(id)).toMatchObject({ listingState: "listed" });
  expect([await buy(id), await buy(id)]).toEqual([201, 409]);
});
