import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import type { Bindings } from "../platform/env.ts";
import { call, db, testEnv } from "../../testing/client.ts";
import {
  auditEntries,
  exchangeIn,
  leadRow,
  purchasesOf,
  setLead,
  setPurchase,
  stageChangesOf,
} from "../../testing/facts.ts";
import { listed, putOnMarket, recordDecision, runSweeps } from "../../testing/drivers.ts";
import { insertProvider } from "../../testing/sockets.ts";
import { directOrder, listOrder } from "../../testing/orders.ts";
import { insertManualPurchase, insertPendingLead, insertUser, quoteRequest } from "../../testing/world.ts";
import { eventually } from "../../testing/eventually.ts";

const BUYER = { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
const exchange = exchangeIn("inner-west");

/** Makes D1 refuse to write purchases until the returned function is called. */
async function breakPurchases() {
  await testEnv.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON lead_purchases BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  return () => testEnv.DB.exec("DROP TRIGGER broken");
}

/** Makes every outbox entry due, and runs the alarm. */
async function runOutbox() {
  await runInDurableObject(exchange, async (_, { storage }) => {
    storage.sql.exec("UPDATE due SET at = 1 WHERE kind = 'project'");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(exchange);
}

const outboxSize = () =>
  runInDurableObject(
    exchange,
    (_, { storage }) => storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n,
  );

const renameTable = (from: string, to: string) =>
  runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
  });

test("the sweep lists a request that was stored but never listed, once", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000);
  const { as } = await insertProvider();
  const readVisible = async () =>
    ((await (await as("GET", "/api/leads")).json()) as { id: string }[]).map(({ id }) => id);
  expect(await readVisible()).not.toContain(lead.id);
  await runSweeps();
  expect(await leadRow(lead.id)).toMatchObject({
    listingState: "listed",
    status: "available",
    exchangeVersion: 1,
  });
  await runSweeps();
  expect((await readVisible()).filter((id) => id === lead.id)).toHaveLength(1);
});

test("row 29: a visitor is thanked while the exchange is down, and the lead is listed once it is up", async () => {
  await renameTable("listings", "listings_away");
  const submitted = await call("POST", "/api/leads", { body: quoteRequest() });
  expect(submitted.status).toBe(201);
  const { id } = (await submitted.json()) as { id: string };
  await runSweeps(Date.now() + 60_000);
  expect(await leadRow(id)).toMatchObject({ listingState: "pending" });
  await renameTable("listings_away", "listings");
  await runSweeps(Date.now() + 60_000);
  expect(await leadRow(id)).toMatchObject({ listingState: "listed" });
});

/** Returns the Worker's bindings with one region's exchange failing. */
function withoutExchange(region: string): Bindings {
  const { LEAD_EXCHANGE: real } = testEnv;
  const lost = real.idFromName(region).toString();
  const unreachable = { list: () => Promise.reject(new Error("The exchange is away")) };
  const namespace = {
    idFromName: (name: string) => real.idFromName(name),
    get: (id: DurableObjectId) => (id.toString() === lost ? unreachable : real.get(id)),
  };
  return { ...testEnv, LEAD_EXCHANGE: namespace as unknown as Bindings["LEAD_EXCHANGE"] };
}

test("row 29: a region that is down delays no other region's requests, however many wait for it", async () => {
  const longAgo = Date.now() - 60 * 60_000;
  const waiting = [];
  for (let i = 0; i < 101; i++) waiting.push(await insertPendingLead(db, {}, longAgo));
  const otherRegionLead = await insertPendingLead(
    db,
    { customerAddress: "1 Main Street, Manly NSW 2095" },
    Date.now() - 60_000,
  );
  await runSweeps(Date.now(), withoutExchange("inner-west"));
  expect(await leadRow(otherRegionLead.id)).toMatchObject({ listingState: "listed" });
  expect(await leadRow(waiting[0]!.id)).toMatchObject({ listingState: "pending" });
  await runSweeps();
  await runSweeps();
  expect(await leadRow(waiting.at(-1)!.id)).toMatchObject({ listingState: "listed" });
});

