/** Tests that a business learns which leads for sale are from customers it already has. */
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";

import { DAY_MS } from "../../contract/durations.ts";
import { callWith, db, call, testContext, testEnv } from "../../testing/client.ts";
import { countingDb } from "../../testing/counting-db.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { insertProvider, openSocket } from "../../testing/sockets.ts";
import { insertPendingLead, insertManualPurchase, quoteRequest } from "../../testing/world.ts";
import { leadPurchases, leads } from "../platform/db/schema.ts";
import { putOnMarket } from "./commands.ts";

type Provider = Awaited<ReturnType<typeof insertProvider>>;
type Request = NonNullable<Parameters<typeof insertPendingLead>[1]>;

const NEW = { customerPhone: "0491 570 156", customerEmail: "new@example.com" };

async function listed(request: Request) {
  const { id } = await insertPendingLead(db, request);
  await db.update(leads).set({ listingState: "listed", exchangeVersion: 1 }).where(eq(leads.id, id));
  return id;
}

async function ownCustomers({ as }: Provider): Promise<string[]> {
  const response = await as("GET", "/api/leads/own-customers");
  expect(response.status).toBe(200);
  return response.json<string[]>();
}

/** Adds a customer by hand, some days before the leads of these tests. */
const addByHand = ({ user }: Provider, request: Request, startedAt = Date.now() - DAY_MS) =>
  insertManualPurchase(db, user, { stage: "called", startedAt, request });

test("a lead with the phone or the email of an own purchase or manual lead is marked, and nothing more is revealed", async () => {
  const [pat, other] = [await insertProvider(), await insertProvider()];
  await addByHand(pat, { customerPhone: "0491 570 158", customerEmail: "" });
  const sold = await insertPendingLead(db, {
    customerPhone: "0491 570 159",
    customerEmail: "Casey@Example.com",
  });
  await putOnMarket(testContext, sold);
  const body = bodyFor("POST /api/leads/:id/purchase");
  expect((await pat.as("POST", `/api/leads/${sold.id}/purchase`, body)).status).toBe(201);

  const byPhone = await listed({ ...NEW, customerPhone: "+61 491 570 158 (after 6pm)" });
  const byEmail = await listed({ ...NEW, customerEmail: "casey@example.COM" });
  const unknown = await listed(NEW);
  expect((await ownCustomers(pat)).toSorted()).toEqual([byPhone, byEmail].toSorted());
  expect(await ownCustomers(other)).not.toContain(byPhone);
  expect(await ownCustomers(pat)).not.toContain(unknown);
  const text = JSON.stringify(await ownCustomers(pat)) + (await (await pat.as("GET", "/api/leads")).text());
  for (const key of ["61491570158", "491570158", "casey@example.com"])
    expect(text.toLowerCase()).not.toContain(key);
});

test("a customer added by hand after the request does not mark it, so a business cannot try numbers on a lead", async () => {
  const pat = await insertProvider();
  const lead = await listed({ ...NEW, customerPhone: "02 5550 7001" });
  await addByHand(pat, { customerPhone: "02 5550 7001" }, Date.now() + 1);
  expect(await ownCustomers(pat)).not.toContain(lead);
});

test("neither a removed purchase nor a lead that cannot be bought marks anything", async () => {
  const pat = await insertProvider();
  const purchaseId = await addByHand(pat, { customerPhone: "02 5550 7002" });
  const lead = await listed({ ...NEW, customerPhone: "02 5550 7002" });
  expect(await ownCustomers(pat)).toEqual([lead]);
  await db.update(leads).set({ excludedBusinessId: pat.user.id }).where(eq(leads.id, lead));
  expect(await ownCustomers(pat)).toEqual([]);
  await db.update(leads).set({ excludedBusinessId: null, listingState: "pending" }).where(eq(leads.id, lead));
  expect(await ownCustomers(pat)).toEqual([]);
  await db.update(leads).set({ listingState: "listed" }).where(eq(leads.id, lead));
  await db.update(leadPurchases).set({ removedAt: Date.now() }).where(eq(leadPurchases.id, purchaseId));
  expect(await ownCustomers(pat)).toEqual([]);
});

test("the cost grows with the leads for sale, not with the business's purchases", async () => {
  const pat = await insertProvider();
  const cost = async () => {
    const counted = countingDb(testEnv.DB);
    const { cookie } = pat.as;
    expect((await callWith({ DB: counted.db }, "GET", "/api/leads/own-customers", { cookie })).status).toBe(
      200,
    );
    return counted.cost.rowsRead;
  };
  const before = await cost();
  for (let i = 0; i < 30; i++)
    await addByHand(pat, { customerPhone: `02 5550 8${100 + i}`, customerEmail: "" });
  expect(await cost()).toBeLessThanOrEqual(before + 2);
});

test("when a customer asks again, the business's open windows get a notice, and other businesses' do not", async () => {
  const [pat, other] = [await insertProvider(), await insertProvider()];
  await addByHand(pat, { customerPhone: "02 5550 7003", customerEmail: "" });
  const [own, foreign] = await Promise.all(
    [pat, other].map(({ as }) => openSocket("/api/business/live", as.cookie)),
  );
  const body = quoteRequest({ ...NEW, customerPhone: "02 5550 7003", submissionId: crypto.randomUUID() });
  expect((await call("POST", "/api/leads", { body })).status).toBe(201);
  await vi.waitFor(() => expect(own!.frames.join()).toContain("offers_changed"));
  expect(foreign!.frames.join()).not.toContain("offers_changed");
});
