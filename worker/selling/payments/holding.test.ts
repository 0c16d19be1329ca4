/** docs/failures.md, holding a lead: each test's name begins with its row. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import type { MarketCommand } from "../../exchange/object.ts";
import { attention } from "../../tables.ts";
import type { Bindings } from "../../platform/env.ts";
import {
  buyer,
  readStatusAndCode,
  eventsOf,
  exchange,
  expectBackOnMarket,
  endHold,
  listedLead,
  listingOf,
  paymentOf,
  runAlarm,
  statusOf,
  stripe,
  sweep,
} from "../../../testing/cards.ts";
import { callWith, db, testEnv } from "../../../testing/client.ts";
import { paymentsFor, setLead, setUser } from "../../../testing/facts.ts";
import { openSocket } from "../../../testing/sockets.ts";
import type { OpenedPayment } from "./commands.ts";
import { insertAbnCheck } from "../../../testing/world.ts";
import { holdOrder, withdrawalOf } from "../../../testing/orders.ts";
import { eventually } from "../../../testing/eventually.ts";

beforeEach(() => stripe.clearFaults());

type Buyer = Awaited<ReturnType<typeof buyer>>;

test("row 1: of ten claims at once one gets a payment, the others get 409 and none", async () => {
  const leadId = await listedLead();
  const rivals = await Promise.all(Array.from({ length: 10 }, () => buyer()));
  const results = await Promise.all(rivals.map(({ open }) => open(leadId)));
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  expect(await paymentsFor(leadId)).toHaveLength(1);
});

test("row 2: a double click, a retry and another tab share one hold and one payment", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const results = await Promise.all([pat.open(leadId), pat.open(leadId, "key-1"), pat.open(leadId, "key-2")]);
  const bodies = await Promise.all(results.map((result) => result.json() as Promise<OpenedPayment>));
  const offers = bodies.map((offer) => JSON.stringify({ ...offer, serverNow: 0 }));
  expect(new Set(offers).size).toBe(1);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  expect(await eventsOf(leadId)).toEqual(["listed", "held"]);
});

test("a business cannot hold its own request, and the lead returns to the market", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  await setLead(leadId, { phoneKey: "+61491570313" });
  await setUser(pat.user.id, { phoneKey: "+61491570313" });
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([409, "own_request"]);
  expect(stripe.intentsOf(leadId)).toEqual([]);
  expect(await listingOf(leadId)).toMatchObject({ state: "available", hold: null });
  expect((await (await buyer()).open(leadId)).status).toBe(200);
});

/** Each function gives a business the value that two businesses of one person share, or a different one. */
const SIGNS: Record<string, (one: Buyer, isShared: boolean) => PromiseLike<unknown>> = {
  number: ({ user }, isShared) => setUser(user.id, { phoneKey: `+6149157031${isShared ? 4 : 5}` }),
  "bank account": ({ as }, isShared) =>
    as("PUT", "/api/user/bank-details", { bsb: "062000", accountNumber: isShared ? "12345678" : "87654321" }),
  "checked ABN": ({ user }, isShared) =>
    insertAbnCheck(db, user.id, isShared ? "53004085616" : "51824753556"),
};

test.each(Object.entries(SIGNS))(
  "admins learn of a business with the %s of an older one, before its first lead",
  async (_, give) => {
    const [old, stranger, pat] = [await buyer(), await buyer(), await buyer({ payingSince: null })];
    await setUser(old.user.id, { createdAt: old.user.createdAt - 1 });
    for (const one of [old, stranger, pat]) await give(one, one !== stranger);
    for (const one of [stranger, pat]) expect((await one.open(await listedLead())).status).toBe(200);
    const alerts = await db.select().from(attention).where(eq(attention.kind, "same_person"));
    const about = (id: string) => alerts.filter(({ subjectId }) => subjectId === id);
    expect(about(pat.user.id)).toMatchObject([{ detail: expect.stringContaining(old.user.id) }]);
    expect(about(stranger.user.id)).toEqual([]);
  },
);

test("row 3: a retry finds the hold whose response was lost", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const first = await exchange.decide(holdOrder(leadId, pat.user));
  const { holdId } = await pat.opened(leadId);
  expect(first.ok && first.listing.hold?.holdId).toBe(holdId);
});

test("row 4: if Stripe refuses to create the payment, the lead returns immediately", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  stripe.fail("create", "refused");
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([502, "payment_failed"]);
  await expectBackOnMarket(leadId);
  expect(await eventsOf(leadId)).toEqual(["listed"]);
  // It was not the buyer's fault, so it does not count as a release, and the buyer does not have to wait.
  expect(await paymentsFor(leadId)).toMatchObject([{ slot: null, releasedAt: null }]);
  expect((await pat.open(leadId)).status).toBe(200);
});

test("row 5: a payment whose creation got no response is found with the same key and used", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  stripe.fail("create", "unheard");
  const { holdId } = await pat.opened(leadId);
  expect(stripe.intentsOf(leadId)).toHaveLength(1);
  expect((await listingOf(leadId)).hold).toMatchObject({ holdId });
});

