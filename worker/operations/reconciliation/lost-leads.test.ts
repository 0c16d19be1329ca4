/** Exchanges lose their storage while D1 keeps its data, and the market continues to trade. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../../contract/durations.ts";
import type { Region } from "../../../contract/regions.ts";
import { attention, leads, operatorJobs } from "../../tables.ts";
import { buyer as cardBuyer, listedLead, paymentOf, stripe, webhook } from "../../../testing/cards.ts";
import { call, callerFor, db, testContext } from "../../../testing/client.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { exchangeIn, leadRow, problems, problemsOf, purchasesOf } from "../../../testing/facts.ts";
import { listed, putOnMarket, runSweep, runSweeps } from "../../../testing/drivers.ts";
import { addCounts, type Counts } from "../operator/rules.ts";
import { reconciliationLegs } from "./commands.ts";
import { walkPart } from "./walk-commands.ts";
import { jobRow, storeJob } from "../../../testing/operator.ts";
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

async function listedEarlier(
  customerAddress = "12 Banksia Street, Leichhardt NSW 2040",
  age = 10 * MINUTE_MS,
) {
  return (await listed({ customerAddress }, Date.now() - age)).id;
}

/** Empties an exchange's storage. D1 keeps its data. */
async function loseStorage(region: Region): Promise<void> {
  const exchange = exchangeIn(region);
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

test("row 40: an exchange that lost its storage gets its leads back automatically, and trades on", async () => {
  const [waiting, sold] = [await listedEarlier(), await listedEarlier()];
  expect(await buy(sold)).toBe(201);
  await loseStorage(HERE);
  expect(await buy(waiting)).toBe(404);
  const health = await call("GET", "/api/health");
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({ ok: false, market: { ok: false, forgotten: [HERE] } });

  await runSweeps();
  // The run that lists the leads again also closes the alert.
  expect(await problems()).toMatchObject([
    { kind: "exchange_forgot", subjectId: HERE, resolvedAt: expect.any(Number) },
  ]);
  expect(await leadRow(waiting)).toMatchObject({ listingState: "listed", generation: 1 });
  const statuses = [await buy(waiting), await buy(waiting), await buy(sold)];
  expect(statuses.map((status, i) => (i === 0 ? status : status >= 400))).toEqual([201, true, true]);
  expect(await leadRow(sold)).toMatchObject({ status: "sold", listingState: "closed" });
  expect(await purchasesOf(sold)).toHaveLength(1);

  // The product does not change an intact market.
  expect((await call("GET", "/api/health")).status).toBe(200);
  await db.delete(attention);
  await runSweeps();
  expect(await problems()).toEqual([]);
});

test("row 40: lost storage is noticed although an older lead was listed after the loss", async () => {
  const older = await insertPendingLead(db, {}, Date.now() - 20 * MINUTE_MS);
  const lost = await listedEarlier();
  await loseStorage(HERE);
  await putOnMarket(older);
  await runSweeps();
  await runSweeps();
  expect(await leadRow(lost)).toMatchObject({ listingState: "listed" });
});

test("row 40: admins get the alert even if D1 fails to store it at first", async () => {
  const id = await listedEarlier();
  await loseStorage(HERE);
  await db.run(
    sql`CREATE TRIGGER no_alerts BEFORE INSERT ON attention BEGIN SELECT RAISE(ABORT, 'D1 is away'); END`,
  );
  await runSweeps();
  await db.run(sql`DROP TRIGGER no_alerts`);
  await runSweeps();
  await runSweeps();
  expect(await leadRow(id)).toMatchObject({ listingState: "listed" });
  expect(await problems()).toMatchObject([{ kind: "exchange_forgot", subjectId: HERE }]);
});

const storeRun = (isFix: boolean) =>
  storeJob({ kind: "reconcile", input: { since: 0, isFix, region: null } });

test("row 40: with all storage lost, reconcile --fix lists every region's leads again, once", async () => {
  const ids = [
    await listedEarlier("12 Banksia Street, Leichhardt NSW 2040"),
    await listedEarlier("3 Church Street, Parramatta NSW 2150"),
  ];
  expect(await Promise.all(ids.map(async (id) => (await leadRow(id)).region))).toEqual([HERE, THERE]);
  const [before] = await Promise.all(ids.map(leadRow));
  for (const region of [HERE, THERE]) await loseStorage(region);
  const [dry, first, second] = [await storeRun(false), await storeRun(true), await storeRun(true)];
  await runSweep("operator_jobs");
  expect(await jobRow(dry)).toMatchObject({ state: "done", result: { offer_differs: 2, planned: 2 } });
  expect(await jobRow(first)).toMatchObject({ state: "done", result: { offer_differs: 2, fixed: 2 } });
  expect(await jobRow(second)).toMatchObject({ state: "done", result: { differences: 0 } });
  // The exchange continues from D1's version, so that D1 accepts its next decisions.
  expect((await leadRow(ids[0]!)).exchangeVersion).toBeGreaterThan(before!.exchangeVersion);
  for (const id of ids) expect(await buy(id)).toBe(201);
  for (const id of ids) expect(await leadRow(id)).toMatchObject({ status: "sold", listingState: "closed" });
});

test("row 40: a paid lead is never relisted automatically: an admin must check it", async () => {
  const paid = await listedEarlier();
  await insertPayment(db, await insertUser(db), paid, { state: "succeeded" });
  await loseStorage(HERE);
  expect(await reconcile()).toMatchObject({ offer_differs: 1, for_a_person: 1 });
  expect(await leadRow(paid)).toMatchObject({ listingState: "closed", generation: 1 });
  expect(await problemsOf(paid)).toMatchObject([{ kind: "offer_differs" }]);
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
  expect(await leadRow(leadId)).toMatchObject({ status: "sold", listingState: "closed" });
});

test("row 40: a moved lead is bought in its new region although the old one has lost it", async () => {
  const id = await listedEarlier();
  const { asAdmin } = await insertAdmin();
  expect((await asAdmin("POST", `/api/super-admin/leads/${id}/move`, { region: THERE })).status).toBe(200);
  await loseStorage(HERE);
  expect([await buy(id), (await leadRow(id)).region]).toEqual([201, THERE]);
});

test("row 40: a lead that its exchange has just lost can be withdrawn permanently", async () => {
  const id = await listedEarlier();
  const { asAdmin } = await insertAdmin();
  await loseStorage(HERE);
  expect(
    (await asAdmin("POST", `/api/super-admin/leads/${id}/withdraw`, { reason: "A test request" })).status,
  ).toBe(200);
  expect(await leadRow(id)).toMatchObject({ status: "withdrawn", listingState: "closed" });
  await runSweeps();
  await runSweeps();
  expect([await buy(id), (await leadRow(id)).status]).toEqual([409, "withdrawn"]);
});

test("row 40: a lead that its exchange has just lost can be moved to its new region", async () => {
  const id = await listedEarlier();
  const { asAdmin } = await insertAdmin();
  await loseStorage(HERE);
  expect((await asAdmin("POST", `/api/super-admin/leads/${id}/move`, { region: THERE })).status).toBe(200);
  expect(await leadRow(id)).toMatchObject({ region: THERE, listingState: "listed" });
  expect([await buy(id), await buy(id)]).toEqual([201, 409]);
});

test("row 40: two concurrent runs list a lead once", async () => {
  const id = await listedEarlier();
  await loseStorage(HERE);
  await Promise.all([reconcile(), reconcile()]);
  expect(await leadRow(id)).toMatchObject({ listingState: "listed" });
  expect([await buy(id), await buy(id)]).toEqual([201, 409]);
});
