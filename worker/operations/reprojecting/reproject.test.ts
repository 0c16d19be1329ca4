import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { runSweeps } from "../../cron.ts";
import { runOperatorJobs } from "../operator/commands.ts";
import {
  attention,
  leadPurchases,
  leads,
  operatorJobs,
  payments,
  stageChanges,
} from "../../platform/db/schema.ts";
import { exchangeOf } from "../../exchange/stub.ts";
import { putOnMarket } from "../../leads/commands.ts";
import { LEAD_PRICE_CENTS } from "../../../contract/money.ts";
import { phoneKey } from "../../../contract/phone.ts";
import { db, testEnv, testContext } from "../../../testing/client.ts";
import { advanceClock } from "../../../testing/clock.ts";
import { runJob, jobRow, storeJob } from "../../../testing/operator.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { directOrder, holdOrder } from "../../../testing/orders.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";

const BUYER = { buyerName: "Pat Provider", buyerEmail: null, buyerPhone: null };
const exchange = exchangeOf(testEnv, "inner-west")!;

async function listed(now = Date.now()) {
  const lead = await insertPendingLead(db, {}, now);
  await putOnMarket(testContext, lead);
  const [row] = await db.select().from(leads).where(eq(leads.id, lead.id));
  return row!;
}

type Listed = Awaited<ReturnType<typeof listed>>;

/** Restores D1 to the time just after the lead was listed. */
async function restore(lead: Listed): Promise<void> {
  await testEnv.DB.batch([
    testEnv.DB.prepare(
      "DELETE FROM stage_changes WHERE purchase_id IN (SELECT id FROM lead_purchases WHERE lead_id = ?)",
    ).bind(lead.id),
    testEnv.DB.prepare("DELETE FROM lead_purchases WHERE lead_id = ?").bind(lead.id),
    testEnv.DB.prepare("DELETE FROM payments WHERE lead_id = ?").bind(lead.id),
  ]);
  await db.update(leads).set(lead).where(eq(leads.id, lead.id));
}

const purchasesOf = (id: string) => db.select().from(leadPurchases).where(eq(leadPurchases.leadId, id));

async function sell(lead: Listed, user: { id: string }) {
  const order = directOrder(lead, user);
  const result = await exchange.decide(order);
  if (!result.ok) throw new Error(result.reason);
}

test("sales lost from D1 are restored field by field, and earlier ones do not change", async () => {
  const { as, user } = await insertProvider();
  const early = await listed();
  await sell(early, user);
  const since = Date.now() + 5;
  advanceClock(10);
  const lead = await listed();
  const buyer = {
    ...BUYER,
    buyerName: `${user.firstName} ${user.lastName}`,
    buyerEmail: "pat@example.com",
    buyerPhone: user.phone,
  };
  const bought = await as("POST", `/api/leads/${lead.id}/purchase`, buyer);
  expect(bought.status).toBe(201);
  const [before] = await purchasesOf(lead.id);
  await restore(lead);
  await restore(early);

  const job = await runJob({ kind: "reproject", input: { since } });
  expect(job).toMatchObject({ state: "done", result: { purchases_restored: 1 } });
  const [after, ...others] = await purchasesOf(lead.id);
  expect(others).toEqual([]);
  // Only D1 had the email from the form, so the account's email replaces it.
  expect(after).toEqual({ ...before, buyerEmail: user.email, buyerCompany: user.companyName });
  expect(await db.select().from(stageChanges).where(eq(stageChanges.purchaseId, after!.id))).toHaveLength(1);
  const [row] = await db.select().from(leads).where(eq(leads.id, lead.id));
  expect(row).toMatchObject({ status: "sold", listingState: "closed", exchangeVersion: 2 });
  expect(await purchasesOf(early.id)).toEqual([]);

  const repeated = await runJob({ kind: "reproject", input: { since } });
  expect(repeated.result).not.toHaveProperty("purchases_restored");
  expect(await purchasesOf(lead.id)).toEqual([after]);
});

test("a card payment's row is restored with its sale", async () => {
  const { user } = await insertProvider();
  const lead = await listed();
  const held = await exchange.decide(holdOrder(lead.id, user));
  if (!held.ok) throw new Error(held.reason);
  const { holdId } = held.listing.hold!;
  const payment = { leadId: lead.id, holdId, paymentIntentId: "pi_reprojected" };
  await exchange.decide({ type: "attach", ...payment });
  const settled = await exchange.decide({
    type: "settle",
    ...payment,
    businessId: user.id,
    amountCents: LEAD_PRICE_CENTS,
    currency: "aud",
    status: "succeeded",
  });
  expect(settled.ok).toBe(true);
  await restore(lead);
  const job = await runJob({ kind: "reproject", input: { since: 0 } });
  expect(job.result).toMatchObject({ payments_restored: 1 });
  const [row] = await db.select().from(payments).where(eq(payments.leadId, lead.id));
  expect(row).toMatchObject({
    holdId,
    stripePaymentIntentId: "pi_reprojected",
    state: "succeeded",
    amountCents: 5000,
    slot: null,
    buyerId: user.id,
  });
});