test("row 5: if there is still no response, the lead returns and the sweep cancels the payment", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  stripe.fail("create", "unheard", "lost");
  expect(await readStatusAndCode(await pat.open(leadId))).toEqual([502, "payment_failed"]);
  expect((await listingOf(leadId)).state).toBe("available");
  await sweep();
  await expectBackOnMarket(leadId);
  const [row] = await paymentsFor(leadId);
  expect(row).toMatchObject({ state: "cancelled", slot: null });
});

test("row 6: a hold that ends while the payment is being created: cancelled, 409", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { now } = Date;
  stripe.runDuringNext("create", () => {
    vi.spyOn(Date, "now").mockImplementation(() => now() + 6 * 60_000);
  });
  const result = await readStatusAndCode(await pat.open(leadId));
  vi.restoreAllMocks();
  expect(result).toEqual([409, "hold_ended"]);
  expect(stripe.intentsOf(leadId)).toMatchObject([{ status: "canceled" }]);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
});

test("row 19: the client's amount is only compared: a different one gets 409 and no hold", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  expect(await readStatusAndCode(await pat.open(leadId, undefined, 1))).toEqual([409, "price_changed"]);
  expect(await eventsOf(leadId)).toEqual(["listed"]);
  expect(stripe.intentsOf(leadId)).toEqual([]);
});

test("row 24: a held lead cannot be withdrawn or sold another way, and expires only after the hold", async () => {
  const leadId = await listedLead();
  const [pat, rival] = [await buyer(), await buyer()];
  await pat.opened(leadId);
  expect(await exchange.decide(withdrawalOf({ id: leadId }))).toMatchObject({ ok: false, reason: "taken" });
  const direct = { buyerName: "R", buyerEmail: "r@example.com", buyerPhone: "0491 570 006" };
  expect(await readStatusAndCode(await rival.as("POST", `/api/leads/${leadId}/purchase`, direct))).toEqual([
    409,
    "lead_taken",
  ]);
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec("UPDATE listings SET expires_at = 1 WHERE lead_id = ?", leadId);
  });
  await runAlarm(leadId);
  expect(await listingOf(leadId)).toMatchObject({ state: "held" });
  await endHold(leadId);
  await runAlarm(leadId, 3);
  expect(await listingOf(leadId)).toMatchObject({ state: "expired", hold: null });
  expect(await statusOf(leadId)).toBe("expired");
});

test("row 26: a third open purchase is refused and never announced, until one of the two is released", async () => {
  const pat = await buyer();
  const [first, third] = [await listedLead(), await listedLead()];
  const watcher = await openSocket("/api/exchange/inner-west/live", pat.as.cookie);
  await watcher.frame(0);
  const { holdId } = await pat.opened(first);
  await pat.opened(await listedLead());
  expect(await readStatusAndCode(await pat.open(third))).toEqual([409, "too_many_holds"]);
  expect((await listingOf(third)).state).toBe("available");
  expect(stripe.intentsOf(third)).toEqual([]);
  expect(await eventsOf(third)).toEqual(["listed"]);
  expect((await pat.close(holdId)).status).toBe(204);
  await runAlarm(first);
  expect((await pat.open(third)).status).toBe(200);
  expect(await eventsOf(third)).toEqual(["listed", "held"]);
  await eventually(() => expect(watcher.frames.slice(1).join()).toContain(third));
});

test("row 26: a third hold is released although the exchange was overloaded for a moment", async () => {
  const pat = await buyer();
  for (const leadId of [await listedLead(), await listedLead()]) await pat.opened(leadId);
  const third = await listedLead();
  const overloaded = Object.assign(new Error("Durable Object is overloaded"), { overloaded: true });
  let refusals = 0;
  const decide = (command: MarketCommand) =>
    command.type === "release" && refusals++ === 0 ? Promise.reject(overloaded) : exchange.decide(command);
  // Skip the Worker's delay before it releases the hold again.
  vi.spyOn(scheduler, "wait").mockResolvedValue(undefined);
  const namespace = { idFromName: () => "", get: () => ({ decide }) };
  const response = await callWith(
    { LEAD_EXCHANGE: namespace as unknown as Bindings["LEAD_EXCHANGE"] },
    "POST",
    "/api/create-payment-intent",
    { cookie: pat.as.cookie, body: { leadId: third, amount: 5000 } },
  );
  expect(await readStatusAndCode(response)).toEqual([409, "too_many_holds"]);
  expect(refusals).toBeGreaterThan(0);
  expect(await listingOf(third)).toMatchObject({ state: "available", hold: null });
  expect(await eventsOf(third)).toEqual(["listed"]);
});

