/** The customer's page of a request: what its link shows, and withdrawing. Through the front door. */
import { runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { buyer, stripe } from "../../../testing/cards.ts";
import { call, db } from "../../../testing/client.ts";
import { read, requested, sell } from "../../../testing/customer-requests.ts";
import { customerUpdatesOf, exchangeIn, leadRow, setUser } from "../../../testing/facts.ts";
import { erase, runSweep } from "../../../testing/drivers.ts";
import { leadPurchases, requestLinks } from "../../tables.ts";

async function withdraw(token: string) {
  const response = await call("POST", "/api/requests/withdraw", { body: { token } });
  expect(response.status).toBe(200);
  return (await response.json<{ outcome: string }>()).outcome;
}

const statusOf = async (id: string) => (await leadRow(id)).status;

test("a link shows the request's steps, and nothing that identifies the customer", async () => {
  const { id, token } = await requested();
  const { reference, customerName, customerPhone, customerAddress, customerEmail } = await leadRow(id);
  const request = await read(token);
  expect(request).toMatchObject({ reference, provider: null, isExpired: false });
  expect(request!.steps.map(({ step }) => step)).toEqual(["received", "listed"]);
  for (const secret of [customerName, customerPhone, customerAddress, customerEmail])
    expect(JSON.stringify(request)).not.toContain(secret);
});

test("after the sale the customer sees the provider and each stage that the provider reaches", async () => {
  const { id, token } = await requested();
  const pat = await sell(id);
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
  const { id, token } = await requested();
  expect(await withdraw(token)).toBe("withdrawn");
  expect(await statusOf(id)).toBe("withdrawn");
  expect(await (await buyer()).take(id)).toMatchObject({ status: 409 });
  expect(await read(token)).toBeNull();
  expect(await read("made-up")).toBeNull();
  expect([await withdraw(token), await withdraw("made-up")]).toEqual(["withdrawn", "withdrawn"]);
});

test("a request can be withdrawn while its exchange has lost its storage", async () => {
  const { id, token } = await requested();
  const lead = await leadRow(id);
  await runInDurableObject(exchangeIn(lead.region), (_, { storage }) => {
    storage.sql.exec("DELETE FROM listings WHERE lead_id = ?", id);
  });
  expect(await withdraw(token)).toBe("withdrawn");
  expect(await statusOf(id)).toBe("withdrawn");
  expect(await read(token)).toBeNull();
});

test("while a provider is paying, a withdrawal waits for the hold to end", async () => {
  const { id, token } = await requested();
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
  const { id, token } = await requested();
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

test("D1 stores only the hash of a link, and erasing the request deletes it", async () => {
  const customerEmail = "gone.link@example.com";
  const { id, token } = await requested({ customerEmail });
  const links = () => db.select().from(requestLinks).where(eq(requestLinks.leadId, id));
  expect(JSON.stringify(await links())).not.toContain(token);
  await erase({ email: customerEmail });
  expect(await read(token)).toBeNull();
  expect(await links()).toEqual([]);
});
