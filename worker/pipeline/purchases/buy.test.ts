import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { callerFor, callWith, db, rowCounts } from "../../../testing/client.ts";
import {
  auditEntries,
  exchangeIn,
  leadRow,
  purchaseRow,
  purchasesOf,
  setPurchase,
  stageChangesOf,
} from "../../../testing/facts.ts";
import { advanceClock } from "../../../testing/clock.ts";
import { listed } from "../../../testing/drivers.ts";
import { listOrder } from "../../../testing/orders.ts";
import { insertPendingLead, insertUser } from "../../../testing/world.ts";
import { textWithoutIds } from "../../../testing/text-without-ids.ts";

const FORM = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };

const listedLead = async () => (await listed()).id;

/** Returns the rows in the exchange's outbox for a lead. */
const outboxOf = (leadId: string) =>
  runInDurableObject(exchangeIn("inner-west"), (_, { storage }) =>
    storage.sql.exec("SELECT version FROM outbox WHERE lead_id = ?", leadId).toArray(),
  );

async function newProvider(overrides: Parameters<typeof insertUser>[1] = {}) {
  const user = await insertUser(db, overrides);
  const as = await callerFor(user.id);
  const buy = (leadId: string, form: object = FORM) => as("POST", `/api/leads/${leadId}/purchase`, form);
  return { user, as, buy };
}

async function problemOf(response: Response) {
  return (await response.json()) as { status: number; code: string; errors?: Record<string, string> };
}

test("the buyer gets the full contact details and a purchase in the first stage", async () => {
  const leadId = await listedLead();
  const { user, as, buy } = await newProvider();
  const response = await buy(leadId, { ...FORM, buyerCompany: "Pat's Lawns" });
  expect(response.status).toBe(201);
  const purchase = (await response.json()) as { id: string };
  expect(purchase).toMatchObject({
    id: expect.stringMatching(/^pur_/),
    leadId,
    buyerId: user.id,
    buyerName: "Pat",
    buyerEmail: "pat@example.com",
    buyerPhone: "0491 570 006",
    buyerCompany: "Pat's Lawns",
    mode: "direct",
    amountPaid: "50.00",
    paymentStatus: "completed",
    salesStage: "accepted_lead",
    customerName: "Anna Brown",
    customerPhone: "02 5550 0123",
    customerEmail: "anna.brown@example.com",
    customerAddress: "12 Banksia Street, Leichhardt NSW 2040",
  });
  expect(await (await as("GET", "/api/my-purchased-leads")).json()).toEqual([purchase]);
  expect(await leadRow(leadId)).toMatchObject({ status: "sold", listingState: "closed" });
  const stages = await stageChangesOf(purchase.id);
  expect(stages).toMatchObject([{ fromStage: null, toStage: "accepted_lead", changedByUserId: user.id }]);
  const trail = await auditEntries(leadId);
  expect(trail).toMatchObject([{ action: "lead.sold", actorUserId: user.id }]);
  // The outbox is empty, so it will not write the sale again.
  expect(await outboxOf(leadId)).toEqual([]);
});

test("the purchase form returns its own messages", async () => {
  const leadId = await listedLead();
  const { buy } = await newProvider();
  expect(await problemOf(await buy(leadId, {}))).toMatchObject({
    status: 400,
    code: "invalid_input",
    errors: {
      buyerName: "Name is required",
      buyerEmail: "Valid email required",
      buyerPhone: "Phone number required",
    },
  });
  const hidden = { buyerName: "Pat\u202E", buyerCompany: "Lawns\r\nBcc: x@evil.example" };
  const wrong = "Please retype this on one line, without hidden characters";
  expect(await problemOf(await buy(leadId, { ...FORM, ...hidden }))).toMatchObject({
    errors: { buyerName: wrong, buyerCompany: wrong },
  });
  expect((await buy(leadId)).status).toBe(201);
});

test("a repeated request by the same business returns its purchase, not a second one", async () => {
  const leadId = await listedLead();
  const { user, buy } = await newProvider();
  const first = await (await buy(leadId)).json();
  const before = await rowCounts();
  const secondTab = await callerFor(user.id);
  const again = await secondTab("POST", `/api/leads/${leadId}/purchase`, {
    ...FORM,
    buyerName: "Someone",
  });
  expect(again.status).toBe(201);
  expect(await again.json()).toEqual(first);
  expect(await rowCounts()).toMatchObject({
    lead_purchases: before["lead_purchases"],
    stage_changes: before["stage_changes"],
    audit_log: before["audit_log"],
  });
});

