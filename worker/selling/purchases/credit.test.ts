/** Tests that free claims get a lead through the exchange, and that no free claim is spent twice. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { BadLeadOverview } from "../../../contract/bad-leads.ts";
import { freeClaims } from "../../tables.ts";
import type { ExchangeObject, MarketCommand } from "../../exchange/object.ts";
import { callWith, db, testEnv } from "../../../testing/client.ts";
import { exchangeIn, leadRow, purchasesBy, purchasesOf } from "../../../testing/facts.ts";
import { listed, runSweeps } from "../../../testing/drivers.ts";
import { insertProvider } from "../../../testing/sockets.ts";
import { directOrder } from "../../../testing/orders.ts";
import { insertFreeClaim, insertUser } from "../../../testing/world.ts";

type As = Awaited<ReturnType<typeof insertProvider>>["as"];

const desk = async (as: As) => (await (await as("GET", "/api/bad-leads")).json()) as BadLeadOverview;
const claim = (as: As, leadId: string) => as("POST", `/api/leads/${leadId}/claim-with-credit`);
const code = async (response: Response) => ((await response.json()) as { code: string }).code;

async function withFreeClaim() {
  const provider = await insertProvider();
  await insertFreeClaim(db, provider.user);
  return provider;
}

test("a free claim gets a lead for free, through the exchange, and is then used up", async () => {
  const { as } = await withFreeClaim();
  const lead = await listed();
  const response = await claim(as, lead.id);
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({
    leadId: lead.id,
    amountPaid: "0.00",
    paymentStatus: "completed",
    customerPhone: "02 5550 0123",
  });
  expect((await desk(as)).claimPrices.length).toBe(0);
  const row = await leadRow(lead.id);
  expect(row.status).toBe("sold");
  // A retry after a lost response returns the same lead and does not use another credit.
  expect((await claim(as, lead.id)).status).toBe(201);
  expect(await code(await claim(as, (await listed()).id))).toBe("no_credit");
});

test("one free claim and five clicks on five leads at once: one lead", async () => {
  const { user, as } = await withFreeClaim();
  const offered = await Promise.all(Array.from({ length: 5 }, () => listed()));
  const responses = await Promise.all(offered.map(({ id }) => claim(as, id)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
  const mine = await purchasesBy(user.id);
  expect(mine.filter(({ mode }) => mode === "claimed")).toHaveLength(1);
});

test("two businesses with a free claim each, one lead: one gets it, the other keeps its claim", async () => {
  const [one, other] = [await withFreeClaim(), await withFreeClaim()];
  const lead = await listed();
  const responses = await Promise.all([one, other].map(({ as }) => claim(as, lead.id)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const { as: loser } = responses[0]!.status === 409 ? one : other;
  expect(await code(await claim(loser, lead.id))).toBe("lead_taken");
  expect((await claim(loser, "lead_inner-west_00000000000000000000")).status).toBe(404);
  const left = [(await desk(one.as)).claimPrices.length, (await desk(other.as)).claimPrices.length];
  expect(left.toSorted()).toEqual([0, 1]);
});

test("a claim whose response was lost keeps its free claim used, since the business may have the lead", async () => {
  const { user, as } = await withFreeClaim();
  const lead = await listed();
  const { LEAD_EXCHANGE: real } = testEnv;
  const exchangeLosingResponse = (id: DurableObjectId) => ({
    async decide(command: MarketCommand) {
      await (real.get(id) as DurableObjectStub<ExchangeObject>).decide(command);
      throw new Error("Network connection lost.");
    },
  });
  const LEAD_EXCHANGE = {
    idFromName: (name: string) => real.idFromName(name),
    get: exchangeLosingResponse,
  } as unknown as typeof real;
  const lost = await callWith({ LEAD_EXCHANGE }, "POST", `/api/leads/${lead.id}/claim-with-credit`, {
    cookie: as.cookie,
  });
  expect(await code(lost)).toBe("exchange_unavailable");
  expect((await desk(as)).claimPrices.length).toBe(0);
  await runSweeps(Date.now() + 5 * 60_000);
  const mine = await purchasesOf(lead.id);
  expect(mine).toMatchObject([{ buyerId: user.id, mode: "claimed" }]);
  expect((await desk(as)).claimPrices.length).toBe(0);
});

test("a slow claim does not return the free claim that the sweep has used for it", async () => {
  const { user, as } = await withFreeClaim();
  const lead = await listed();
  const { LEAD_EXCHANGE: real } = testEnv;
  const LEAD_EXCHANGE = {
    idFromName: (name: string) => real.idFromName(name),
    get: () => ({
      async decide() {
        await runSweeps(Date.now() + 5 * 60_000);
        return { ok: false, reason: "paused" };
      },
    }),
  } as unknown as typeof real;
  const path = `/api/leads/${lead.id}/claim-with-credit`;
  expect(await code(await callWith({ LEAD_EXCHANGE }, "POST", path, { cookie: as.cookie }))).toBe(
    "region_paused",
  );
  const mine = await purchasesOf(lead.id);
  expect(mine).toMatchObject([{ buyerId: user.id, mode: "claimed" }]);
  expect((await desk(as)).claimPrices).toEqual([]);
});

test("the sweep finishes a claim that was interrupted before it reached the exchange", async () => {
  const { user, as } = await withFreeClaim();
  const lead = await listed();
  const begun = Date.now() - 5 * 60_000;
  await db
    .update(freeClaims)
    .set({ usedForLeadId: lead.id, usedAt: begun })
    .where(eq(freeClaims.buyerId, user.id));
  await runSweeps();
  const mine = await purchasesOf(lead.id);
  expect(mine).toMatchObject([{ buyerId: user.id, amountPaidCents: 0, mode: "claimed" }]);
  expect((await desk(as)).claimPrices.length).toBe(0);
});

test("the sweep returns the free claim of an interrupted claim for a lead that the business had bought", async () => {
  const { user, as } = await withFreeClaim();
  const lead = await listed();
  const body = { buyerName: "Pat", buyerEmail: "pat@example.com", buyerPhone: "0491 570 006" };
  expect((await as("POST", `/api/leads/${lead.id}/purchase`, body)).status).toBe(201);
  await db
    .update(freeClaims)
    .set({ usedForLeadId: lead.id, usedAt: Date.now() - 5 * 60_000 })
    .where(eq(freeClaims.buyerId, user.id));
  await runSweeps();
  expect((await desk(as)).claimPrices.length).toBe(1);
});

test("the sweep returns the free claim of an interrupted and lost claim", async () => {
  const { user, as } = await withFreeClaim();
  const lead = await listed();
  await db
    .update(freeClaims)
    .set({ usedForLeadId: lead.id, usedAt: Date.now() - 5 * 60_000 })
    .where(eq(freeClaims.buyerId, user.id));
  const rival = await insertUser(db);
  await exchangeIn("inner-west").decide(directOrder(lead, rival));
  await runSweeps();
  expect((await desk(as)).claimPrices.length).toBe(1);
});
