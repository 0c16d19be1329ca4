import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { runInDurableObject } from "cloudflare:test";
import { and, eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { runSweeps } from "../../cron.ts";
import { attention, leadPurchases, leads, operatorJobs, payments } from "../../platform/db/schema.ts";
import { newId } from "../../platform/ids.ts";
import {
  buyer,
  exchange,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  purchaseOf,
  runAlarm,
  stripe,
} from "../../../testing/cards.ts";
import { callerFor, db, testEnv } from "../../../testing/client.ts";
import { runJob, jobRow } from "../../../testing/operator.ts";
import type { Intent } from "../../../testing/stand-ins/stripe-book.ts";
import { insertPayment, insertPendingLead, insertUser } from "../../../testing/world.ts";

/** Each planted difference needs a purchase, and five runs check all of them. */
const LIMIT = { timeout: 120_000 };

beforeEach(() => stripe.clearFaults());

/** Buys a lead with a card, so that Stripe, ledger, purchase and exchange agree. */
async function bought() {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  const [payment, purchase] = [await paymentOf(holdId), (await purchaseOf(leadId))!];
  return { leadId, pat, holdId, intentId, payment, purchase };
}

/** Runs a whole reconciliation of all rows. Its time is an hour from now, so that no row is too new. */
async function reconcile(laterMs = HOUR_MS) {
  const id = `job_${newId("hold")}`;
  const now = Date.now() + laterMs;
  const job = { kind: "reconcile", input: { since: 0 } };
  await db.insert(operatorJobs).values({ id, ...job, createdAt: now, updatedAt: now });
  await runSweeps(testEnv, now);
  const row = await jobRow(id);
  expect(row.state).toBe("done");
  return row.result as Record<string, number>;
}

async function reportsOf(...subjectIds: string[]) {
  const rows = await db.select().from(attention).where(inArray(attention.subjectId, subjectIds));
  return rows.map(({ kind }) => kind).toSorted();
}

test("if everything agrees, nothing is reported", async () => {
  const { intentId, payment, purchase, leadId } = await bought();
  const refunded = await bought();
  stripe.refundInDashboard(refunded.intentId);
  await refunded.pat.settle(refunded.holdId);
  const open = await listedLead();
  expect(await reconcile()).toMatchObject({ differences: 0, looked_at: expect.any(Number) });
  expect(await reportsOf(intentId, payment.id, purchase.id, leadId, open)).toEqual([]);
});

/** Counts the nightly runs enqueued so far. */
async function nightly(): Promise<number> {
  const jobs = await db.select().from(operatorJobs);
  return jobs.filter(({ id }) => id.startsWith("job_reconcile_")).length;
}

/** Payments that the account does not know while its keys are changed. */
const lost = new Map<string, Intent>();

/** Each function plants one difference in a sale or a lead, and returns the ID that the report must contain. */
const PLANTED: Record<string, () => Promise<string>> = {
  unknown_payment: async () => {
    const { intentId, payment } = await bought();
    await db.delete(payments).where(eq(payments.id, payment.id));
    return intentId;
  },
  payment_state: async () => {
    const { intentId, payment } = await bought();
    await db.update(payments).set({ state: "disputed" }).where(eq(payments.id, payment.id));
    await db
      .update(leadPurchases)
      .set({ paymentStatus: "disputed" })
      .where(eq(leadPurchases.paymentIntentId, intentId));
    return intentId;
  },
  payment_amount: async () => {
    const { intentId, payment, purchase } = await bought();
    await db.update(payments).set({ amountCents: 4000 }).where(eq(payments.id, payment.id));
    await db.update(leadPurchases).set({ amountPaidCents: 4000 }).where(eq(leadPurchases.id, purchase.id));
    return intentId;
  },
  "purchase_amount: Stripe took more": async () => {
    const { intentId, purchase } = await bought();
    Object.assign(stripe.intents.get(intentId)!, { amount: 6000, amount_received: 6000 });
    await db.update(payments).set({ amountCents: 6000 }).where(eq(payments.stripePaymentIntentId, intentId));
    return purchase.id;
  },
  payment_refund: async () => {
    const { intentId } = await bought();
    stripe.refundInDashboard(intentId, 1000);
    return intentId;
  },
  payment_missing_at_stripe: async () => {
    const { intentId } = await bought();
    lost.set(intentId, stripe.intents.get(intentId)!);
    stripe.forgetIntent(intentId);
    return intentId;
  },
  slot_taken: async () => {
    const { payment } = await bought();
    await db.update(payments).set({ slot: 2 }).where(eq(payments.id, payment.id));
    return payment.id;
  },
  paid_without_purchase: async () => {
    const { payment, purchase } = await bought();
    await testEnv.DB.exec(`DELETE FROM stage_changes WHERE purchase_id = '${purchase.id}'`);
    await db.delete(leadPurchases).where(eq(leadPurchases.id, purchase.id));
    return payment.id;
  },
  purchase_status: async () => {
    const { purchase } = await bought();
    await db
      .update(leadPurchases)
      .set({ paymentStatus: "refunded" })
      .where(eq(leadPurchases.id, purchase.id));
    return purchase.id;
  },
  purchase_without_payment: async () => {
    const { purchase } = await bought();
    await db.update(leadPurchases).set({ paymentIntentId: null }).where(eq(leadPurchases.id, purchase.id));
    return purchase.id;
  },
  bought_not_sold: async () => {
    const { leadId } = await bought();
    await db.update(leads).set({ status: "withdrawn" }).where(eq(leads.id, leadId));
    return leadId;
  },
  sale_differs: async () => {
    const { leadId, purchase } = await bought();
    const { id: buyerId } = await insertUser(db);
    await db.update(leadPurchases).set({ buyerId }).where(eq(leadPurchases.id, purchase.id));
    return leadId;
  },
  "sale_differs: withdrawn at its exchange": async () => {
    const leadId = await listedLead();
    await withdraw(leadId);
    await db.update(leads).set({ status: "sold" }).where(eq(leads.id, leadId));
    return leadId;
  },
  "sale_differs: a purchase's amount": async () => {
    const { leadId, purchase } = await bought();
    await db.update(leadPurchases).set({ amountPaidCents: 1 }).where(eq(leadPurchases.id, purchase.id));
    return leadId;
  },
  purchase_amount: async () => {
    const { purchase } = await bought();
    await db.update(leadPurchases).set({ amountPaidCents: 4900 }).where(eq(leadPurchases.id, purchase.id));
    return purchase.id;
  },
  paid_twice: async () => {
    const { leadId, pat, intentId } = await bought();
    const { amount, currency, metadata } = stripe.intents.get(intentId)!;
    const holdId = newId("hold");
    const about = { ...metadata, hold: holdId };
    const fields = Object.entries(about).map(([name, value]) => [`metadata[${name}]`, value]);
    const params = new URLSearchParams([["amount", String(amount)], ["currency", currency], ...fields]);
    const second = stripe.book.create(params);
    stripe.confirm(second.id, "good");
    return insertPayment(db, pat.user, leadId, { holdId, stripePaymentIntentId: second.id });
  },
  offer_differs: async () => {
    const leadId = await listedLead();
    await runInDurableObject(exchange, (_, { storage }) =>
      storage.sql.exec("DELETE FROM listings WHERE lead_id = ?", leadId),
    );
    return leadId;
  },
  "offer_differs: withdrawn at its exchange": async () => {
    const leadId = await listedLead();
    await withdraw(leadId);
    await db.update(leads).set({ status: "available", listingState: "listed" }).where(eq(leads.id, leadId));
    return leadId;
  },
  market_differs: async () => {
    const leadId = await listedLead();
    await db.update(leads).set({ status: "withdrawn", listingState: "closed" }).where(eq(leads.id, leadId));
    return leadId;
  },
  "market_differs: bought in D1": async () => {
    const leadId = await listedLead();
    const { purchase } = await bought();
    const { tile: _, nextActionOrder: __, ...row } = purchase;
    const own = { id: newId("pur"), leadId, mode: "direct" as const, paymentIntentId: null };
    await db.insert(leadPurchases).values({ ...row, ...own });
    await db.update(leads).set({ status: "sold", listingState: "closed" }).where(eq(leads.id, leadId));
    return leadId;
  },
  "market_differs: erased in D1": async () => {
    const leadId = await listedLead();
    const erased = { status: "withdrawn", listingState: "closed", erasedAt: Date.now() } as const;
    await db.update(leads).set(erased).where(eq(leads.id, leadId));
    return leadId;
  },
};

/** Withdraws a lead as an admin does on the page *Leads*. */
async function withdraw(leadId: string): Promise<void> {
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const response = await admin("POST", `/api/super-admin/leads/${leadId}/withdraw`, { reason: "test" });
  expect(response.status).toBeLessThan(300);
}

/** Runs a job as an operator's command does. A reprojection goes a day further back. */
async function operate(kind: "reproject" | "relist", input: object): Promise<void> {
  const { state } = await runJob({ kind, input });
  expect(state).toBe("done");
}

/** Returns the advised command, or the whole text if there is no command. */
const adviceOf = (detail: string) => /`([^`]+)`/.exec(detail)?.[1] ?? detail;

/**
 * Follows the advice literally: runs the command if there is one, otherwise refunds or changes the key.
 * @param isTomorrow Whether the stores still differ after the command
 */
async function followAdvice(detail: string, isTomorrow = false): Promise<void> {
  const command = adviceOf(detail);
  const [, since] = /^npm run operate -- reproject --since=(\S+) --remote$/.exec(command) ?? [];
  const [, region] = /^npm run operate -- relist --region=(\S+) --remote$/.exec(command) ?? [];
  const [, sql] = /^npx wrangler d1 execute DB --remote --command "(.+)"$/.exec(command) ?? [];
  const [, dollars, intentId] =
    /[Rr]efund (?:\$([\d.]+) of )?(?:(?:all|the rest) of )?(pi_\w+)/.exec(detail) ?? [];
  if (isTomorrow) stripe.refundInDashboard(intentId!, dollars ? Number(dollars) * 100 : undefined);
  else if (since) await operate("reproject", { since: Math.max(0, Date.parse(since) - DAY_MS) });
  else if (region) await operate("relist", { region });
  else if (sql) await testEnv.DB.prepare(sql).run();
  else if (intentId) stripe.refundInDashboard(intentId, dollars ? Number(dollars) * 100 : undefined);
  else if (detail.includes("Set STRIPE_SECRET_KEY"))
    for (const [id, intent] of lost) stripe.intents.set(id, intent);
  else if (detail.includes("refund the payment that has no purchase")) await refundWithoutPurchase(detail);
  else
    expect(detail, "advice that can be followed").toMatch(/You don't need to do anything|This run updates/);
}

async function refundWithoutPurchase(detail: string): Promise<void> {
  const leadId = /Lead (\S+) was paid/.exec(detail)![1]!;
  const bought = (await purchaseOf(leadId))!.paymentIntentId;
  for (const { id } of stripe.intentsOf(leadId)) if (id !== bought) stripe.refundInDashboard(id);
}

test(
  "each planted difference is reported once, and disappears after its advice is followed",
  LIMIT,
  async () => {
    const planted: { name: string; kind: string; subjectId: string }[] = [];
    for (const [name, plant] of Object.entries(PLANTED)) {
      const subjectId = await plant();
      planted.push({ name, kind: name.split(":")[0]!, subjectId });
    }
    const idOf = (wanted: string) => planted.find(({ name }) => name === wanted)?.subjectId;
    const reports = async () => {
      const rows = await db.select().from(attention);
      return planted.map((one) =>
        rows.filter((row) => row.kind === one.kind && row.subjectId === one.subjectId),
      );
    };
    await reconcile();
    const first = await reports();
    expect(first.map((rows, i) => `${planted[i]!.name}: ${rows.length}`)).toEqual(
      planted.map(({ name }) => `${name}: 1`),
    );
    await reconcile(2 * HOUR_MS);
    expect(await reports(), "reported once").toEqual(first);

    // Several differences share one command, so it runs once.
    const advice = new Map(first.map(([report]) => [adviceOf(report!.detail), report!.detail]));
    for (const detail of advice.values()) await followAdvice(detail);
    await db.delete(attention);
    await reconcile(3 * HOUR_MS);
    const stubborn = await db.select().from(attention).where(eq(attention.kind, "purchase_amount"));
    expect(stubborn).toMatchObject([{ subjectId: idOf("purchase_amount: Stripe took more") }]);
    await followAdvice(stubborn[0]!.detail, true);
    // This run records the manual refunds in the ledger.
    await reconcile(3.5 * HOUR_MS);
    await db.delete(attention);
    const { differences } = await reconcile(4 * HOUR_MS);
    expect(await db.select().from(attention)).toEqual([]);
    expect(differences).toBe(0);
  },
);

test("after following the advice, a lead that D1 withdrew is off the market, and one that D1 erased has no person there", async () => {
  const [withdrawn, erased] = [
    await PLANTED.market_differs!(),
    await PLANTED["market_differs: erased in D1"]!(),
  ];
  await reconcile();
  const rows = await db
    .select()
    .from(attention)
    .where(inArray(attention.subjectId, [withdrawn, erased]));
  for (const { detail } of rows) await followAdvice(detail);
  expect((await listingOf(withdrawn)).state).toBe("withdrawn");
  expect((await listingOf(erased)).state).toBe("withdrawn");
  const [lead] = await db.select().from(leads).where(eq(leads.id, withdrawn));
  expect(lead).toMatchObject({ status: "withdrawn", listingState: "closed" });
  const { records } = await exchange.pageRecords({ since: 0, after: null, limit: 1_000 });
  expect(records.find(({ leadId }) => leadId === erased)).toMatchObject({ isErased: true });
});

test("a payment without a sale that was refunded by hand is not a difference", async () => {
  const { intentId, leadId, payment, purchase } = await bought();
  await db.delete(payments).where(eq(payments.id, payment.id));
  await reconcile();
  expect(await reportsOf(intentId)).toEqual(["unknown_payment"]);
  stripe.refundInDashboard(intentId);
  await db.delete(attention);
  await reconcile(2 * HOUR_MS);
  expect(await reportsOf(intentId, leadId)).toEqual([]);
  expect(await reportsOf(purchase.id)).toEqual(["purchase_without_payment"]);
});

test("row 20: a refund that failed later, with its event lost, is noticed and owed again", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await endHold(leadId);
  await runAlarm(leadId);
  stripe.intents.get(intentId)!.status = "requires_payment_method";
  stripe.confirm(intentId, "good");
  await pat.settle(holdId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  stripe.undoRefund(intentId);
  await reconcile();
  const refunds = stripe.refunds.filter((refund) => refund.payment_intent === intentId);
  expect(refunds.map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", refundedCents: 5000 });
  expect(await reportsOf(intentId)).toContain("payment_state");
});

test("a payment whose events were all lost is settled, and becomes a sale", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  // Prevents the minute's sweep from settling the payment first.
  await db
    .update(payments)
    .set({ updatedAt: Date.now() + 24 * HOUR_MS })
    .where(eq(payments.holdId, holdId));
  await reconcile();
  expect(await listingOf(leadId)).toMatchObject({ state: "sold", sale: { paymentIntentId: intentId } });
  expect(await purchaseOf(leadId)).toMatchObject({ buyerId: pat.user.id });
});

test("a run of many pages resumes where it stopped", async () => {
  const { intentId } = await bought();
  stripe.refundInDashboard(intentId, 500);
  for (let i = 0; i < 120; i++)
    stripe.book.create(new URLSearchParams({ amount: "1", currency: "aud", "metadata[app]": "another" }));
  stripe.fail("list", "broken");
  const id = `job_${newId("hold")}`;
  const now = Date.now() + HOUR_MS;
  await db
    .insert(operatorJobs)
    .values({ id, kind: "reconcile", input: { since: 0 }, createdAt: now, updatedAt: now });
  await runSweeps(testEnv, now);
  expect(await jobRow(id)).toMatchObject({ state: "waiting", result: { errors: 1 } });
  await runSweeps(testEnv, now + 10 * 60_000);
  expect(await jobRow(id)).toMatchObject({ state: "done", result: { payment_refund: 1 } });
});

test("rows of the same millisecond are all checked, however many pages they fill", async () => {
  const COUNT = 60;
  const at = Date.now() - HOUR_MS;
  const numbers = Array.from({ length: COUNT }, (_, i) => i);
  const rows = await Promise.all(numbers.map(() => insertPendingLead(db, {}, at)));
  const ids = rows.map(({ id }) => id);
  await db.update(leads).set({ listingState: "listed" }).where(inArray(leads.id, ids));
  const { id: buyerId } = await insertUser(db);
  const times = { createdAt: at, updatedAt: at };
  for (const leadId of ids)
    await db.insert(payments).values({
      ...times,
      id: newId("pay"),
      holdId: newId("hold"),
      leadId,
      region: "inner-west",
      buyerId: leadId,
      userId: buyerId,
      state: "cancelled",
      slot: 1,
      amountCents: 5000,
    });
  const isTheirs = inArray(attention.subjectId, ids);
  const counts = await reconcile();
  expect(counts["slot_taken"]).toBeGreaterThanOrEqual(COUNT);
  const offers = await db
    .select()
    .from(attention)
    .where(and(isTheirs, eq(attention.kind, "offer_differs")));
  expect(offers).toHaveLength(COUNT);
  for (const leadId of ids)
    await db.insert(leadPurchases).values({
      id: newId("pur"),
      leadId,
      buyerId,
      boughtByUserId: buyerId,
      buyerName: "Pat",
      mode: "stripe",
      amountPaidCents: 5000,
      purchasedAt: at,
      updatedAt: at,
    });
  await reconcile();
  const bought = await db
    .select()
    .from(attention)
    .where(and(isTheirs, eq(attention.kind, "bought_not_sold")));
  expect(bought).toHaveLength(COUNT);
});

test("the nightly run is enqueued once a day, from the configured hour", async () => {
  const env = { ...testEnv, NIGHTLY_AT: "03:00" };
  // In Sydney's summer: 02:59, 03:00 and noon of one day, then the next night.
  const at = (utc: string) => runSweeps(env, Date.parse(utc));
  await at("2027-01-04T15:59:00Z");
  expect(await nightly()).toBe(0);
  await at("2027-01-04T16:00:00Z");
  await at("2027-01-05T01:00:00Z");
  expect(await nightly()).toBe(1);
  await at("2027-01-05T16:30:00Z");
  expect(await nightly()).toBe(2);
});
