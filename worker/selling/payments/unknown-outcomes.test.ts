/** docs/failures.md, concurrent calls and missing responses: each test's name begins with its row. */
import { runInDurableObject } from "cloudflare:test";
import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";

import { leadPurchases, leads } from "../../tables.ts";
import {
  buyer,
  readStatusAndCode,
  exchange,
  expectBackOnMarket,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  purchaseOf,
  runAlarm,
  soldLead,
  statusOf,
  stripe,
  UNREACHABLE_STRIPE_URL,
  sweep,
  webhook,
} from "../../../testing/cards.ts";
import { callWith, db, testEnv } from "../../../testing/client.ts";
import { around, dbLosing, dbLosingResponse, delaying } from "../../../testing/faulty-db.ts";
import { auditEntries, problemsOf, setPurchase, setUser } from "../../../testing/facts.ts";
import type { Bindings } from "../../platform/env.ts";
import { insertAdmin } from "../../../testing/admins.ts";
import { eventually } from "../../../testing/eventually.ts";
import { insertManualPurchase, insertUser, newId } from "../../../testing/world.ts";

beforeEach(() => stripe.clearFaults());

type Buyer = Awaited<ReturnType<typeof buyer>>;

/** Sends the same request while Stripe is unreachable. */
function openWithStripeDown(pat: Buyer, leadId: string) {
  const body = { leadId, amount: 5000 };
  const away = { STRIPE_API_HOST: UNREACHABLE_STRIPE_URL };
  return callWith(away, "POST", "/api/create-payment-intent", { cookie: pat.as.cookie, body });
}

/** Saves a card for a business. @returns its ID */
async function keptCardOf({ user }: Buyer): Promise<string> {
  const { vault } = stripe.book;
  const customer = vault.addCustomer({ business: user.id });
  await setUser(user.id, { stripeCustomerId: customer.id });
  return Object.assign(vault.addMethod("4242424242424242"), { customer: customer.id }).id;
}

/** Puts a lead into another provider's pipeline in D1. @returns the ID of their purchase */
async function giveInD1(leadId: string): Promise<string> {
  const owner = await insertUser(db);
  const id = await insertManualPurchase(db, owner, { stage: "called", startedAt: Date.now() });
  await setPurchase(id, { leadId });
  return id;
}

function creations(): number {
  return stripe.calls.filter(({ call }) => call === "create").length;
}

async function attentionOf(subjectId: string) {
  const rows = await problemsOf(subjectId);
  return rows.map(({ kind }) => kind);
}

test("row 2: a click while Stripe is still processing the first one waits and shares its payment", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const before = creations();
  let second: Promise<Response> | null = null;
  stripe.runDuringNext("create", async () => {
    second = pat.open(leadId);
    // Stripe has rejected the second call: its key is in use.
    await eventually(async () => expect(creations()).toBeGreaterThan(before + 1));
  });
  const first = await pat.open(leadId);
  expect([first.status, (await second!).status]).toEqual([200, 200]);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  expect((await listingOf(leadId)).state).toBe("held");
});

test("row 2: a second click whose payment fails does not release the first one's hold", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  expect(await readStatusAndCode(await openWithStripeDown(pat, leadId))).toEqual([502, "payment_failed"]);
  expect((await listingOf(leadId)).hold).toMatchObject({ holdId, paymentIntentId: intentId });
  expect(await paymentOf(holdId)).toMatchObject({ state: "pending", slot: 1 });
});

test("row 2: nor does it release the hold before the first one's payment is attached", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  stripe.runDuringNext("create", async () => {
    const { hold } = await listingOf(leadId);
    expect(hold).toMatchObject({ paymentIntentId: null });
    expect(await readStatusAndCode(await openWithStripeDown(pat, leadId))).toEqual([502, "payment_failed"]);
    expect((await listingOf(leadId)).hold).toEqual(hold);
  });
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
});

test("row 5: a payment whose ID the ledger failed to store is attached to no hold, and its lead returns immediately", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const lost = await callWith(
    dbLosing(`set "stripe_payment_intent_id"`),
    "POST",
    "/api/create-payment-intent",
    { cookie: pat.as.cookie, body: { leadId, amount: 5000 } },
  );
  expect(await readStatusAndCode(lost)).toEqual([503, "exchange_unavailable"]);
  expect(await listingOf(leadId)).toMatchObject({ state: "available", hold: null });
  await sweep();
  await expectBackOnMarket(leadId);
});

