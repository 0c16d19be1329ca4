/** Tests that a business learns which leads for sale are from customers it already has. */
import { expect, test } from "vitest";

import { DAY_MS } from "../../contract/durations.ts";
import { db } from "../../testing/client.ts";
import { setLead, setPurchase } from "../../testing/facts.ts";
import { listed } from "../../testing/drivers.ts";
import { bodyFor } from "../../testing/routes/api.ts";
import { insertProvider } from "../../testing/sockets.ts";
import { insertManualPurchase, insertPendingLead, newLeadId } from "../../testing/world.ts";

type Provider = Awaited<ReturnType<typeof insertProvider>>;
type Request = NonNullable<Parameters<typeof insertPendingLead>[1]>;

const NEW = { customerPhone: "0491 570 156", customerEmail: "new@example.com" };

async function onList(request: Request) {
  const { id } = await insertPendingLead(db, request);
  await setLead(id, { listingState: "listed", exchangeVersion: 1 });
  return id;
}

async function ownCustomers({ as }: Provider, ...leadIds: string[]): Promise<string[]> {
  const response = await as("GET", `/api/leads/own-customers?ids=${leadIds.join(",")}`);
  expect(response.status).toBe(200);
  return response.json<string[]>();
}

/** Adds a customer by hand, some days before the leads of these tests. */
const addByHand = ({ user }: Provider, request: Request, startedAt = Date.now() - DAY_MS) =>
  insertManualPurchase(db, user, { stage: "called", startedAt, request });

test("a lead with the phone or the email of an own purchase or manual lead is marked, and nothing more is revealed", async () => {
  const [pat, other] = [await insertProvider(), await insertProvider()];
  await addByHand(pat, { customerPhone: "0491 570 158", customerEmail: "" });
  const sold = await listed({
    customerPhone: "0491 570 159",
    customerEmail: "Casey@Example.com",
  });
  const body = bodyFor("POST /api/leads/:id/purchase");
  expect((await pat.as("POST", `/api/leads/${sold.id}/purchase`, body)).status).toBe(201);

  const byPhone = await onList({ ...NEW, customerPhone: "+61 491 570 158 (after 6pm)" });
  const byEmail = await onList({ ...NEW, customerEmail: "casey@example.COM" });
  const unknown = await onList(NEW);
  const all = [byPhone, byEmail, unknown];
  expect((await ownCustomers(pat, ...all)).toSorted()).toEqual([byPhone, byEmail].toSorted());
  expect(await ownCustomers(pat, byPhone)).toEqual([byPhone]);
  expect(await ownCustomers(other, ...all)).toEqual([]);
  const text =
    JSON.stringify(await ownCustomers(pat, ...all)) + (await (await pat.as("GET", "/api/leads")).text());
  for (const key of ["61491570158", "491570158", "casey@example.com"])
    expect(text.toLowerCase()).not.toContain(key);
});

test("a window may ask about a hundred leads at once", async () => {
  const pat = await insertProvider();
  await addByHand(pat, { customerPhone: "02 5550 7009", customerEmail: "" });
  const own = await onList({ ...NEW, customerPhone: "02 5550 7009" });
  const others = Array.from({ length: 99 }, () => newLeadId("inner-west"));
  expect(await ownCustomers(pat, ...others, own)).toEqual([own]);
});

test("a customer added by hand after the request does not mark it, so a business cannot try numbers on a lead", async () => {
  const pat = await insertProvider();
  const lead = await onList({ ...NEW, customerPhone: "02 5550 7001" });
  await addByHand(pat, { customerPhone: "02 5550 7001" }, Date.now() + 1);
  expect(await ownCustomers(pat, lead)).toEqual([]);
});

test("neither a removed purchase nor a lead that cannot be bought marks anything", async () => {
  const pat = await insertProvider();
  const purchaseId = await addByHand(pat, { customerPhone: "02 5550 7002" });
  const lead = await onList({ ...NEW, customerPhone: "02 5550 7002" });
  expect(await ownCustomers(pat, lead)).toEqual([lead]);
  await setLead(lead, { excludedBusinessId: pat.user.id });
  expect(await ownCustomers(pat, lead)).toEqual([]);
  await setLead(lead, { excludedBusinessId: null, status: "sold" });
  expect(await ownCustomers(pat, lead)).toEqual([]);
  await setLead(lead, { status: "available" });
  await setPurchase(purchaseId, { removedAt: Date.now() });
  expect(await ownCustomers(pat, lead)).toEqual([]);
});
