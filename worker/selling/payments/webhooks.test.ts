/** docs/failures.md, Stripe's webhooks: each test's name begins with its row. */
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, test, vi } from "vitest";

import { DAY_MS, MINUTE_MS } from "../../../contract/durations.ts";
import {
  buyer,
  exchange,
  expectSold,
  listedLead,
  listingOf,
  paymentOf,
  soldLead,
  stripe,
  sweep,
  webhook,
} from "../../../testing/cards.ts";
import { call } from "../../../testing/client.ts";
import { auditEntries, WEBHOOK_EVENTS } from "../../../testing/facts.ts";

beforeEach(() => stripe.clearFaults());

test("row 14: webhooks twice, late and out of order settle once", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  const early = await stripe.event("payment_intent.payment_failed", intentId);
  stripe.confirm(intentId, "good");
  const responses = await Promise.all([
    webhook("payment_intent.succeeded", intentId),
    webhook("payment_intent.succeeded", intentId),
    pat.settle(holdId).then(() => new Response()),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await call("POST", "/api/stripe/webhook", early)).status).toBe(200);
  await expectSold(leadId, pat.user.id, holdId);
  expect(await auditEntries(leadId)).toHaveLength(1);
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toEqual([]);
});

test("row 14: a webhook before the payment was attached finds its hold by the metadata", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec(
      "UPDATE holds SET hold = json_set(hold, '$.paymentIntentId', NULL) WHERE lead_id = ?",
      leadId,
    );
  });
  stripe.confirm(intentId, "good");
  expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
  await expectSold(leadId, pat.user.id, holdId);
});

test("row 14: a webhook that cannot be handled now gets 5xx, so that Stripe resends it", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  stripe.fail("retrieve", "busy");
  expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(500);
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
  await expectSold(leadId, pat.user.id, holdId);
});

test("row 14: a signed webhook for a payment unknown to Stripe gets 200, is logged and not resent", async () => {
  const warn = vi.spyOn(console, "warn");
  const leadId = await listedLead();
  const { holdId, intentId } = await (await buyer()).opened(leadId);
  const event = await stripe.event("payment_intent.succeeded", intentId);
  stripe.forgetIntent(intentId);
  const response = await call("POST", "/api/stripe/webhook", event);
  expect([response.status, await response.json()]).toEqual([200, { received: true }]);
  expect(warn.mock.calls.join()).toContain("webhook_for_unknown_payment");
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  expect(await paymentOf(holdId)).toMatchObject({ state: "pending" });
  warn.mockRestore();
});

test("row 15: without any webhook the sweep settles", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  await sweep();
  await expectSold(leadId, pat.user.id, holdId);
});

test("row 16: a webhook with a bad signature or the wrong mode is rejected and changes nothing", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  const type = "payment_intent.succeeded";
  const bad = { code: "invalid_signature" };
  const now = Date.now();
  for (const options of [
    { secret: "whsec_somebody_elses" },
    { livemode: true },
    { sentAt: now - 6 * MINUTE_MS },
    { sentAt: now + 6 * MINUTE_MS },
    { sentAt: now + 365 * DAY_MS },
  ]) {
    const response = await webhook(type, intentId, options);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject(bad);
  }
  const { body, headers } = await stripe.event(type, intentId);
  const tampered = body.replace(type, "payment_intent.canceled");
  expect((await call("POST", "/api/stripe/webhook", { body: tampered, headers })).status).toBe(400);
  expect((await call("POST", "/api/stripe/webhook", { body })).status).toBe(400);
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  expect(await paymentOf(holdId)).toMatchObject({ state: "pending" });
});

test("row 16: a webhook needs only its signature, not our origin", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  const { body, headers } = await stripe.event("payment_intent.succeeded", intentId);
  const foreign = { ...headers, Origin: "https://stripe.example" };
  expect((await call("POST", "/api/stripe/webhook", { body, headers: foreign })).status).toBe(200);
  await expectSold(leadId, pat.user.id, holdId);
});

test("row 17: a payment from another app or deployment on the account is ignored, never refunded", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { intentId } = await pat.opened(leadId);
  const intent = stripe.intents.get(intentId)!;
  const mine = intent.metadata;
  stripe.confirm(intentId, "good");
  for (const metadata of [{}, { ...mine, deployment: "elsewhere" }, { ...mine, app: "another" }]) {
    intent.metadata = metadata;
    expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
  }
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toEqual([]);
  intent.metadata = mine;
});

const readCount = () => stripe.calls.filter((made) => made.call === "retrieve").length;

test("the payment in every kind of event is read from Stripe", async () => {
  const { intentId } = await soldLead();
  stripe.refundInDashboard(intentId);
  stripe.dispute(intentId);
  for (const type of WEBHOOK_EVENTS) {
    const before = readCount();
    expect((await webhook(type, intentId)).status, type).toBe(200);
    expect(readCount(), type).toBe(before + 1);
  }
});
