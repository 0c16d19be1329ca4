/** Row 25 of docs/failures.md: a business is deactivated while it holds leads. */
import { beforeEach, expect, test } from "vitest";

import { LEAD_PRICE_CENTS } from "../../contract/money.ts";
import {
  buyer,
  readStatusAndCode,
  expectBackOnMarket,
  expectSold,
  listedLead,
  listingOf,
  paymentOf,
  runAlarm,
  stripe,
  webhook,
} from "../../testing/cards.ts";
import { callerFor, callWith, db } from "../../testing/client.ts";
import { paymentsFor } from "../../testing/facts.ts";
import { racing } from "../../testing/faulty-db.ts";
import { openSocket } from "../../testing/sockets.ts";
import { insertUser } from "../../testing/world.ts";

beforeEach(() => stripe.clearFaults());

async function deactivate(userId: string): Promise<void> {
  const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const response = await asAdmin("PATCH", `/api/super-admin/providers/${userId}`, { isActive: false });
  expect(response.status).toBe(200);
}

test("row 25: a deactivated business's payments are cancelled and its leads return; others are unaffected", async () => {
  const [first, second, third] = [await listedLead(), await listedLead(), await listedLead()];
  const [pat, rival] = [await buyer(), await buyer()];
  const { holdId } = await pat.opened(first);
  await pat.opened(second);
  const rivalHold = await rival.opened(third);
  const watching = await openSocket("/api/exchange/inner-west/live", rival.as.cookie);
  await watching.frame(0);
  await deactivate(pat.user.id);
  await runAlarm(first);
  await runAlarm(second);
  await expectBackOnMarket(first);
  await expectBackOnMarket(second);
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
  expect(stripe.intentsOf(first)).toMatchObject([{ status: "canceled" }]);
  // Another provider sees the leads return at once.
  await expect.poll(() => watching.frames.slice(1).join()).toContain(`"returned"`);
  expect(await listingOf(third)).toMatchObject({ state: "held", hold: { holdId: rivalHold.holdId } });
  expect((await rival.open(first)).status).toBe(200);
});

test("row 25: a payment that succeeded before the deactivation becomes a sale", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  await deactivate(pat.user.id);
  await runAlarm(leadId);
  expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
  await expectSold(leadId, pat.user.id, holdId);
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toEqual([]);
});

test("row 25: a business deactivated while Stripe creates the payment gets no secret, and the lead returns", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  stripe.runDuringNext("create", () => deactivate(pat.user.id));
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "hold_ended"]);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
});

test("row 25: a business that was just deactivated gets no slot for another payment", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  // Now the session is cached.
  expect((await pat.as("GET", "/api/auth/me")).status).toBe(200);
  const body = { leadId, amount: LEAD_PRICE_CENTS };
  const racingEnd = racing("INSERT INTO payments", () => deactivate(pat.user.id));
  const refused = await callWith(racingEnd, "POST", "/api/create-payment-intent", {
    cookie: pat.as.cookie,
    body,
  });
  expect(await readStatusAndCode(refused)).toEqual([401, "unauthenticated"]);
  expect(await paymentsFor(leadId)).toEqual([]);
});
