/** docs/failures.md, refunds: each test's name begins with its row. */
import { beforeEach, expect, test } from "vitest";
import {
  buyer,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  purchaseOf,
  runAlarm,
  soldLead,
  stripe,
  sweep,
  webhook,
} from "../../../testing/cards.ts";
import { problemsOf, roomOf } from "../../../testing/facts.ts";
import { openSocket } from "../../../testing/sockets.ts";

beforeEach(() => stripe.clearFaults());

/** Makes a payment that succeeds after its hold was released, as an error at Stripe might cause. */
async function latePayment() {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await endHold(leadId);
  await runAlarm(leadId);
  stripe.intents.get(intentId)!.status = "requires_payment_method";
  stripe.confirm(intentId, "good");
  return { leadId, pat, holdId, intentId };
}

const triedRefunds = () => stripe.calls.filter(({ call }) => call === "refund").length;

test("row 18: a payment that succeeds after its hold was released is refunded once, and the lead does not move", async () => {
  const { leadId, pat, holdId, intentId } = await latePayment();
  await Promise.all([
    webhook("payment_intent.succeeded", intentId),
    webhook("payment_intent.succeeded", intentId),
  ]);
  await webhook("charge.refunded", intentId);
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", slot: null });
  expect(await listingOf(leadId)).toMatchObject({ state: "available" });
  expect(await pat.settle(holdId)).toEqual({ status: "refunded", purchase: null });
});

test("row 18: a payment for a lead that the next buyer has bought is refunded, and the sale remains", async () => {
  const { leadId, pat, intentId } = await latePayment();
  const rival = await buyer();
  const theirs = await rival.opened(leadId);
  stripe.confirm(theirs.intentId, "good");
  expect((await rival.settle(theirs.holdId)).status).toBe("sold");
  await webhook("payment_intent.succeeded", intentId);
  expect(stripe.refunds.map((refund) => refund.payment_intent)).toContain(intentId);
  expect(await purchaseOf(leadId)).toMatchObject({ buyerId: rival.user.id });
  expect(await listingOf(leadId)).toMatchObject({ sale: { businessId: rival.user.id } });
  expect((await pat.as("GET", "/api/my-purchased-leads")).status).toBe(200);
});

test.each([
  ["amount", { amount: 1 }],
  ["currency", { currency: "usd" }],
  ["business", { metadata: { business: "user_somebody" } }],
] as const)(
  "row 19: a payment with a different %s is not a sale: refunded, admins alerted",
  async (_, change) => {
    const leadId = await listedLead();
    const pat = await buyer();
    const { holdId, intentId } = await pat.opened(leadId);
    const intent = stripe.intents.get(intentId)!;
    const { metadata = {}, ...fields } = change as { metadata?: Record<string, string> };
    Object.assign(intent, fields, { metadata: { ...intent.metadata, ...metadata } });
    stripe.confirm(intentId, "good");
    expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
    expect(await listingOf(leadId)).toMatchObject({ state: "available", sale: null });
    expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
    expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
    const [report] = await problemsOf(leadId);
    expect(report).toMatchObject({ kind: "payment_mismatch" });
  },
);

test("row 19: if less was charged than the price, the ledger and the receipt show the actual refund", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  const socket = await openSocket("/api/business/live", pat.as.cookie);
  await socket.frame(0);
  stripe.intents.get(intentId)!.amount = 1200;
  stripe.confirm(intentId, "good");
  await webhook("payment_intent.succeeded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded", refundedCents: 1200 });
  expect(await socket.frame(1)).toMatchObject({ type: "payment_refunded", leadId, amount: "12.00" });
});