test("row 5: the sweep cancels a payment for a hold that another call released without D1", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const click = (env: Bindings) => {
    const body = { leadId, amount: 5000 };
    return callWith(env, "POST", "/api/create-payment-intent", { cookie: pat.as.cookie, body });
  };
  const isOver = Promise.withResolvers<void>();
  // The first click makes the hold and waits for D1. The second inserts the row and creates the payment.
  const first = click(dbLosing("INSERT INTO payments", isOver.promise));
  await eventually(async () => expect((await listingOf(leadId)).state).toBe("held"));
  const second = await click(dbLosing(`set "stripe_payment_intent_id"`));
  expect(await readStatusAndCode(second)).toEqual([503, "exchange_unavailable"]);
  isOver.resolve();
  expect(await readStatusAndCode(await first)).toEqual([503, "exchange_unavailable"]);
  expect(stripe.intentsOf(leadId).map(({ status }) => status)).toEqual(["requires_payment_method"]);
  await sweep();
  await expectBackOnMarket(leadId);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
});

test("row 5: the sweep cancels a payment for a hold that another call released for its reused key", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  expect((await pat.open(await listedLead("parramatta"), "one-key")).status).toBe(200);
  const click = (env: Bindings, key?: string) =>
    callWith(env, "POST", "/api/create-payment-intent", {
      cookie: pat.as.cookie,
      body: { leadId, amount: 5000 },
      ...(key && { headers: { "Idempotency-Key": key } }),
    });
  const isEntered = Promise.withResolvers<void>();
  // The first click makes the hold and waits for D1. The second inserts the row and creates the payment.
  const first = click(delaying("INSERT INTO payments", isEntered.promise), "one-key");
  await eventually(async () => expect((await listingOf(leadId)).state).toBe("held"));
  await click(dbLosing(`set "stripe_payment_intent_id"`));
  isEntered.resolve();
  expect(await readStatusAndCode(await first)).toEqual([422, "key_reused"]);
  expect(stripe.intentsOf(leadId).map(({ status }) => status)).toEqual(["requires_payment_method"]);
  await sweep();
  expect(stripe.intentsOf(leadId).map(({ status }) => status)).toEqual(["canceled"]);
});

test.each([
  ["its hold expires", async (leadId: string) => (await endHold(leadId), runAlarm(leadId))],
  ["the sweep runs", async () => sweep()],
])(
  "row 31: a payment that Stripe does not know releases its lead if %s, and admins are alerted",
  async (_, happen) => {
    const leadId = await listedLead();
    const pat = await buyer();
    const { holdId, intentId } = await pat.opened(leadId);
    stripe.forgetIntent(intentId);
    await endHold(leadId);
    await happen(leadId);
    expect(await listingOf(leadId)).toMatchObject({ state: "available", hold: null });
    expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
    expect(await attentionOf(leadId)).toEqual(["payment_missing"]);
  },
);

test("row 31: an admin releases a stuck lead, which is logged; a payment that succeeds later is refunded", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await endHold(leadId);
  stripe.fail("cancel", "busy");
  await runAlarm(leadId, 1);
  expect((await listingOf(leadId)).state).toBe("releasing");
  const { id } = await paymentOf(holdId);
  const { admin, asAdmin } = await insertAdmin();
  const path = `/api/super-admin/payments/${id}/release`;
  const release = () => asAdmin("POST", path);
  // D1 fails after the exchange has released the lead: the next press finishes it.
  const failing = around(`update "attention"`, { before: () => Promise.reject(new Error("D1_ERROR")) });
  expect((await callWith(failing, "POST", path, { cookie: asAdmin.cookie })).status).toBe(500);
  expect(await paymentOf(holdId)).toMatchObject({ state: "pending" });
  expect((await release()).status).toBe(200);
  expect(await listingOf(leadId)).toMatchObject({ state: "available", hold: null });
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
  const trail = await auditEntries(leadId);
  expect(trail.filter(({ action }) => action === "lead.freed")).toMatchObject([{ actorUserId: admin.id }]);
  stripe.confirm(intentId, "good");
  await webhook("payment_intent.succeeded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
  // Another provider's hold of the lead stays.
  const { holdId: next } = await (await buyer()).mustTake(leadId);
  expect(await readStatusAndCode(await release())).toEqual([409, "hold_ended"]);
  expect(await listingOf(leadId)).toMatchObject({ state: "held", hold: { holdId: next } });
});

test("row 25: the sweep releases a deactivated business's holds in a region that did not respond", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId } = await pat.opened(leadId);
  // Simulate a region that did not respond when the business's holds were released.
  await setUser(pat.user.id, { isActive: false });
  await sweep(0);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  await sweep(0);
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
});