test("row 26: an undecided hold is announced after a while, and never before", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const { user, as } = pat;
  await exchange.decide(holdOrder(leadId, user));
  const heldUntil = async () => {
    const rows = (await (await as("GET", "/api/leads?region=inner-west")).json()) as {
      id: string;
      heldUntil: number | null;
    }[];
    const socket = await openSocket("/api/exchange/inner-west/live", as.cookie);
    const { leads } = (await socket.frame(0)) as { leads: typeof rows };
    return [rows, leads].map((list) => list.find(({ id }) => id === leadId)!.heldUntil);
  };
  expect(await eventsOf(leadId)).toEqual(["listed"]);
  expect(await heldUntil()).toEqual([null, null]);
  await runInDurableObject(exchange, (_, { storage }) => {
    storage.sql.exec("UPDATE holds SET hold = json_set(hold, '$.announceAt', 1) WHERE lead_id = ?", leadId);
    storage.sql.exec("UPDATE due SET at = 1 WHERE key = ? AND kind = 'announce'", leadId);
  });
  await evictDurableObject(exchange);
  await runDurableObjectAlarm(exchange);
  expect(await eventsOf(leadId)).toEqual(["listed", "held"]);
  const until = (await listingOf(leadId)).hold!.endsAt;
  expect(await heldUntil()).toEqual([until, until]);
  const { holdId } = await pat.opened(leadId);
  expect(await eventsOf(leadId)).toEqual(["listed", "held"]);
  await pat.close(holdId);
  await runAlarm(leadId);
  expect(await eventsOf(leadId)).toEqual(["listed", "held", "returned"]);
});

test("row 26: three at once take two slots", async () => {
  const pat = await buyer();
  const leadIds = [await listedLead(), await listedLead(), await listedLead()];
  const results = await Promise.all(leadIds.map((leadId) => pat.open(leadId)));
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
});

test("row 27: without keys card payment is refused with a plain message, and no hold is made", async () => {
  const leadId = await listedLead();
  const pat = await buyer();
  const without = { STRIPE_SECRET_KEY: undefined } as unknown as typeof testEnv;
  const options = { cookie: pat.as.cookie, body: { leadId, amount: 5000 } };
  for (const path of ["/api/create-payment-intent", "/api/exchange/holds"]) {
    const result = await callWith(without, "POST", path, options);
    expect(result.status, path).toBe(503);
    expect(await result.json()).toMatchObject({
      code: "payments_unavailable",
      detail: "Card payments aren't set up here yet. Nothing has been charged.",
    });
    expect((await listingOf(leadId)).state).toBe("available");
  }
});

test("the buyer who closes the dialog releases the lead; no other user can", async () => {
  const leadId = await listedLead();
  const [pat, rival] = [await buyer(), await buyer()];
  const { holdId } = await pat.opened(leadId);
  expect((await rival.close(holdId)).status).toBe(404);
  expect(await (await rival.as("POST", "/api/payments/settle", { holdId })).json()).toMatchObject({
    status: 404,
  });
  expect((await pat.close(holdId)).status).toBe(204);
  await runAlarm(leadId);
  await expectBackOnMarket(leadId);
  expect(await paymentOf(holdId)).toMatchObject({ state: "cancelled", slot: null });
  expect((await pat.close(holdId)).status).toBe(204);
});

test("only verified providers get a payment if the operator requires it", async () => {
  const leadId = await listedLead();
  const pat = await buyer({ isVerified: false });
  const open = () =>
    callWith({ REQUIRE_VERIFIED: "on" }, "POST", "/api/create-payment-intent", {
      cookie: pat.as.cookie,
      body: { leadId, amount: 5000 },
    });
  expect(await readStatusAndCode(await open())).toEqual([403, "not_verified"]);
  await setUser(pat.user.id, { isVerified: true });
  expect((await open()).status).toBe(200);
});

test("every watching provider sees that a lead is being bought, until when, and when it returns; never by whom", async () => {
  const leadId = await listedLead();
  const [pat, watcher] = [await buyer(), await buyer()];
  const socket = await openSocket("/api/exchange/inner-west/live", watcher.as.cookie);
  await socket.frame(0);
  const { holdId, holdExpiresAt } = await pat.opened(leadId);
  expect(await socket.frame(1)).toMatchObject({ changes: [{ kind: "held", leadId, until: holdExpiresAt }] });
  const late = await openSocket("/api/exchange/inner-west/live", pat.as.cookie);
  const { leads } = (await late.frame(0)) as { leads: { id: string; heldUntil: number | null }[] };
  expect(leads.find(({ id }) => id === leadId)).toMatchObject({ heldUntil: holdExpiresAt });
  await pat.close(holdId);
  await runAlarm(leadId);
  expect(await socket.frame(2)).toMatchObject({
    changes: [{ kind: "returned", lead: { id: leadId, customerName: "Anna B.", customerEmail: null } }],
  });
  const heard = socket.frames.join();
  for (const secret of [pat.user.id, holdId, "Brown", "anna.brown", "_secret"]) {
    expect(heard).not.toContain(secret);
  }
});
