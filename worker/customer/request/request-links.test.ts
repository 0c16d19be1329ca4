/** The customer's page of a request: what its link shows, and withdrawing. Through the front door. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import type { RequestPageAnswer } from "../../../contract/request-links.ts";
import { buyer, stripe } from "../../../testing/cards.ts";
import { call, db } from "../../../testing/client.ts";
import { customerUpdatesOf, exchangeIn, leadRow, setUser } from "../../../testing/facts.ts";
import { erase, runSweep } from "../../../testing/drivers.ts";
import { quoteRequest } from "../../../testing/world.ts";
import { leadPurchases, leads, requestLinks } from "../../tables.ts";
import { eventually } from "../../../testing/eventually.ts";

let people = 1000 + Math.floor(Math.random() * 8000);

/** A request of a person who has not asked before, so that it is not quarantined as a repeated one. */
function newRequest() {
  const n = people++;
  return quoteRequest({
    customerName: `Robin Number${n}`,
    customerPhone: `02 5550 ${n}`,
    customerEmail: `robin${n}@example.com`,
    customerAddress: `${n} Norton Street, Leichhardt NSW 2040`,
    specificRequests: null,
  });
}

/** Sends a request, and returns its link's token and its lead. */
async function send(body = newRequest()) {
  const response = await call("POST", "/api/leads", { body });
  expect(response.status).toBe(201);
  const sent = await response.json<{ id: string; token: string; reference: string }>();
  // The Worker lists a request after its response.
  await eventually(async () => expect((await read(sent.token))!.steps).toHaveLength(2));
  return sent;
}

async function read(token: string) {
  const response = await call("GET", `/api/requests?token=${token}`);
  expect(response.status).toBe(200);
  return (await response.json<RequestPageAnswer>()).request;
}

async function withdraw(token: string) {
  const response = await call("POST", "/api/requests/withdraw", { body: { token } });
  expect(response.status).toBe(200);
  return (await response.json<{ outcome: string }>()).outcome;
}

const statusOf = async (id: string) =>
  (await db.select({ status: leads.status }).from(leads).where(eq(leads.id, id)))[0]!.status;

test("a link shows the request's steps, and nothing that identifies the customer", async () => {
  const body = newRequest();
  const { token, reference } = await send(body);
  const request = await read(token);
  expect(request).toMatchObject({ reference, provider: null, isExpired: false });
  expect(request!.steps.map(({ step }) => step)).toEqual(["received", "listed"]);
  const { customerName, customerPhone, customerAddress, customerEmail } = body;
  for (const secret of [customerName, customerPhone, customerAddress, customerEmail])
    expect(JSON.stringify(request)).not.toContain(secret);
});

test("D1 stores only the hash of a link's token", async () => {
  const { id, token } = await send();
  expect(
    JSON.stringify(await db.select().from(requestLinks).where(eq(requestLinks.leadId, id))),
  ).not.toContain(token);
});

test("after the sale the customer sees the provider and each stage that the provider reaches", async () => {
  const { id, token } = await send();
  const pat = await buyer({ companyName: "Green Lawns" });
  const { holdId, intentId } = await pat.opened(id);
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  const taken = await read(token);
  expect(taken!.provider).toMatchObject({ name: "Green Lawns" });
  await setUser(pat.user.id, { companyName: "Naturestrip Refunds call 0900 111 222 evil.example" });
  await db.update(leadPurchases).set({ buyerCompany: "Green Lawns" }).where(eq(leadPurchases.leadId, id));
  expect((await read(token))!.provider, "no contact details in a name").toMatchObject({
    name: "Green Lawns",
  });
  await setUser(pat.user.id, { companyName: "" });
  await db.update(leadPurchases).set({ buyerCompany: "" }).where(eq(leadPurchases.leadId, id));
  const { firstName, lastName } = pat.user;
  expect((await read(token))!.provider, "an empty company name is none").toMatchObject({
    name: `${firstName} ${lastName}`,
  });
  expect(taken!.steps.map(({ step }) => step)).toEqual(["received", "listed", "taken"]);
  await db.update(leadPurchases).set({ calledAt: Date.now() }).where(eq(leadPurchases.leadId, id));
  expect((await read(token))!.steps.at(-1)!.step).toBe("called");
  expect(await withdraw(token)).toBe("called_off");
  expect(await statusOf(id)).toBe("sold");
});

test("a withdrawn request leaves the market, and its link looks like an unknown one", async () => {
  const { id, token } = await send();
  expect(await withdraw(token)).toBe("withdrawn");
  expect(await statusOf(id)).toBe("withdrawn");
  expect(await (await buyer()).take(id)).toMatchObject({ status: 409 });
  expect(await read(token)).toBeNull();
  expect(await read("made-up")).toBeNull();
  expect([await withdraw(token), await withdraw("made-up")]).toEqual(["withdrawn", "withdrawn"]);
});

test("a request can be withdrawn while its exchange has lost its storage", async () => {
  const { id, token } = await send();
  const lead = await leadRow(id);
  await runInDurableObject(exchangeIn(lead.region), (_, { storage }) => {
    storage.sql.exec("DELETE FROM listings WHERE lead_id = ?", id);
  });
  expect(await withdraw(token)).toBe("withdrawn");
  expect(await statusOf(id)).toBe("withdrawn");
  expect(await read(token)).toBeNull();
});

test("while a provider is paying, a withdrawal waits for the hold to end", async () => {
  const { id, token } = await send();
  const pat = await buyer();
  const { holdId } = await pat.mustTake(id);
  expect(await withdraw(token)).toBe("waiting");
  expect(await read(token)).toMatchObject({ isWithdrawalPending: true });
  expect(await runSweep("withdrawal_sweep")).toMatchObject({ withdrawn: 0 });
  expect(await statusOf(id)).toBe("available");
  await pat.close(holdId);
  expect(await runSweep("withdrawal_sweep")).toMatchObject({ withdrawn: 1 });
  expect(await statusOf(id)).toBe("withdrawn");
  expect(await runSweep("withdrawal_sweep")).toMatchObject({ withdrawn: 0, sold: 0, failed: 0 });
});

test("a request that is bought during a pending withdrawal stays sold, and the buyer sees the withdrawal", async () => {
  const { id, token } = await send();
  const pat = await buyer();
  const { holdId, intentId } = await pat.opened(id);
  expect(await withdraw(token)).toBe("waiting");
  stripe.confirm(intentId, "good");
  expect((await pat.settle(holdId)).status).toBe("sold");
  expect(await runSweep("withdrawal_sweep")).toMatchObject({ sold: 1 });
  expect(await statusOf(id)).toBe("sold");
  expect(await customerUpdatesOf(id)).toMatchObject([{ kind: "withdrawn" }]);
  expect(await read(token)).toMatchObject({ isWithdrawalPending: false });
});

test("the link of an erased request opens nothing, and no row of it stays", async () => {
  const body = newRequest();
  const { id, token } = await send(body);
  await erase({ email: body.customerEmail! });
  expect(await read(token)).toBeNull();
  expect(await db.select().from(requestLinks).where(eq(requestLinks.leadId, id))).toEqual([]);
});
