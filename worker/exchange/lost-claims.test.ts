/** Tests that a late claim costs one call to the exchange and no query to D1. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";

import { sessions } from "../tables.ts";
import type { Bindings } from "../platform/env.ts";
import { buyer, readStatusAndCode, listedLead, listingOf, stripe } from "../../testing/cards.ts";
import { callWith, db } from "../../testing/client.ts";
import { setUser } from "../../testing/facts.ts";
import { WITHOUT_D1 } from "../../testing/faulty-db.ts";

beforeEach(() => stripe.clearFaults());

type Buyer = Awaited<ReturnType<typeof buyer>>;

function claim({ as }: Buyer, leadId: string, changed: Partial<Bindings> = {}) {
  const body = { leadId, amount: 5000 };
  return callWith(changed, "POST", "/api/create-payment-intent", { cookie: as.cookie, body });
}

/** Returns a buyer who made a request a moment ago. */
async function buyerWithWindow(): Promise<Buyer> {
  const present = await buyer();
  expect((await callWith({}, "GET", "/api/auth/me", { cookie: present.as.cookie })).status).toBe(200);
  return present;
}

test("a losing claim calls only the exchange, never D1", async () => {
  const leadId = await listedLead();
  const [pat, rival] = [await buyerWithWindow(), await buyerWithWindow()];
  expect((await claim(pat, leadId)).status).toBe(200);
  expect(await readStatusAndCode(await claim(rival, leadId, WITHOUT_D1))).toEqual([409, "lead_taken"]);
});

test("businesses without a cached session are looked up first", async () => {
  const leadId = await listedLead();
  const stranger = await buyer();
  expect((await claim(stranger, leadId, WITHOUT_D1)).status).toBe(500);
  expect(await listingOf(leadId)).toMatchObject({ state: "available" });
});

test("D1 confirms a winning claim: without it there is no payment, and the lead returns", async () => {
  const leadId = await listedLead();
  const pat = await buyerWithWindow();
  expect(await readStatusAndCode(await claim(pat, leadId, WITHOUT_D1))).toEqual([
    503,
    "exchange_unavailable",
  ]);
  expect(stripe.intentsOf(leadId)).toEqual([]);
  expect(await listingOf(leadId)).toMatchObject({ state: "available", hold: null });
});

const ENDINGS: Record<string, (userId: string) => Promise<unknown>> = {
  "signed out": (userId) => db.delete(sessions).where(eq(sessions.userId, userId)),
  deactivated: (userId) => setUser(userId, { isActive: false }),
};

test.each(Object.entries(ENDINGS))("a provider who was just %s wins nothing", async (_, end) => {
  const leadId = await listedLead();
  const pat = await buyerWithWindow();
  await end(pat.user.id);
  expect(await readStatusAndCode(await claim(pat, leadId))).toEqual([401, "unauthenticated"]);
  expect(stripe.intentsOf(leadId)).toEqual([]);
  expect(await listingOf(leadId)).toMatchObject({ state: "available", hold: null });
  // The old session cannot make another claim either.
  expect(await readStatusAndCode(await claim(pat, leadId))).toEqual([401, "unauthenticated"]);
});

test("a provider whose verification was just revoked wins nothing where it is required", async () => {
  const [first, second] = [await listedLead(), await listedLead()];
  const pat = await buyerWithWindow();
  const verify = (isVerified: boolean) => setUser(pat.user.id, { isVerified });
  await verify(true);
  expect((await callWith({}, "GET", "/api/auth/me", { cookie: pat.as.cookie })).status).toBe(200);
  expect((await claim(pat, first, { REQUIRE_VERIFIED: "on" })).status).toBe(200);
  await verify(false);
  expect(await readStatusAndCode(await claim(pat, second, { REQUIRE_VERIFIED: "on" }))).toEqual([
    403,
    "not_verified",
  ]);
  expect(stripe.intentsOf(second)).toEqual([]);
  expect(await listingOf(second)).toMatchObject({ state: "available", hold: null });
});

test("the secret of an open payment is not sent to an ended session", async () => {
  const leadId = await listedLead();
  const pat = await buyerWithWindow();
  expect((await claim(pat, leadId)).status).toBe(200);
  await db.delete(sessions).where(eq(sessions.userId, pat.user.id));
  const response = await claim(pat, leadId);
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain("_secret");
  // The payment does not change: the buyer who opened it may still be paying.
  expect(await listingOf(leadId)).toMatchObject({ state: "held", hold: { businessId: pat.user.id } });
});
