import { HOUR_MS } from "../../../contract/durations.ts";
import { runInDurableObject } from "cloudflare:test";
import { and, eq, inArray, isNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { attention, leadPurchases, leads, operatorJobs, payments, requestLinks } from "../../tables.ts";
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
import { runSweep, runSweeps } from "../../../testing/drivers.ts";
import { leadRow, setPayment, setPurchase } from "../../../testing/facts.ts";
import { jobRow, storeJob } from "../../../testing/operator.ts";
import type { Intent } from "../../../testing/stand-ins/stripe-book.ts";
import { directOrder } from "../../../testing/orders.ts";
import { insertPayment, insertPendingLead, insertUser, newId } from "../../../testing/world.ts";

beforeEach(async () => {
  stripe.clearFaults();
  await db.delete(attention);
});

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
async function reconcile({ laterMs = HOUR_MS, isFix = true } = {}) {
  const id = `job_${newId("hold")}`;
  const now = Date.now() + laterMs;
  const job = { kind: "reconcile", input: { since: 0, isFix, region: null } };
  await db.insert(operatorJobs).values({ id, ...job, createdAt: now, updatedAt: now });
  await runSweeps(now);
  const row = await jobRow(id);
  expect(row.state).toBe("done");
  return row.result as Record<string, number>;
}

/** Returns the lines of a run that name a difference of this subject. */
const linesOf = (counts: Record<string, number>, subjectId = "") =>
  Object.keys(counts).filter((name) => name.includes(": ") && name.startsWith(subjectId));

test("if everything agrees, nothing is reported", async () => {
  await bought();
  const refunded = await bought();
  stripe.refundInDashboard(refunded.intentId);
  await refunded.pat.settle(refunded.holdId);
  await listedLead();
  const counts = await reconcile();
  expect(counts).toMatchObject({ differences: 0, looked_at: expect.any(Number) });
  expect(counts).not.toHaveProperty("d1_was_restored");
  expect(await db.select().from(attention)).toEqual([]);
});

/** Counts the nightly runs enqueued so far. */
async function nightly(): Promise<number> {
  const jobs = await db.select().from(operatorJobs);
  return jobs.filter(({ id }) => id.startsWith("job_reconcile_")).length;
}

/** Payments that the account does not know while its keys are changed. */
const lost = new Map<string, Intent>();

/** A planted difference: the start of the line that must name it, and whether a person must look at it. */
type Planted = { subjectId: string; isForPerson?: true };

/** Each function plants one difference in a sale or a lead. */
const PLANTED: Record<string, () => Promise<Planted>> = {
  "a payment that the ledger lost": async () => {
    const { leadId, payment } = await bought();
    await db.delete(payments).where(eq(payments.id, payment.id));
    return { subjectId: leadId };
  },
  "a state that Stripe does not know": async () => {
    const { intentId, holdId, purchase } = await bought();
    await setPayment(holdId, { state: "disputed" });
    await setPurchase(purchase.id, { paymentStatus: "disputed" });
    return { subjectId: intentId };
  },
  "an amount in the ledger": async () => {
    const { intentId, payment } = await bought();
    await db.update(payments).set({ amountCents: 4000 }).where(eq(payments.id, payment.id));
    return { subjectId: intentId };
  },
  "more money than agreed": async () => {
    const { intentId, purchase } = await bought();
    Object.assign(stripe.intents.get(intentId)!, { amount: 6000, amount_received: 6000 });
    await db.update(payments).set({ amountCents: 6000 }).where(eq(payments.stripePaymentIntentId, intentId));
    return { subjectId: purchase.id, isForPerson: true };
  },
  "a refund by hand": async () => {
    const { intentId } = await bought();
    stripe.refundInDashboard(intentId, 1000);
    return { subjectId: intentId };
  },
  "a payment of another account": async () => {
    const { intentId } = await bought();
    lost.set(intentId, stripe.intents.get(intentId)!);
    stripe.forgetIntent(intentId);
    return { subjectId: intentId, isForPerson: true };
  },
  "a slot": async () => {
    const { payment } = await bought();
    await db.update(payments).set({ slot: 2 }).where(eq(payments.id, payment.id));
    return { subjectId: payment.id };
  },
  "a purchase that D1 lost": async () => {
    const { leadId, purchase } = await bought();
    await testEnv.DB.exec(`DELETE FROM stage_changes WHERE purchase_id = '${purchase.id}'`);
    await db.delete(leadPurchases).where(eq(leadPurchases.id, purchase.id));
    return { subjectId: leadId };
  },
  "a purchase's status": async () => {
    const { purchase } = await bought();
    await setPurchase(purchase.id, { paymentStatus: "refunded" });
    return { subjectId: purchase.id };
  },
  "a purchase without its payment": async () => {
    const { leadId, purchase } = await bought();
    await db.update(leadPurchases).set({ paymentIntentId: null }).where(eq(leadPurchases.id, purchase.id));
    return { subjectId: leadId };
  },
  "a bought lead that is not sold in D1": async () => {
    const { leadId } = await bought();
    await db.update(leads).set({ status: "withdrawn" }).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
  "a bought lead that its exchange lost": async () => {
    const { leadId } = await bought();
    await forget(leadId);
    await db.update(leads).set({ status: "withdrawn" }).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
  "a buyer": async () => {
    const { leadId, purchase } = await bought();
    const { id: buyerId } = await insertUser(db);
    await db.update(leadPurchases).set({ buyerId }).where(eq(leadPurchases.id, purchase.id));
    return { subjectId: leadId };
  },
  "a sale that only D1 knows": async () => {
    const leadId = await listedLead();
    await withdraw(leadId);
    await db.update(leads).set({ status: "sold" }).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
  "a purchase's amount": async () => {
    const { leadId, purchase } = await bought();
    await db.update(leadPurchases).set({ amountPaidCents: 4900 }).where(eq(leadPurchases.id, purchase.id));
    return { subjectId: leadId };
  },
  "a lead's price": async () => {
    const leadId = await listedLead();
    await db.update(leads).set({ priceCents: 1 }).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
  "two payments": async () => {
    const { leadId, pat, intentId } = await bought();
    const { amount, currency, metadata } = stripe.intents.get(intentId)!;
    const holdId = newId("hold");
    const about = { ...metadata, hold: holdId };
    const fields = Object.entries(about).map(([name, value]) => [`metadata[${name}]`, value]);
    const params = new URLSearchParams([["amount", String(amount)], ["currency", currency], ...fields]);
    const second = stripe.book.create(params);
    stripe.confirm(second.id, "good");
    const subjectId = await insertPayment(db, pat.user, leadId, { holdId, stripePaymentIntentId: second.id });
    return { subjectId, isForPerson: true };
  },
  "a lead that its exchange lost": async () => {
    const leadId = await listedLead();
    await forget(leadId);
    return { subjectId: leadId };
  },
  "a lead that is withdrawn at its exchange": async () => {
    const leadId = await listedLead();
    await withdraw(leadId);
    await db.update(leads).set({ status: "available", listingState: "listed" }).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
  "a lead that is withdrawn in D1": async () => {
    const leadId = await listedLead();
    await db.update(leads).set({ status: "withdrawn", listingState: "closed" }).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
  "a lead that is bought in D1": async () => {
    const leadId = await listedLead();
    const { purchase } = await bought();
    const { tile: _, nextActionOrder: __, ...row } = purchase;
    const own = { id: newId("pur"), leadId, mode: "direct" as const, paymentIntentId: null };
    await db.insert(leadPurchases).values({ ...row, ...own });
    await db.update(leads).set({ status: "sold", listingState: "closed" }).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
  "a lead that is erased in D1": async () => {
    const leadId = await listedLead();
    const erased = { status: "withdrawn", listingState: "closed", erasedAt: Date.now() } as const;
    await db.update(leads).set(erased).where(eq(leads.id, leadId));
    return { subjectId: leadId };
  },
};

/** Deletes a lead's record from its exchange. */
async function forget(leadId: string): Promise<void> {
  await runInDurableObject(exchange, (_, { storage }) =>
    storage.sql.exec("DELETE FROM listings WHERE lead_id = ?", leadId),
  );
}

/** Withdraws a lead as an admin does on the page *Leads*. */
async function withdraw(leadId: string): Promise<void> {
  const admin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const response = await admin("POST", `/api/super-admin/leads/${leadId}/withdraw`, { reason: "test" });
  expect(response.status).toBeLessThan(300);
}

const isDone = (line: string) => line.includes("Fixed: ") !== line.includes("For a person: ");

/** Follows the advice for a person literally. */
function followAdvice(line: string): void {
  const [, dollars, intentId] = /[Rr]efund (?:\$([\d.]+) of )?(?:all of )?(pi_\w+)/.exec(line) ?? [];
  if (intentId) stripe.refundInDashboard(intentId, dollars ? Number(dollars) * 100 : undefined);
  else {
    expect(line, "advice that can be followed").toContain("Set STRIPE_SECRET_KEY");
    for (const [id, intent] of lost) stripe.intents.set(id, intent);
  }
}

test("each planted difference is named once, then repaired by --fix or by what it asks of a person", async () => {
  const planted: (Planted & { name: string })[] = [];
  for (const [name, plant] of Object.entries(PLANTED)) planted.push({ name, ...(await plant()) });

  const dry = linesOf(await reconcile({ isFix: false }));
  const namesIn = (lines: string[]) =>
    planted.map(({ name, subjectId }) => [name, lines.filter((line) => line.startsWith(subjectId)).length]);
  expect(namesIn(dry)).toEqual(planted.map(({ name }) => [name, 1]));
  expect(await db.select().from(attention), "a run without --fix changes nothing").toEqual([]);
  expect(linesOf(await reconcile({ isFix: false })).toSorted()).toEqual(dry.toSorted());

  const fixed = linesOf(await reconcile({ laterMs: 2 * HOUR_MS }));
  expect(namesIn(fixed)).toEqual(planted.map(({ name }) => [name, 1]));
  expect(fixed.filter((line) => !isDone(line))).toEqual([]);
  const alerts = await db.select().from(attention).where(isNull(attention.resolvedAt));
  const forPeople = planted.filter(({ isForPerson }) => isForPerson).map(({ subjectId }) => subjectId);
  expect(alerts.map(({ subjectId }) => subjectId).toSorted()).toEqual(forPeople.toSorted());

  const left = linesOf(await reconcile({ laterMs: 3 * HOUR_MS }));
  expect(left).toHaveLength(forPeople.length);
  for (const line of left) followAdvice(line);
  // This run records the refunds by hand in the ledger, and closes the alerts.
  await reconcile({ laterMs: 3.5 * HOUR_MS });
  expect(await reconcile({ laterMs: 4 * HOUR_MS })).toMatchObject({ differences: 0 });
  expect(await db.select().from(attention).where(isNull(attention.resolvedAt))).toEqual([]);
});

test("where the exchange has a record, it wins; an erasure wins on either side", async () => {
  const [withdrawn, erased] = [
    await PLANTED["a lead that is withdrawn in D1"]!(),
    await PLANTED["a lead that is erased in D1"]!(),
  ];
  await reconcile();
  expect((await listingOf(withdrawn.subjectId)).state).toBe("available");
  expect((await listingOf(erased.subjectId)).state).toBe("withdrawn");
  expect(await leadRow(withdrawn.subjectId)).toMatchObject({ status: "available", listingState: "listed" });
  const [record] = await exchange.recordsOf([erased.subjectId]);
  expect(record).toMatchObject({ isErased: true });
});

test("a lead that a provider is paying for is skipped, and withdrawn by a later run", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(leadId);
  await db.delete(payments).where(eq(payments.holdId, holdId));
  await db.delete(requestLinks).where(eq(requestLinks.leadId, leadId));
  await db.delete(leads).where(eq(leads.id, leadId));
  expect(linesOf(await reconcile(), leadId)).toEqual([expect.stringContaining(" Skipped: ")]);
  await endHold(leadId);
  await runAlarm(leadId);
  await reconcile();
  expect((await listingOf(leadId)).state).toBe("withdrawn");
});

test("a decision that its exchange is still writing is left to the exchange, and counted", async () => {
  const leadId = await listedLead();
  const user = await insertUser(db);
  expect(await exchange.decide(directOrder({ id: leadId }, user))).toMatchObject({ ok: true });
  const id = await storeJob({ kind: "reconcile", input: { since: 0, isFix: true, region: "inner-west" } });
  await runSweep("operator_jobs");
  const counts = (await jobRow(id)).result as Record<string, number>;
  expect(counts["still_being_written"]).toBeGreaterThan(0);
  expect(linesOf(counts, leadId)).toEqual([]);
  expect(await purchaseOf(leadId)).toBeNull();
});

test("a payment that no one knows but Stripe is refunded, once", async () => {
  const { intentId, leadId, payment, purchase } = await bought();
  await forget(leadId);
  await testEnv.DB.exec(`DELETE FROM stage_changes WHERE purchase_id = '${purchase.id}'`);
  await db.delete(leadPurchases).where(eq(leadPurchases.id, purchase.id));
  await db.delete(payments).where(eq(payments.id, payment.id));
  expect(linesOf(await reconcile(), intentId)).toEqual([expect.stringContaining("Stripe took $50.00")]);
  await reconcile({ laterMs: 2 * HOUR_MS });
  const refunds = stripe.refunds.filter((refund) => refund.payment_intent === intentId);
  expect(refunds.map(({ amount }) => amount)).toEqual([5000]);
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
  const lines = linesOf(await reconcile());
  const refunds = stripe.refunds.filter((refund) => refund.payment_intent === intentId);
  expect(refunds.map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", refundedCents: 5000 });
  expect(lines).toContainEqual(expect.stringMatching(`^${intentId}: Stripe says`));
});

test("a payment whose events were all lost is settled, and becomes a sale", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  // Prevents the minute's sweep from settling the payment first.
  await setPayment(holdId, { updatedAt: Date.now() + 24 * HOUR_MS });
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
  await db.insert(operatorJobs).values({
    id,
    kind: "reconcile",
    input: { since: 0, isFix: true, region: null },
    createdAt: now,
    updatedAt: now,
  });
  await runSweeps(now);
  expect(await jobRow(id)).toMatchObject({ state: "waiting", result: { errors: 1 } });
  await runSweeps(now + 10 * 60_000);
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
  const counts = await reconcile();
  expect(counts).toMatchObject({ slot_taken: COUNT, offer_differs: COUNT });
  const listed = await exchange.recordsOf(ids);
  expect(listed.filter(({ state }) => state === "available")).toHaveLength(COUNT);
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
  const later = await reconcile();
  expect(later["market_differs"]).toBeGreaterThanOrEqual(COUNT);
  const sold = await db
    .select()
    .from(leads)
    .where(and(inArray(leads.id, ids), eq(leads.status, "sold")));
  expect(sold).toHaveLength(COUNT);
});

test("the nightly run is enqueued once a day, from the configured hour", async () => {
  const env = { ...testEnv, NIGHTLY_AT: "03:00" };
  // In Sydney's summer: 02:59, 03:00 and noon of one day, then the next night.
  const at = (utc: string) => runSweeps(Date.parse(utc), env);
  await at("2027-01-04T15:59:00Z");
  expect(await nightly()).toBe(0);
  await at("2027-01-04T16:00:00Z");
  await at("2027-01-05T01:00:00Z");
  expect(await nightly()).toBe(1);
  await at("2027-01-05T16:30:00Z");
  expect(await nightly()).toBe(2);
});