test("of ten businesses at once one buys, and the others see that it is taken", async () => {
  const leadId = await listedLead();
  const rivals = await Promise.all(Array.from({ length: 10 }, () => newProvider()));
  const responses = await Promise.all(rivals.map(({ buy }) => buy(leadId)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  for (const answer of responses.filter(({ status }) => status === 409)) {
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ code: "lead_taken" });
    expect(textWithoutIds(JSON.parse(text))).not.toMatch(/Anna|Brown|5550/);
  }
  const stored = await purchasesOf(leadId);
  expect(stored).toHaveLength(1);
  const winner = rivals[responses.findIndex(({ status }) => status === 201)]!;
  expect(stored[0]!.buyerId).toBe(winner.user.id);
});

test("the server sets amount, status, mode and buyer", async () => {
  const leadId = await listedLead();
  const { user, buy } = await newProvider();
  const claimed = {
    ...FORM,
    amountPaid: "0.00",
    amountPaidCents: 0,
    paymentStatus: "refunded",
    mode: "claimed",
    buyerId: "user_x",
    salesStage: "invoice_paid",
  };
  expect(await (await buy(leadId, claimed)).json()).toMatchObject({
    amountPaid: "50.00",
    paymentStatus: "completed",
    mode: "direct",
    buyerId: user.id,
    salesStage: "accepted_lead",
  });
});

test("a lead costs its stored price", async () => {
  const lead = await insertPendingLead(db);
  await exchangeIn(lead.region).decide(listOrder({ ...lead, priceCents: 3050 }));
  const { buy } = await newProvider();
  expect(await (await buy(lead.id)).json()).toMatchObject({ amountPaid: "30.50" });
});

test("an expired lead is closed", async () => {
  const lead = await insertPendingLead(db);
  const { buy } = await newProvider();
  const expiresAt = Date.now() + 60_000;
  await exchangeIn(lead.region).decide(listOrder({ ...lead, expiresAt }));
  advanceClock(60_001);
  expect(await problemOf(await buy(lead.id))).toMatchObject({ status: 409, code: "lead_closed" });
  expect(await purchasesOf(lead.id)).toEqual([]);
});

test("an unknown lead is a 404, whatever its ID", async () => {
  const { buy } = await newProvider();
  for (const id of [
    "lead_inner-west_00000000000000000000",
    "lead_atlantis_00000000000000000000",
    "lead_x",
    "nonsense",
    "%2e%2e",
  ]) {
    expect(await problemOf(await buy(id)), id).toMatchObject({ status: 404 });
  }
});

test("without direct sales no lead is free", async () => {
  const leadId = await listedLead();
  const { as } = await newProvider();
  const options = { cookie: as.cookie, body: { ...FORM, paymentStatus: "completed", amountPaid: "50.00" } };
  const before = await rowCounts();
  const response = await callWith({ PAYMENTS: "stripe" }, "POST", `/api/leads/${leadId}/purchase`, options);
  expect(await problemOf(response)).toMatchObject({ status: 503, code: "payments_unavailable" });
  expect(await rowCounts()).toEqual(before);
  expect(await leadRow(leadId)).toMatchObject({ status: "available" });
});

test("if only verified providers may buy, the others see why", async () => {
  const leadId = await listedLead();
  const path = `/api/leads/${leadId}/purchase`;
  const strict = { REQUIRE_VERIFIED: "on" };
  const unverified = await newProvider();
  const verified = await newProvider({ isVerified: true });
  const refused = await callWith(strict, "POST", path, { cookie: unverified.as.cookie, body: FORM });
  expect(await problemOf(refused)).toMatchObject({ status: 403, code: "not_verified" });
  const bought = await callWith(strict, "POST", path, { cookie: verified.as.cookie, body: FORM });
  expect(bought.status).toBe(201);
});

test("a purchase removed by an admin is in no list and cannot be changed", async () => {
  const leadId = await listedLead();
  const { as, buy } = await newProvider();
  const { id } = (await (await buy(leadId)).json()) as { id: string };
  await setPurchase(id, { removedAt: Date.now() });
  for (const path of ["/api/lead-purchases", "/api/my-purchased-leads"]) {
    expect(await (await as("GET", path)).json()).toEqual([]);
  }
  const patched = await as("PATCH", `/api/lead-purchases/${id}/sales-stage`, { salesStage: "called" });
  expect(patched.status).toBe(404);
  expect((await purchaseRow(id)).salesStage).toBe("accepted_lead");
  // Buying the lead again does not return its details either.
  const asked = await buy(leadId);
  expect(await problemOf(asked)).toMatchObject({ status: 409, code: "lead_closed" });
  // The lead never returns to the market.
  expect(await leadRow(leadId)).toMatchObject({ status: "sold" });
});