test("a lead sold before D1 recorded its listing ends sold, and a late listing does not revive it", async () => {
  const lead = await insertPendingLead(db, {}, Date.now() - 60_000);
  const leadId = lead.id;
  // The crash: the exchange has listed the lead, but D1 still has it as pending.
  await exchange.decide(listOrder(lead));
  const { as } = await insertProvider();
  expect((await as("POST", `/api/leads/${leadId}/purchase`, BUYER)).status).toBe(201);
  await runSweeps();
  await putOnMarket(lead);
  expect(await leadRow(leadId)).toMatchObject({ listingState: "closed", status: "sold", exchangeVersion: 2 });
  expect(await purchasesOf(leadId)).toHaveLength(1);
});

test("a sale whose write to D1 failed returns all details, and the outbox writes it later", async () => {
  const lead = await listed();
  const { user, as } = await insertProvider();
  const restorePurchases = await breakPurchases();
  const result = await as("POST", `/api/leads/${lead.id}/purchase`, BUYER);
  expect(result.status).toBe(201);
  const bought = (await result.json()) as { id: string };
  expect(bought).toMatchObject({
    customerEmail: "anna.brown@example.com",
    customerAddress: lead.customerAddress,
  });
  expect(await purchasesOf(lead.id)).toEqual([]);
  await runOutbox();
  expect(await outboxSize()).toBe(1);

  await restorePurchases();
  await runOutbox();
  const [purchase] = await purchasesOf(lead.id);
  expect(purchase).toMatchObject({
    id: bought.id,
    buyerId: user.id,
    amountPaidCents: 5000,
    paymentStatus: "completed",
  });
  expect(await leadRow(lead.id)).toMatchObject({ status: "sold", listingState: "closed" });
  expect(await outboxSize()).toBe(0);
  const again = await as("POST", `/api/leads/${lead.id}/purchase`, BUYER);
  expect(await again.json()).toMatchObject({ id: bought.id });
});

test("writing a sale to D1 twice changes nothing, and an older version never overwrites a newer one", async () => {
  const lead = await listed();
  const { user } = await insertProvider();
  const order = directOrder(lead, user);
  const result = await exchange.decide(order);
  if (!result.ok) throw new Error(result.reason);
  const listing = structuredClone({ ...result.listing });
  for (let i = 0; i < 3; i++) expect(await recordDecision(listing)).toBe("written");
  await recordDecision({ ...listing, version: 1, state: "available", sale: null });
  expect(await leadRow(lead.id)).toMatchObject({ status: "sold", exchangeVersion: 2 });
  const [purchase, ...others] = await purchasesOf(lead.id);
  expect(others).toEqual([]);
  expect(await stageChangesOf(purchase!.id)).toHaveLength(1);
  expect(await auditEntries(lead.id)).toHaveLength(1);
});

test("the outbox does not retry an unpaid sale of a lead that has another buyer in D1", async () => {
  const lead = await listed();
  const manual = await insertManualPurchase(db, await insertUser(db), { stage: "called", startedAt: 1 });
  await setPurchase(manual, { leadId: lead.id });
  const { user } = await insertProvider();
  expect(await exchange.decide(directOrder(lead, user))).toMatchObject({ ok: true });
  await runOutbox();
  await eventually(async () => expect(await outboxSize()).toBe(0));
  expect((await purchasesOf(lead.id)).map(({ id }) => id)).toEqual([manual]);
});

test("the sweep lists only pending requests", async () => {
  const states = ["quarantined", "private", "closed"] as const;
  const ids: string[] = [];
  for (const listingState of states) {
    const lead = await insertPendingLead(db, {}, Date.now() - 60_000);
    await setLead(lead.id, { listingState });
    ids.push(lead.id);
  }
  await runSweeps();
  for (const [i, id] of ids.entries())
    expect(await leadRow(id)).toMatchObject({ listingState: states[i], exchangeVersion: 0 });
});
