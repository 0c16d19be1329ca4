/** Row 25 of docs/failures.md: a business is deactivated while it holds leads. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { MINUTE_MS } from "../../contract/durations.ts";
import { CLOSE } from "../../contract/exchange.ts";
import { users } from "../platform/db/schema.ts";
import { takeSlot } from "../selling/payments/ledger-commands.ts";
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
import { callerFor, db, testContext } from "../../testing/client.ts";
import { sessionHash } from "../../testing/facts.ts";
import { openSocket } from "../../testing/sockets.ts";
import { insertUser } from "../../testing/world.ts";
import { releaseBusiness } from "./business-commands.ts";

beforeEach(() => stripe.clearFaults());

/** Deactivates a user in the same order as the app: first `is_active`, then the holds. */
async function deactivate(userId: string): Promise<number> {
  await db.update(users).set({ isActive: false }).where(eq(users.id, userId));
  return releaseBusiness(testContext, userId);
}

test("row 25: a deactivated business's payments are cancelled and its leads return; others are unaffected", async () => {
  const [first, second, third] = [await listedLead(), await listedLead(), await listedLead()];
  const [pat, rival] = [await buyer(), await buyer()];
  const { holdId } = await pat.opened(first);
  await pat.opened(second);
  const rivalHold = await rival.opened(third);
  expect(await deactivate(pat.user.id)).toBe(2);
  await runAlarm(first);
  await runAlarm(second);
  await expectBackOnMarket(first);
  await expectBackOnMarket(second);
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
  expect(await listingOf(third)).toMatchObject({ state: "held", hold: { holdId: rivalHold.holdId } });
  expect((await rival.open(first)).status).toBe(200);
});

test("row 25: an admin who deactivates a provider ends their payment, windows and hold", async () => {
  const leadId = await listedLead();
  const [pat, rival] = [await buyer(), await buyer()];
  const { holdId } = await pat.opened(leadId);
  const paths = ["/api/exchange/inner-west/live", "/api/business/live"];
  const windows = await Promise.all(paths.map((path) => openSocket(path, pat.as.cookie)));
  const watching = await openSocket("/api/exchange/inner-west/live", rival.as.cookie);
  await watching.frame(0);
  const asAdmin = await callerFor((await insertUser(db, { isSuperAdmin: true })).id);
  const response = await asAdmin("PATCH", `/api/super-admin/providers/${pat.user.id}`, { isActive: false });
  expect(response.status).toBe(200);
  for (const { closed } of windows) expect((await closed).code).toBe(CLOSE.signedOut);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
  expect(stripe.intentsOf(leadId)).toMatchObject([{ status: "canceled" }]);
  // A watching provider sees the lead return immediately, and may buy it.
  await expect.poll(() => watching.frames.slice(1).join()).toContain(`"returned"`);
  expect((await rival.open(leadId)).status).toBe(200);
});

test("row 25: a payment that succeeded before the deactivation becomes a sale", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(leadId);
  stripe.confirm(intentId, "good");
  expect(await deactivate(pat.user.id)).toBe(1);
  await runAlarm(leadId);
  expect((await webhook("payment_intent.succeeded", intentId)).status).toBe(200);
  await expectSold(leadId, pat.user.id, holdId);
  expect(stripe.refunds.filter((refund) => refund.payment_intent === intentId)).toEqual([]);
});

test("row 25: a business deactivated while Stripe creates the payment gets no secret, and the lead returns", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  stripe.runDuringNext("create", async () => void (await deactivate(pat.user.id)));
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "hold_ended"]);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
});

test("row 25: a business that was just deactivated gets no slot for another payment", async () => {
  const pat = await buyer();
  const order = {
    leadId: "lead_inner-west_00000000000000000000",
    region: "inner-west",
    businessId: pat.user.id,
    userId: pat.user.id,
    amountCents: 5000,
    claimKey: null,
    endsAt: Date.now() + 5 * MINUTE_MS,
  };
  const take = (holdId: string) =>
    takeSlot(
      db,
      { ...order, holdId },
      { sessionHash: sessionHash(pat.as.cookie), mustBeVerified: false, isTrusted: true },
      null,
      Date.now(),
    );
  expect(await take("hold_00000000000000000000")).toBe(true);
  await deactivate(pat.user.id);
  expect(await take("hold_00000000000000000001")).toBe(false);
});

test("releasing the holds of a business without holds is not an error", async () => {
  expect(await deactivate((await buyer()).user.id)).toBe(0);
});