test("row 20: a refund that fails stays owed, is retried with a new key and shown to the admins", async () => {
  const { holdId, intentId } = await latePayment();
  stripe.fail("refund", "broken", "busy", "lost");
  expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refund_pending" });
  await sweep(60_000);
  await sweep(20 * 60_000);
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toEqual([]);
  const { id } = await paymentOf(holdId);
  const [report] = await problemsOf(id);
  expect(report).toMatchObject({ kind: "refund_failed" });
  await sweep(30 * 60_000);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
  const keys = stripe.calls.filter(({ call }) => call === "refund").map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test("row 20: a refund whose response was lost is not made twice", async () => {
  const { holdId, intentId } = await latePayment();
  stripe.fail("refund", "unheard");
  await webhook("payment_intent.succeeded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refund_pending" });
  const tried = triedRefunds();
  await sweep();
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
  // Stripe's list already contained the refund, so the product did not request a second one.
  expect(triedRefunds()).toBe(tried);
});

test("row 20: of two concurrent refunds of the same debt, one is made", async () => {
  const { holdId, intentId } = await latePayment();
  stripe.fail("refund", "broken");
  await webhook("payment_intent.succeeded", intentId);
  const tried = triedRefunds();
  await Promise.all([1, 2, 3].map(() => sweep()));
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  expect(triedRefunds()).toBe(tried + 1);
});

test("row 20: a refund that is returned later is owed again and made again, once", async () => {
  const { holdId, intentId } = await latePayment();
  await webhook("payment_intent.succeeded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  stripe.undoRefund(intentId);
  expect((await webhook("refund.failed", intentId)).status).toBe(200);
  const statuses = () =>
    stripe.refunds.filter((refund) => refund.payment_intent === intentId).map(({ status }) => status);
  expect(statuses()).toEqual(["failed", "succeeded"]);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  // Repeated events and older ones that arrive late change nothing.
  for (const type of ["refund.updated", "payment_intent.succeeded", "charge.refunded"]) {
    expect((await webhook(type, intentId)).status).toBe(200);
  }
  expect(statuses()).toEqual(["failed", "succeeded"]);
});

/** Makes a refunded payment with an undone refund and a dispute, and sends the dispute's event. */
async function disputedWhileOwed() {
  const late = await latePayment();
  await webhook("payment_intent.succeeded", late.intentId);
  stripe.undoRefund(late.intentId);
  stripe.dispute(late.intentId);
  await webhook("charge.dispute.created", late.intentId);
  return late;
}

test("row 43: money that the bank has withdrawn in a dispute is not refunded twice, and an admin is alerted", async () => {
  const { holdId, intentId } = await disputedWhileOwed();
  const { id, state, slot } = await paymentOf(holdId);
  expect({ state, slot }).toEqual({ state: "disputed", slot: null });
  const [report] = await problemsOf(id);
  expect(report).toMatchObject({
    kind: "refund_failed",
    detail: expect.stringContaining("Accept the dispute"),
  });
  const tried = triedRefunds();
  await sweep(20 * 60_000);
  stripe.endDispute(intentId, "lost");
  await webhook("charge.dispute.closed", intentId);
  await sweep(40 * 60_000);
  expect(triedRefunds()).toBe(tried);
  expect(await paymentOf(holdId)).toMatchObject({ state: "disputed", refundedCents: 0 });
});

test("row 43: if such a dispute is won, the money stays with us and is refunded", async () => {
  const { holdId, intentId } = await disputedWhileOwed();
  stripe.endDispute(intentId, "won");
  await webhook("charge.dispute.closed", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  const statuses = stripe.refunds
    .filter((one) => one.payment_intent === intentId)
    .map(({ status }) => status);
  expect(statuses).toEqual(["failed", "succeeded"]);
});

test("row 21: a sale refunded by hand whose refund failed unreported shows that it is disputed", async () => {
  const { leadId, holdId, intentId } = await soldLead();
  stripe.refundInDashboard(intentId);
  await webhook("charge.refunded", intentId);
  stripe.undoRefund(intentId);
  stripe.dispute(intentId);
  await webhook("charge.dispute.created", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "disputed", refundedAt: null, refundedCents: 0 });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "disputed" });
});

test("row 21: a refund by hand that is returned leaves the sale paid", async () => {
  const { leadId, holdId, intentId } = await soldLead();
  stripe.refundInDashboard(intentId);
  await webhook("charge.refunded", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "refunded" });
  stripe.undoRefund(intentId);
  await webhook("refund.failed", intentId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "succeeded", refundedAt: null });
  expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: "completed" });
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toHaveLength(1);
});

test("row 21: a refund by hand or a chargeback is recorded and flagged, and the lead stays sold", async () => {
  for (const [type, act, state] of [
    ["charge.refunded", (id: string) => stripe.refundInDashboard(id), "refunded"],
    ["charge.dispute.created", (id: string) => stripe.dispute(id), "disputed"],
  ] as const) {
    const { leadId, holdId, intentId } = await soldLead();
    act(intentId);
    expect((await webhook(type, intentId)).status).toBe(200);
    expect(await paymentOf(holdId)).toMatchObject({ state });
    expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus: state });
    expect(await listingOf(leadId)).toMatchObject({ state: "sold" });
    expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId).length).toBeLessThan(2);
  }
});

test("row 18: the buyer's windows receive the refund once", async () => {
  const { leadId, pat, intentId } = await latePayment();
  const socket = await openSocket("/api/business/live", pat.as.cookie);
  await socket.frame(0);
  await webhook("payment_intent.succeeded", intentId);
  await webhook("payment_intent.succeeded", intentId);
  expect(await socket.frame(1)).toMatchObject({ type: "payment_refunded", leadId, amount: "50.00" });
  // The next frame is this message, so no second refund was announced.
  const room = roomOf(pat.user.id);
  await room.notify({ type: "purchase_changed", purchaseId: "pur_a", byUserId: "user_a" });
  expect(await socket.frame(2)).toMatchObject({ type: "purchase_changed" });
});

test("row 21: a won dispute is over, a lost one is not", async () => {
  for (const [ended, state, paymentStatus] of [
    ["won", "succeeded", "completed"],
    ["lost", "disputed", "disputed"],
  ] as const) {
    const { leadId, holdId, intentId } = await soldLead();
    stripe.dispute(intentId);
    await webhook("charge.dispute.created", intentId);
    expect(await paymentOf(holdId)).toMatchObject({ state: "disputed" });
    stripe.endDispute(intentId, ended);
    await webhook("charge.dispute.closed", intentId);
    expect(await paymentOf(holdId)).toMatchObject({ state });
    expect(await purchaseOf(leadId)).toMatchObject({ paymentStatus });
    expect(await listingOf(leadId)).toMatchObject({ state: "sold" });
  }
});
