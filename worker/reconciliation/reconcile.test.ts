import { HOUR_MS } from "../../contract/durations.ts";
import { runInDurableObject } from "cloudflare:test";
import { eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { runSweeps } from "../cron.ts";
import { attention, leadPurchases, leads, operatorJobs, payments } from "../db/schema.ts";
import { newId } from "../ids.ts";
import {
  buyer,
  exchange,
  letHoldEnd,
  listedLead,
  listingOf,
  paymentOf,
  purchaseOf,
  runAlarm,
  stripe,
} from "../../testing/cards.ts";
import { db, testEnv } from "../../testing/client.ts";
import { jobRow } from "../../testing/operator.ts";
import { insertUser } from "../../testing/world.ts";

beforeEach(() => stripe.mend());

/** A lead that was bought with a card, everywhere the same. */
async function bought() {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  const [payment, purchase] = [await paymentOf(holdId), (await purchaseOf(leadId))!];
  return { leadId, pat, holdId, intentId, payment, purchase };
}

/** A whole run over everything there is, an hour from now: nothing is too young. */
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

/** What the admins were told about these. */
async function reportsOf(...subjectIds: string[]) {
  const rows = await db.select().from(attention).where(inArray(attention.subjectId, subjectIds));
  return rows.map(({ kind }) => kind).toSorted();
}

test("where everything agrees, nothing is told", async () => {
  const { intentId, payment, purchase, leadId } = await bought();
  const refunded = await bought();
  stripe.refundByHand(refunded.intentId);
  await refunded.pat.settle(refunded.holdId);
  const open = await listedLead();
  expect(await reconcile()).toMatchObject({ differences: 0, looked_at: expect.any(Number) });
  expect(await reportsOf(intentId, payment.id, purchase.id, leadId, open)).toEqual([]);
});

/** How many nightly runs were handed in. */
async function nightly(): Promise<number> {
  const jobs = await db.select().from(operatorJobs);
  return jobs.filter(({ id }) => id.startsWith("job_reconcile_")).length;
}

/** Each plants one difference into a sale (or a lead) and says about what it will be told. */
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
  payment_refund: async () => {
    const { intentId } = await bought();
    stripe.refundByHand(intentId, 1000);
    return intentId;
  },
  payment_missing_at_stripe: async () => {
    const { intentId } = await bought();
    stripe.lose(intentId);
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
  offer_differs: async () => {
    const leadId = await listedLead();
    await runInDurableObject(exchange, (_, { storage }) =>
      storage.sql.exec("DELETE FROM listings WHERE lead_id = ?", leadId),
    );
    return leadId;
  },
};

test("each of twelve planted differences is told once, about the right thing", async () => {
  const planted: { kind: string; subjectId: string }[] = [];
  for (const [kind, plant] of Object.entries(PLANTED)) planted.push({ kind, subjectId: await plant() });
  const reports = async () => {
    const rows = await db.select().from(attention);
    return planted.map((one) =>
      rows.filter((row) => row.kind === one.kind && row.subjectId === one.subjectId),
    );
  };
  await reconcile();
  const first = await reports();
  expect(first.map((rows, i) => `${planted[i]!.kind}: ${rows.length}`)).toEqual(
    planted.map(({ kind }) => `${kind}: 1`),
  );
  await reconcile(2 * HOUR_MS);
  expect(await reports()).toEqual(first);
});

test("a bought lead that D1 had as withdrawn is marked as sold by the night's run", async () => {
  const { leadId } = await bought();
  await db.update(leads).set({ status: "withdrawn", listingState: "listed" }).where(eq(leads.id, leadId));
  expect((await reconcile())["bought_not_sold"]).toBe(1);
  const [lead] = await db.select().from(leads).where(eq(leads.id, leadId));
  expect(lead).toMatchObject({ status: "sold", listingState: "closed" });
  expect((await reconcile(2 * HOUR_MS))["bought_not_sold"]).toBeUndefined();
});

test("row 20: a refund that bounced, with its event lost, is noticed and owed again", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await letHoldEnd(leadId);
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

test("a payment whose every word was lost is settled, and the lead delivered", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  // The minute's sweep, which would have settled it, is kept from it.
  await db
    .update(payments)
    .set({ updatedAt: Date.now() + 24 * HOUR_MS })
    .where(eq(payments.holdId, holdId));
  await reconcile();
  expect(await listingOf(leadId)).toMatchObject({ state: "sold", sale: { paymentIntentId: intentId } });
  expect(await purchaseOf(leadId)).toMatchObject({ buyerId: pat.user.id });
});

test("a run of many pages is taken up where it was left", async () => {
  const { intentId } = await bought();
  stripe.refundByHand(intentId, 500);
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

test("the night's run is handed in once a day, from the hour that is set", async () => {
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
