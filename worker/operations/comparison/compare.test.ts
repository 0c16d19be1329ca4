/** Checks what the comparison of D1 and the exchanges reports before a restored market reopens. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { attention, leadPurchases, leads, operatorJobs, stageChanges } from "../../platform/db/schema.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { putOnMarket } from "../../leads/commands.ts";
import { callerFor, db, testEnv, testContext } from "../../../testing/client.ts";
import { runJob } from "../../../testing/operator.ts";
import { directOrder, withdrawalOf } from "../../../testing/orders.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";

const exchange = exchangeOf(testEnv, "inner-west")!;

beforeEach(async () => {
  await db.delete(operatorJobs);
  await db.delete(attention);
});

/**
 * Excludes decisions of earlier tests. The comparison includes all leads on offer, so earlier leads are withdrawn.
 */
let since = 0;
beforeEach(async () => {
  const open = await db.select().from(leads).where(eq(leads.listingState, "listed"));
  for (const lead of open) {
    await exchange.decide(withdrawalOf(lead));
    await db.update(leads).set({ status: "withdrawn", listingState: "closed" }).where(eq(leads.id, lead.id));
  }
  since = Date.now();
});

async function listed() {
  const lead = await insertPendingLead(db, {}, Date.now());
  await putOnMarket(testContext, lead);
  return lead.id;
}

async function sold() {
  const id = await listed();
  const user = await insertUser(db);
  const as = await callerFor(user.id);
  const form = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  expect((await as("POST", `/api/leads/${id}/purchase`, form)).status).toBe(201);
  return { id, user };
}

async function compare() {
  const { state, result } = await runJob({ kind: "compare_market", input: { since } });
  expect(state).toBe("done");
  const counts = result as Record<string, number>;
  return { counts, named: Object.keys(counts).filter((name) => name.startsWith("lead_")) };
}

async function deleteSale(leadId: string): Promise<void> {
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  await db.delete(stageChanges).where(eq(stageChanges.purchaseId, purchase!.id));
  await db.delete(leadPurchases).where(eq(leadPurchases.id, purchase!.id));
}

test("a market on which D1 and the exchanges agree has no differences, and its rows are counted", async () => {
  await listed();
  await sold();
  const { counts, named } = await compare();
  expect(counts).toMatchObject({ sold: 1, offered: 1, purchases: 1, differences: 0 });
  expect(named).toEqual([]);
});

test("row 44: what D1 has lost or stores differently is named field by field, and gone after a reprojection", async () => {
  const forgotten = await sold();
  const cheaper = await sold();
  await deleteSale(forgotten.id);
  await db
    .update(leads)
    .set({ status: "available", listingState: "listed", exchangeVersion: 0 })
    .where(eq(leads.id, forgotten.id));
  await db
    .update(leadPurchases)
    .set({ amountPaidCents: 1, mode: "claimed" })
    .where(eq(leadPurchases.leadId, cheaper.id));
  const { counts, named } = await compare();
  expect(named.toSorted()).toEqual(
    [
      `${forgotten.id}: status, listing, purchase`,
      `${forgotten.id}: offered in D1, sold at its exchange`,
      `${cheaper.id}: mode, amount`,
    ].toSorted(),
  );
  expect(counts.differences).toBe(3);
  await db
    .update(leadPurchases)
    .set({ amountPaidCents: 5000, mode: "direct" })
    .where(eq(leadPurchases.leadId, cheaper.id));
  await runJob({ kind: "reproject", input: { since } });
  expect((await compare()).counts.differences).toBe(0);
});

test("a lead that is bought according to D1 but for sale at its exchange is a difference", async () => {
  const id = await listed();
  const user = await insertUser(db);
  const other = await sold();
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, other.id));
  const { tile: _, nextActionOrder: __, ...row } = purchase!;
  await db.insert(leadPurchases).values({ ...row, id: "pur_of_d1_alone", leadId: id, buyerId: user.id });
  expect((await compare()).named).toEqual([`${id}: bought in D1, available at its exchange`]);
});

test("row 44: a sale without a lead differs until an admin resolves it, and is reported once", async () => {
  const id = await listed();
  const user = await insertUser(db);
  const answer = await exchange.decide(directOrder({ id }, user));
  if (!answer.ok) throw new Error(answer.reason);
  // D1 acknowledged the sale and lost it afterwards.
  await exchange.acknowledge(id, answer.listing.version);
  await db.delete(leads).where(eq(leads.id, id));
  await runJob({ kind: "reproject", input: { since } });
  expect((await compare()).named).toEqual([`${id}: lead`]);
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const resolved = await admin("POST", "/api/super-admin/attention/resolve", {
    kind: "sale_without_lead",
    subjectId: id,
  });
  expect(resolved.status).toBeLessThan(300);
  expect((await compare()).counts.differences).toBe(0);
  await runJob({ kind: "reproject", input: { since } });
  expect((await compare()).counts.differences).toBe(0);
});

test("only the first differences are named, however many there are", async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => listed()));
  for (const id of ids) await db.update(leads).set({ priceCents: 1 }).where(eq(leads.id, id));
  const { counts, named } = await compare();
  expect(counts.differences).toBe(60);
  expect(named).toHaveLength(20);
});
