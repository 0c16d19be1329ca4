/** "I never asked for this" on the customer's page without a script, and on the buyer's phone. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { row } from "../testing/product/pipeline-helpers.ts";
import {
  expectSoon,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
  takePicture,
} from "../testing/product/browser-fixture.ts";
import { sendRequest } from "../testing/product/send-request.ts";
import { insertUser } from "../testing/world.ts";
import { attention, leadPurchases, leads } from "../worker/tables.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };

/** Sells an urgent request to a provider. Opens the buyer's phone, and the customer's window without a script. */
async function sell(name: string, n: number) {
  const { db, url } = fixture.product;
  const headers = { Origin: url };
  const { id, token } = await sendRequest(fixture, {
    urgency: "urgent",
    customerName: name,
    customerPhone: `02 5552 ${n}`,
    customerEmail: `caller${n}@example.com`,
    customerAddress: `${n} Marion Street, Leichhardt NSW 2040`,
    specificRequests: null,
  });
  const stored = async () => (await db.select().from(leads).where(eq(leads.id, id)))[0]!;
  await expectSoon(async () => (await stored()).listingState, "listed");
  const user = await insertUser(db, { isVerified: true, companyName: "Green Lawns", phone: "02 5550 1999" });
  const phone = await openWindowAs(fixture, user.id, PHONE);
  const details = { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "02 5550 1999" };
  const bought = await phone.request.post(`/api/leads/${id}/purchase`, { data: details, headers });
  expect(bought.status(), await bought.text()).toBe(201);
  await openDashboard(phone, "?tab=leads");
  const customer = await openWindow(fixture, { ...PHONE, javaScriptEnabled: false });
  await customer.goto(`/request/${token}`);
  const clock = async () =>
    (await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, id)))[0]!.callClock;
  return { id, token, phone, customer, clock };
}

test("a customer who never asked says so in two steps, and can take it back; a window with a script follows", async () => {
  const { id, phone, customer, token, clock } = await sell("Nina Never", 2102);
  const open = await openWindow(fixture, PHONE);
  await open.goto(`/request/${token}`);
  await customer.getByText("I never asked for this", { exact: true }).click();
  expect(await clock(), "opening the page changes nothing").toBeNull();
  await takePicture(customer, "page-never");
  await customer.getByRole("button", { name: "I Never Asked for This" }).click();
  await customer.getByText(/^You said you never asked for this\./).waitFor();
  await takePicture(customer, "page-never-said");
  await row(phone, "Nina Never").getByText("Please don't call.").waitFor();
  const { db } = fixture.product;
  const items = await db.select().from(attention).where(eq(attention.subjectId, id));
  expect(items.map(({ kind }) => kind)).toEqual(["never_asked"]);
  await open.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await open.getByText(/^You said you never asked for this\./).waitFor();
  await open.getByRole("button", { name: "Not Yet" }).click();
  await open.getByText(/^You said you haven’t had a call\./).waitFor();
  expect(await clock()).toMatchObject({ state: "running", answer: "not_yet" });
});