test("settling, saving a card and paying with one are rate-limited: a script is stopped, a buyer never is", async () => {
  const pat = await buyer();
  const holdId = newId("hold");
  const limit = vi.fn<RateLimit["limit"]>(async () => ({ success: false }));
  const settle = () =>
    callWith({ PAYING_PER_BUSINESS: { limit } }, "POST", "/api/payments/settle", {
      cookie: pat.as.cookie,
      body: { holdId },
    });
  for (let i = 0; i < 10; i++) expect((await settle()).status).toBe(404);
  expect(await readStatusAndCode(await settle())).toEqual([429, "too_many_requests"]);
  expect(limit).toHaveBeenCalledTimes(1);
});

test("row 31: a payment made under the deployment's former name still belongs to its hold", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.intents.get(intentId)!.metadata.deployment = "as-it-was-called-before";
  await endHold(leadId);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  await sweep();
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
});

test("row 20: a partial refund by hand does not close the debt: the rest is refunded, and no more", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await endHold(leadId);
  await runAlarm(leadId);
  stripe.intents.get(intentId)!.status = "requires_payment_method";
  stripe.confirm(intentId, "good");
  stripe.refundInDashboard(intentId, 1000);
  await webhook("payment_intent.succeeded", intentId);
  const amounts = stripe.refunds.filter((refund) => refund.payment_intent === intentId);
  expect(amounts.map(({ amount }) => amount)).toEqual([1000, 4000]);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", refundedCents: 5000 });
});

test("row 21: a partial refund by hand of a sold lead is recorded, and the sale remains", async () => {
  const { leadId, holdId, intentId } = await soldLead();
  stripe.refundInDashboard(intentId, 1000);
  await webhook("charge.refunded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({
    state: "succeeded",
    refundedCents: 1000,
    refundedAt: null,
  });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "completed" });
  stripe.refundInDashboard(intentId);
  await webhook("charge.refunded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", refundedCents: 5000 });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded" });
});

test("row 14: a webhook whose ledger write failed gets 5xx, even if its lead is sold", async () => {
  const { leadId, holdId, intentId } = await soldLead();
  stripe.refundInDashboard(intentId);
  await testEnv.DB.exec(
    "CREATE TRIGGER broken BEFORE UPDATE ON payments BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  expect((await webhook("charge.refunded", intentId)).status).toBe(500);
  await testEnv.DB.exec("DROP TRIGGER broken");
  expect((await webhook("charge.refunded", intentId)).status).toBe(200);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded" });
});

test("row 32: a payment refunded before it was settled buys nothing", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  stripe.refundInDashboard(intentId);
  expect(await pat.settle(holdId)).toEqual({ status: "refunded", purchase: null });
  expect(await listingOf(leadId)).toMatchObject({ state: "available", sale: null });
  expect(await purchaseOf(leadId)).toBeNull();
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", slot: null });
});

test("row 21: a late refund of one payment does not change a purchase that another one paid for", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const first = await pat.opened(leadId);
  await endHold(leadId);
  await runAlarm(leadId);
  await runInDurableObject(exchange, (_, { storage }) => storage.sql.exec("DELETE FROM releases"));
  stripe.intents.get(first.intentId)!.status = "requires_payment_method";
  stripe.confirm(first.intentId, "good");
  const second = await pat.opened(leadId);
  stripe.confirm(second.intentId, "good");
  expect((await pat.settle(second.holdId)).status).toBe("sold");
  await webhook("payment_intent.succeeded", first.intentId);
  await webhook("charge.refunded", first.intentId);
  expect(await purchaseOf(leadId)).toMatchObject({
    paymentStatus: "completed",
    paymentIntentId: second.intentId,
  });
  expect(await listingOf(leadId)).toMatchObject({ state: "sold", sale: { holdId: second.holdId } });
});

test("row 22: a refund reported before the outbox wrote the purchase shows on the purchase", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  await testEnv.DB.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON lead_purchases BEGIN SELECT RAISE(ABORT, 'D1 is having a moment'); END",
  );
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect(await purchaseOf(leadId)).toBeNull();
  stripe.refundInDashboard(intentId);
  await webhook("charge.refunded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  await testEnv.DB.exec("DROP TRIGGER broken");
  await runAlarm(leadId);
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded" });
});

