/** "Did they call?" on the customer's page without a script, and the time left on the buyer's phone. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { detail, openLead, row } from "../testing/product/pipeline-helpers.ts";
import {
  expectSoon,
  openContext,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
} from "../testing/product/browser-fixture.ts";
import { insertUser, quoteRequest } from "../testing/world.ts";
import { attention, leadPurchases, leads } from "../worker/platform/db/schema.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };

async function picture(page: Page, name: string) {
  const path = `${process.env.PICTURES}/${name}.png`;
  if (process.env.PICTURES) await page.screenshot({ path, fullPage: true });
}

/** Sells an urgent request to a provider. Opens the buyer's phone, and the customer's window without a script. */
async function sell(name: string, n: number) {
  const { db, url } = fixture.product;
  const headers = { Origin: url };
  const visitor = await openContext(fixture);
  const data = quoteRequest({
    urgency: "urgent",
    customerName: name,
    customerPhone: `02 5552 ${n}`,
    customerEmail: `caller${n}@example.com`,
    customerAddress: `${n} Marion Street, Leichhardt NSW 2040`,
    specificRequests: null,
  });
  const sent = await visitor.request.post("/api/leads", { data, headers });
  expect(sent.status(), await sent.text()).toBe(201);
  const { id, token } = (await sent.json()) as { id: string; token: string };
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

test("the customer says not yet, and the buyer's phone shows it at once; then the buyer calls, and they confirm", async () => {
  const { phone, customer, token, clock } = await sell("Cara Calls", 2101);
  const card = row(phone, "Cara Calls");
  await card.getByText(/^Call by \d/).waitFor();
  await picture(phone, "card-running");
  await customer.getByRole("heading", { name: "Did Green Lawns call you?" }).waitFor();
  await picture(customer, "page-asked");
  await expectFits(customer, "asked");
  await customer.getByRole("button", { name: "Not Yet" }).click();
  await customer.getByText(/^You said that no call has come. Green Lawns knows, and has until/).waitFor();
  await picture(customer, "page-not-yet");
  // Without a reload.
  await card.getByText(/^The customer says you haven’t called yet\./).waitFor();
  await expectFits(phone, "not yet");
  await expectAccessible(phone, "not yet");
  await picture(phone, "card-not-yet");
  for (const [view, width] of [
    ["board", 360],
    ["board", 1280],
    ["list", 1280],
  ] as const) {
    await phone.setViewportSize({ width, height: 740 });
    await openDashboard(phone, `?tab=leads&view=${view}`);
    await phone
      .getByText(/^The customer says you haven’t called yet\./)
      .first()
      .waitFor();
    await expectFits(phone, `${view} at ${width}`);
    await picture(phone, `${view}-${width}`);
  }
  await phone.setViewportSize(PHONE.viewport);
  await openDashboard(phone, "?tab=leads&view=list");
  await openLead(phone, "Cara Calls");
  await detail(phone)
    .getByText(/^The customer says you haven’t called yet\./)
    .waitFor();
  await picture(phone, "detail-not-yet");
  await detail(phone).getByLabel("Stage", { exact: true }).selectOption({ label: "Called" });
  await detail(phone).getByText("Called. Waiting for the customer.").waitFor();
  await customer.goto(`/request/${token}`);
  await customer.getByRole("button", { name: "Yes, They Called" }).click();
  await customer.getByText("You said that they called.").waitFor();
  await detail(phone).getByText("The customer says you called.").waitFor();
  expect(await clock()).toMatchObject({ state: "over", answer: "called" });
  expect(await customer.getByRole("button").count()).toBe(0);
});

test("a customer who never asked says so in two steps, and can take it back; a window with a script follows", async () => {
  const { id, phone, customer, token, clock } = await sell("Nina Never", 2102);
  const open = await openWindow(fixture, PHONE);
  await open.goto(`/request/${token}`);
  await customer.getByText("I never asked for this", { exact: true }).click();
  expect(await clock(), "opening the page changes nothing").toBeNull();
  await picture(customer, "page-never");
  await customer.getByRole("button", { name: "I Never Asked for This" }).click();
  await customer.getByText(/^You said that you never asked for this\./).waitFor();
  await picture(customer, "page-never-said");
  await row(phone, "Nina Never").getByText("Please don’t call.").waitFor();
  const { db } = fixture.product;
  const items = await db.select().from(attention).where(eq(attention.subjectId, id));
  expect(items.map(({ kind }) => kind)).toEqual(["never_asked"]);
  await open.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await open.getByText(/^You said that you never asked for this\./).waitFor();
  await open.getByRole("button", { name: "Not Yet" }).click();
  await open.getByText(/^You said that no call has come\./).waitFor();
  expect(await clock()).toMatchObject({ state: "running", answer: "not_yet" });
});

test("the question fits in light and dark mode, on a phone and a desktop", async () => {
  const { token } = await sell("Dora Dark", 2103);
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await openWindow(fixture, { colorScheme });
    await page.goto(`/request/${token}`);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectFits(page, `${colorScheme} at ${width}`);
      await expectAccessible(page, `${colorScheme} at ${width}`);
      await picture(page, `call-${colorScheme}-${width}`);
    }
  }
});