test("a lead on the market that D1 does not have is withdrawn; a sale of one is reported", async () => {
  const { user } = await insertProvider();
  const orphan = await listed();
  const lost = await listed();
  await sell(lost, user);
  advanceClock(5);
  await restore(lost);
  for (const { id } of [orphan, lost]) await db.delete(leads).where(eq(leads.id, id));
  const job = await runJob({ kind: "reproject", input: { since: 0 } });
  expect(job.result).toMatchObject({ orphans_withdrawn: 1, sales_without_lead: 1 });
  const result = await exchange.decide(directOrder(orphan, user));
  expect(result).toMatchObject({ ok: false, reason: "closed" });
  const [report] = await db.select().from(attention).where(eq(attention.subjectId, lost.id));
  expect(report).toMatchObject({ kind: "sale_without_lead", detail: expect.stringContaining("$50.00") });
});

test("an erasure that a restore undid runs again", async () => {
  const lead = await listed();
  const phone = "0491 571 804";
  await db
    .update(leads)
    .set({ customerPhone: phone, phoneKey: phoneKey(phone) })
    .where(eq(leads.id, lead.id));
  await runJob({ kind: "erase_person", input: { phone, email: null } });
  await restore({ ...lead, erasedAt: null });
  const job = await runJob({ kind: "reproject", input: { since: Date.now() - 60_000 } });
  expect(job.result).toMatchObject({ leads_erased_again: 1 });
  const [row] = await db.select().from(leads).where(eq(leads.id, lead.id));
  expect(row).toMatchObject({ customerName: "Erased customer", status: "withdrawn" });
});

test("a failed job is retried later, resumes where it stopped, and is finally marked failed", async () => {
  const id = await storeJob({ kind: "reproject", input: { since: 0 } });
  const unreachable = {
    ...testEnv,
    LEAD_EXCHANGE: { get: () => ({}), idFromName: () => ({}) } as unknown as typeof testEnv.LEAD_EXCHANGE,
  };
  const now = Date.now();
  await runSweeps(unreachable, now);
  expect(await jobRow(id)).toMatchObject({ state: "waiting", attempts: 1, result: { errors: 1 } });
  // The job backs off, so a sweep one second later does not retry it.
  await runSweeps(testEnv, now + 1_000);
  expect(await jobRow(id)).toMatchObject({ state: "waiting", attempts: 1 });
  for (let hours = 1; hours < 8; hours++) await runSweeps(unreachable, now + hours * 2 * 60 * 60_000);
  expect(await jobRow(id)).toMatchObject({ state: "failed", input: null });
});

test("of two concurrent crons, one runs the job", async () => {
  await insertUser(db);
  const id = await storeJob({ kind: "reproject", input: { since: Date.now() + 60_000 } });
  const now = Date.now();
  await Promise.all([runSweeps(testEnv, now), runSweeps(testEnv, now)]);
  const row = await jobRow(id);
  expect(row).toMatchObject({ state: "done" });
  const alone = await runJob({ kind: "reproject", input: { since: Date.now() + 60_000 } });
  expect(row.result).toEqual(alone.result);
  expect(await db.select().from(operatorJobs).where(eq(operatorJobs.state, "waiting"))).toEqual([]);
});

test("a job continues in the region that its cursor names, whatever the order of the regions", async () => {
  const { id } = await listed();
  await db.update(leads).set({ listingState: "pending", exchangeVersion: 0 }).where(eq(leads.id, id));
  const states: string[] = [];
  for (const region of ["nsw", "inner-west"]) {
    const job = await storeJob({ kind: "reproject", input: { since: 0 } });
    const progress = { leg: "records", region, after: null };
    await db.update(operatorJobs).set({ progress }).where(eq(operatorJobs.id, job));
    await runOperatorJobs(testContext, Date.now());
    expect(await jobRow(job)).toMatchObject({ state: "done" });
    states.push((await db.select().from(leads).where(eq(leads.id, id)))[0]!.listingState);
  }
  expect(states).toEqual(["pending", "listed"]);
});
