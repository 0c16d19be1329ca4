/** A request from its sale to its rescue: the customer's window, the first buyer's phone and the runner-up's. */
import { eq, sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { CONSENT_WORDING } from "../contract/consent.ts";
import { listLead, openPurchase, setUpCardFixture, typeCard } from "../testing/product/card-fixture.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { detail, openLead, row } from "../testing/product/pipeline-helpers.ts";
import { openDashboard, openWindow, openWindowAs } from "../testing/product/browser-fixture.ts";
import { insertUser } from "../testing/world.ts";
import { createRequestLink } from "../worker/leads/request-links/commands.ts";
import { leadPurchases, leads } from "../worker/platform/db/schema.ts";

const stage = await setUpCardFixture();
const PHONE = { viewport: { width: 360, height: 740 } };
const WORDS = "Mind the lorikeets";

async function picture(page: Page, name: string) {
  const path = `${process.env.PICTURES}/${name}.png`;
  if (process.env.PICTURES) await page.screenshot({ path, fullPage: true });
}

async function openProvider(companyName: string, phone: string) {
  const { db } = stage.product;
  const overrides = { companyName, phone, isVerified: true, payingSince: Date.now() - 1 };
  const user = await insertUser(db, { ...overrides, email: `${crypto.randomUUID()}@example.com` });
  const page = await openWindowAs(stage, user.id, PHONE);
  await openDashboard(page);
  return { user, page, call: await stage.product.callerFor(user.id) };
}

type Provider = Awaited<ReturnType<typeof openProvider>>;

/** Sells a lead to one provider, while another loses it. */
async function sell(leadId: string, first: Provider, loser: Provider) {
  const opened = await first.call("POST", "/api/create-payment-intent", { leadId, amount: 5000 });
  expect(opened.status).toBe(200);
  const { holdId, clientSecret } = (await opened.json()) as { holdId: string; clientSecret: string };
  const lost = await loser.call("POST", "/api/exchange/holds", { leadId, amount: 5000 });
  expect(lost.status).toBe(409);
  stage.stripe.confirm(clientSecret.split("_secret")[0]!, "good");
  expect((await first.call("POST", "/api/payments/settle", { holdId })).status).toBe(200);
}

/** Lets the buyer's time to call and their last 30 minutes run out. The sweep passes the request on. */
async function runOutClock(leadId: string) {
  const { db } = stage.product;
  const past = Date.now() - 1;
  const clock = sql`json_patch(call_clock, json_object('state', 'last_call', 'lastCallEndsAt', ${past}))`;
  await db
    .update(leadPurchases)
    .set({ clockEndsAt: past, clockDueAt: past, callClock: clock })
    .where(eq(leadPurchases.leadId, leadId));
  await stage.product.runSchedule();
}

test("no provider calls: the runner-up gets the request, and the customer and the first buyer see each step", async () => {
  const { db } = stage.product;
  const leadId = await listLead(stage, WORDS, { consentWording: CONSENT_WORDING, customerName: "Lori Keet" });
  const first = await openProvider("First Mowers", "02 5550 1901");
  const next = await openProvider("Next Mowers", "02 5550 1902");
  const stranger = await openProvider("Third Mowers", "02 5550 1903");
  await sell(leadId, first, next);
  await openDashboard(first.page, "?tab=leads");
  const customer = await openWindow(stage, { ...PHONE, javaScriptEnabled: false });
  const page = `/request/${await createRequestLink(db, leadId, Date.now())}`;
  await customer.goto(page);
  await customer.getByRole("button", { name: "Not Yet" }).click();
  await customer.getByText(/^You said that no call has come\./).waitFor();
  await runOutClock(leadId);

  const offer = next.page.getByRole("region", { name: "A lead just for you" });
  await offer.getByText(/^Only you can buy it until/).waitFor();
  await offer.getByRole("button", { name: /^Buy for \$25/ }).waitFor();
  await expectFits(next.page, "offered");
  await expectAccessible(next.page, "offered");
  await picture(next.page, "offer-360");
  await next.page.emulateMedia({ colorScheme: "dark" });
  await picture(next.page, "offer-360-dark");
  await next.page.setViewportSize({ width: 1280, height: 800 });
  await picture(next.page, "offer-1280-dark");
  await next.page.emulateMedia({ colorScheme: "light" });
  await picture(next.page, "offer-1280");
  await next.page.setViewportSize(PHONE.viewport);
  await openDashboard(stranger.page);
  expect(await stranger.page.getByText(WORDS).count()).toBe(0);

  await row(first.page, "Lori Keet").waitFor();
  await openLead(first.page, "Lori Keet");
  await detail(first.page)
    .getByText("You didn’t call in time, so this request went to another provider.")
    .waitFor();
  await picture(first.page, "first-buyer");
  await customer.goto(page);
  await customer
    .getByText("First Mowers didn’t call you in time, so we’ve asked the next provider.")
    .waitFor();
  await expectFits(customer, "asked the next provider");
  await picture(customer, "page-passed-on");

  await openPurchase(next.page, WORDS);
  await typeCard(next.page, "4242 4242 4242 4242");
  await next.page
    .getByRole("dialog")
    .getByRole("button", { name: /^Pay \$25/ })
    .click();
  await next.page.getByRole("dialog", { name: "It's yours" }).waitFor();
  const [rescued] = await db.select().from(leads).where(eq(leads.rescuedFromId, leadId));
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.leadId, rescued!.id));
  expect(purchase).toMatchObject({ buyerId: next.user.id, amountPaidCents: 2500 });
  await next.page.getByRole("dialog", { name: "It's yours" }).getByRole("button", { name: "Close" }).click();
  await offer.waitFor({ state: "detached" });
  await customer.goto(page);
  await customer
    .getByText("First Mowers didn’t call you in time, so Next Mowers has your request now.")
    .waitFor();
  await picture(customer, "page-next-provider");

  await openDashboard(next.page, "?tab=leads");
  await openLead(next.page, "Lori Keet");
  await detail(next.page).getByLabel("Stage", { exact: true }).selectOption({ label: "Job booked" });
  await customer.goto(page);
  await customer.locator(".is-reached").getByText("The job is booked").waitFor();
});
