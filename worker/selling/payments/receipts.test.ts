import { beforeEach, expect, test } from "vitest";

import {
  buyer,
  readStatusAndCode,
  listedLead,
  paymentOf,
  stripe,
  typeCard,
  webhook,
} from "../../../testing/cards.ts";
import { callWith, db } from "../../../testing/client.ts";
import { setPayment } from "../../../testing/facts.ts";
import { insertPayment, insertPendingLead } from "../../../testing/world.ts";

beforeEach(() => stripe.clearFaults());

async function bought() {
  const pat = await buyer({ companyName: "Pat's Lawns", abn: "11 222 333 444" });
  const leadId = await listedLead();
  const opened = await pat.opened(leadId);
  await typeCard(opened, "5555 5555 5555 4444");
  expect((await pat.settle(opened.holdId)).status).toBe("sold");
  const { id } = await paymentOf(opened.holdId);
  return { pat, leadId, id, ...opened };
}

test("a bought lead has a receipt with the amount, the card and the purpose", async () => {
  const { pat, leadId, id } = await bought();
  const list = (await (await pat.as("GET", "/api/payments")).json()) as unknown[];
  const line = {
    id,
    leadId,
    state: "succeeded",
    amount: "50.00",
    card: { brand: "mastercard", last4: "4444" },
    paidAt: expect.any(Number),
    refundedAt: null,
    refunded: null,
    lead: { suburbName: "Leichhardt", suburbPostcode: "2040" },
  };
  expect(list).toMatchObject([line]);
  expect(await (await pat.as("GET", `/api/payments/${id}`)).json()).toMatchObject({
    ...line,
    isTaxInvoice: false,
    gst: null,
    seller: { name: "Example Lawns Pty Ltd", abn: "00 000 000 000" },
    buyer: { company: "Pat's Lawns", abn: "11 222 333 444" },
  });
  // A seller registered for GST issues tax invoices: one eleventh of the price is GST.
  const invoice = await callWith({ GST: "on" }, "GET", `/api/payments/${id}`, { cookie: pat.as.cookie });
  expect(await invoice.json()).toMatchObject({ isTaxInvoice: true, gst: "4.55" });
});

test("receipts follow refunds and disputes, and show when the money was refunded", async () => {
  const { pat, id, intentId } = await bought();
  stripe.dispute(intentId);
  expect((await webhook("charge.dispute.created", intentId)).status).toBe(200);
  const stateOf = async () => (await pat.as("GET", `/api/payments/${id}`)).json();
  expect(await stateOf()).toMatchObject({ state: "disputed", refundedAt: null });
  stripe.intents.get(intentId)!.latest_charge!.disputed = false;
  stripe.refundInDashboard(intentId);
  expect((await webhook("charge.refunded", intentId)).status).toBe(200);
  expect(await stateOf()).toMatchObject({ state: "refunded", refundedAt: expect.any(Number) });
});

test("a receipt shows how much was refunded if only part was", async () => {
  const { pat, id, intentId } = await bought();
  stripe.refundInDashboard(intentId, 1250);
  expect((await webhook("charge.refunded", intentId)).status).toBe(200);
  const receipt = await (await pat.as("GET", `/api/payments/${id}`)).json();
  expect(receipt).toMatchObject({ state: "succeeded", refunded: "12.50", refundedAt: null });
});

test("a payment that never succeeded has no receipt; one without a sale names its account", async () => {
  const pat = await buyer();
  const lead = await insertPendingLead(db);
  for (const state of ["pending", "cancelled"] as const) {
    const id = await insertPayment(db, pat.user, lead.id, { state });
    expect(await readStatusAndCode(await pat.as("GET", `/api/payments/${id}`))).toEqual([404, "not_found"]);
  }
  expect(await (await pat.as("GET", "/api/payments")).json()).toEqual([]);
  const late = await insertPayment(db, pat.user, lead.id, { state: "refunded" });
  const { firstName, lastName } = pat.user;
  expect(await (await pat.as("GET", `/api/payments/${late}`)).json()).toMatchObject({
    buyer: { name: `${firstName} ${lastName}`, company: pat.user.companyName },
  });
});

test("the list continues where a page ended", async () => {
  const pat = await buyer();
  const lead = await insertPendingLead(db);
  for (let i = 0; i < 101; i++) await insertPayment(db, pat.user, lead.id, { createdAt: 1_000 + i });
  const first = await pat.as("GET", "/api/payments");
  expect((await first.clone().json()) as unknown[]).toHaveLength(100);
  const next = /<(.+)>/.exec(first.headers.get("Link")!)![1]!;
  expect(await (await pat.as("GET", next)).json()).toMatchObject([{ paidAt: 1_000 }]);
});

test("only the business itself sees its open holds, until they end", async () => {
  const [pat, rival] = [await buyer(), await buyer()];
  const leadId = await listedLead();
  const { holdId } = await pat.opened(leadId);
  const openOf = async (who: typeof pat) => (await who.as("GET", "/api/payments/open")).json();
  expect(await openOf(pat)).toMatchObject([{ holdId, leadId }]);
  expect(await openOf(rival)).toEqual([]);
  await setPayment(holdId, { slot: null, state: "cancelled" });
  expect(await openOf(pat)).toEqual([]);
});