test("row 23: if D1 has another buyer for the lead, it is off the market and the payer is refunded", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  const manual = await giveInD1(leadId);
  stripe.confirm(intentId, "good");
  expect(await pat.settle(holdId)).toEqual({ status: "refunded", purchase: null });
  expect(await purchaseOf(leadId)).toMatchObject({ id: manual });
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", slot: null });
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
  expect(await statusOf(leadId)).toBe("sold");
  const offered = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.id, leadId), eq(leads.listingState, "listed")));
  expect(offered).toEqual([]);
  expect(await attentionOf(leadId)).toEqual(["sale_conflict"]);
  // A repeated event, even after the outbox has run, gives the same result without a second refund.
  await runAlarm(leadId);
  await webhook("payment_intent.succeeded", intentId);
  expect(await pat.settle(holdId)).toEqual({ status: "refunded", purchase: null });
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
});

test("row 23: while Stripe is down the outbox keeps the debt and refunds it later", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await giveInD1(leadId);
  stripe.confirm(intentId, "good");
  stripe.fail("refund", "lost", "lost");
  expect((await pat.settle(holdId)).status).toBe("refunded");
  expect(await paymentOf(holdId)).toMatchObject({ state: "refund_pending" });
  await sweep();
  await sweep(20 * 60_000);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
});

test("row 21: an unreported refund in the ledger still shows on its purchase", async () => {
  const { leadId, pat, holdId, intentId } = await soldLead();
  stripe.refundInDashboard(intentId);
  const response = await callWith(
    dbLosingResponse(`update "payments" set "state"`),
    "POST",
    "/api/payments/settle",
    {
      cookie: pat.as.cookie,
      body: { holdId },
    },
  );
  expect(await response.json()).toMatchObject({ status: "sold" });
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded" });
});

test.each([
  ["refunded", `"refunded_cents" = "payments"."amount_cents"`],
  ["disputed", `set "state" = ?, "last_error" = ?, "updated_at" = ?`],
] as const)("row 42: a debt that is %s, unreported, shows on its purchase", async (state, words) => {
  const { leadId, intentId, id, holdId } = await soldLead();
  if (state === "disputed") stripe.dispute(intentId);
  const { asAdmin } = await insertAdmin();
  await callWith(dbLosingResponse(words), "POST", `/api/super-admin/payments/${id}/refund`, {
    cookie: asAdmin.cookie,
    body: { reason: "They had moved away" },
  });
  expect(await paymentOf(holdId)).toMatchObject({ state });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: state });
});

test("row 42: a returned refund, unreported, shows on its purchase", async () => {
  const { leadId, intentId, holdId, id } = await soldLead();
  await (await insertAdmin()).asAdmin("POST", `/api/super-admin/payments/${id}/refund`, { reason: "Moved" });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "refunded" });
  stripe.undoRefund(intentId);
  const { body, headers } = await stripe.event("refund.failed", intentId);
  await callWith(dbLosingResponse(`"refunded_at" = ?`), "POST", "/api/stripe/webhook", { body, headers });
  expect(await paymentOf(holdId)).toMatchObject({ state: "succeeded" });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "completed" });
});

test("row 33: a saved card cannot pay before its payment is attached to the hold", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  // The state between recording a payment's id and attaching it.
  await runInDurableObject(exchange, (_, { storage }) =>
    storage.sql.exec(
      "UPDATE holds SET hold = json_set(hold, '$.paymentIntentId', null) WHERE lead_id = ?",
      leadId,
    ),
  );
  stripe.fail("confirm", "lost");
  const card = await keptCardOf(pat);
  const response = await pat.as("POST", "/api/payments/pay-saved", { holdId, cardId: card });
  expect(await response.json()).toMatchObject({ status: "open" });
  expect((await listingOf(leadId)).hold?.paymentIntentId).toBe(intentId);
});

test("row 33: a saved card cannot pay once the hold has ended", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  const card = await keptCardOf(pat);
  await endHold(leadId);
  const response = await pat.as("POST", "/api/payments/pay-saved", { holdId, cardId: card });
  expect(await readStatusAndCode(response)).toEqual([409, "hold_ended"]);
  expect(stripe.intents.get(intentId)!.status).not.toBe("succeeded");
});

test("a removed purchase returns no contact details to a user who settles again", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).purchase).toMatchObject({ leadId });
  await db.update(leadPurchases).set({ removedAt: Date.now() }).where(eq(leadPurchases.leadId, leadId));
  const again = await pat.as("POST", "/api/payments/settle", { holdId });
  expect(await readStatusAndCode(again)).toEqual([409, "lead_closed"]);
});
