/**
 * The whole life of a request: the customer's window, the phone of a buyer who does not call, and the phone of the
 * provider whose claim came second.
 */
import { eq, sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { HOUR_MS, MINUTE_MS } from "../contract/durations.ts";
import { openPurchase, setUpCardFixture, typeCard } from "../testing/product/card-fixture.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { count, detail, openLead, row } from "../testing/product/pipeline-helpers.ts";
import {
  blockRequests,
  expectSoon,
  fillQuote,
  openDashboard,
  openWindow,
  openWindowAs,
  takePicture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";
import { insertUser } from "../testing/world.ts";
import { leadPurchases, leads } from "../worker/tables.ts";

const stage = await setUpCardFixture();
const PHONE = { viewport: { width: 360, height: 740 } };
const CUSTOMER = "Lori Keet";
const WORDS = "Please leave the grass clippings";
const NEW_WORDS = "The side gate is open all day";

/** Opens the phone of a provider who has paid for a lead before. */
async function openPhone(companyName: string, phone: string): Promise<Page> {
  const paying = { companyName, phone, isVerified: true, payingSince: Date.now() - 1 };
  const email = `${crypto.randomUUID()}@example.com`;
  const user = await insertUser(stage.product.db, { ...paying, email });
  const page = await openWindowAs(stage, user.id, PHONE);
  await openDashboard(page);
  return page;
}

/** Checks that a screen fits, and stores a screenshot. */
async function look(page: Page, name: string) {
  await takePicture(page, name);
  await expectFits(page, name);
}

/** Checks a screen at both widths, and that it is accessible. Stores screenshots. */
async function lookClosely(page: Page, name: string) {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: PHONE.viewport.height });
    await look(page, `${name}-${width}`);
  }
  await expectAccessible(page, name);
}

/** Sends a request with the public form and follows the thank-you page's link. */
async function sendRequest(): Promise<Page> {
  const page = await openWindow(stage, PHONE);
  await page.goto("/get-quote");
  await waitForHydration(page);
  const address = "14 Marion Street, Leichhardt NSW 2040";
  await fillQuote(page, { address, name: CUSTOMER, phone: "02 5550 1401", requests: WORDS });
  await page.getByRole("button", { name: "Get My Quote" }).click();
  await page.getByRole("link", { name: "Follow your request" }).waitFor();
  await look(page, "01-thank-you");
  await page.getByRole("link", { name: "Follow your request" }).click();
  await page.getByRole("heading", { name: "Lawn Mowing in Leichhardt 2040" }).waitFor();
  return page;
}

const lead = (page: Page, words: string) => page.getByRole("listitem").filter({ hasText: words });

async function pay(page: Page, price: string) {
  await typeCard(page, "4242 4242 4242 4242");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: new RegExp(`^Pay \\${price}`) })
    .click();
  await page.getByRole("dialog", { name: "It's yours" }).waitFor();
}

/** Moves the sale five hours back, so that the four hours to call are over, or ends the last 30 minutes. Then sweeps. */
async function runOut(leadId: string, step: "clock" | "last call") {
  const past = Date.now() - MINUTE_MS;
  const change =
    step === "clock"
      ? { clockEndsAt: past, purchasedAt: past - 4 * HOUR_MS }
      : { callClock: sql`json_set(call_clock, '$.lastCallEndsAt', ${past})` };
  await stage.product.db
    .update(leadPurchases)
    .set({ ...change, clockDueAt: past })
    .where(eq(leadPurchases.leadId, leadId));
  await stage.product.runSchedule();
}

/** Asks the page for news, as when the customer returns to it. */
const returnTo = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

const latestStep = (page: Page) => page.locator(".request__steps .is-reached").last();

test("a request from the form to the booking: bought, not called, passed on, called and booked", async () => {
  const { db } = stage.product;
  const [first, next] = [
    await openPhone("Swift Mowers", "02 5550 1901"),
    await openPhone("Steady Gardens", "02 5550 1902"),
  ];
  const live = await sendRequest();
  const path = new URL(live.url()).pathname;
  // The customer's other phone runs no scripts.
  const plain = await openWindow(stage, { ...PHONE, javaScriptEnabled: false });
  for (const phone of [first, next]) await lead(phone, WORDS).waitFor();
  const { id: leadId } = (await db.select().from(leads).where(eq(leads.customerName, CUSTOMER)))[0]!;

  // The customer changes the job. Both phones show it without a reload.
  await plain.goto(path);
  await look(plain, "02-page-on-the-market");
  await plain.getByRole("link", { name: "Change the job" }).click();
  await plain.getByLabel("Urgent (within 2 days)").check();
  await plain.getByLabel("Specific requests").fill(NEW_WORDS);
  await look(plain, "03-page-change");
  await plain.getByRole("button", { name: "Save Changes" }).click();
  await plain
    .getByText("Saved. Providers can see the job, but not your last name, number or street.")
    .waitFor();
  await look(plain, "04-page-changed");
  for (const phone of [first, next]) await lead(phone, NEW_WORDS).getByText("Urgent").waitFor();
  await look(next, "05-market-changed");

  // Both press Buy. The second one's claim arrives after the first one's.
  const arrive = await blockRequests(next, "**/api/exchange/holds");
  await openPurchase(next, NEW_WORDS);
  await openPurchase(first, NEW_WORDS);
  await first.getByLabel("Card number").waitFor();
  await arrive();
  await next.getByRole("dialog").getByText("Someone is buying this lead right now.").waitFor();
  await look(next, "06-claim-refused");
  await next.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  await look(first, "07-pay-sheet");
  await pay(first, "$50");
  await look(first, "08-bought");
  await first.getByRole("dialog").getByRole("button", { name: "Open in pipeline" }).click();
  await detail(first).getByRole("heading", { name: CUSTOMER }).waitFor();
  await detail(first)
    .getByText(/^Call by \w+ \d/)
    .waitFor();
  await look(first, "09-first-detail");
  await detail(first).getByRole("button", { name: "Close" }).click();
  await row(first, CUSTOMER)
    .getByText(/^Call by \w+ \d/)
    .waitFor();
  await look(first, "10-first-card");

  // The open page shows the provider when the customer returns. The other phone says that no call has come.
  await returnTo(live);
  await live.getByRole("heading", { name: "Did Swift Mowers call you?" }).waitFor();
  await look(live, "11-page-taken");
  await plain.goto(path);
  await plain.getByRole("button", { name: "Not Yet" }).click();
  await plain.getByText(/^You said you haven’t had a call\. We’ve let Swift Mowers know, and they/).waitFor();
  await look(plain, "12-page-not-yet");
  await row(first, CUSTOMER)
    .getByText(/^The customer says you haven't called yet\./)
    .waitFor();
  await first.setViewportSize({ width: 1280, height: PHONE.viewport.height });
  await openDashboard(first, "?tab=leads&view=board");
  const card = first.getByRole("article", { name: CUSTOMER });
  await card.getByText(/^The customer says you haven't called yet\./).waitFor();
  await look(first, "13-first-board-not-yet");
  await first.setViewportSize(PHONE.viewport);
  await openDashboard(first, "?tab=leads&view=list");

  await runOut(leadId, "clock");
  await row(first, CUSTOMER)
    .getByText(/yet\. Call by \w+ \d.+, or another provider gets their request\.$/)
    .waitFor();
  await look(first, "14-first-card-last-call");
  expect(await next.getByRole("region", { name: "A lead just for you" }).count()).toBe(0);
  await runOut(leadId, "last call");

  // Both phones change without a reload.
  await row(first, CUSTOMER).getByText("Passed on to another provider").waitFor();
  expect(await first.getByRole("link", { name: `Call ${CUSTOMER}` }).count(), "the first buyer").toBe(0);
  await look(first, "15-first-card-passed-on");
  const offer = next.getByRole("region", { name: "A lead just for you" });
  await offer.getByText(/^Only you can buy it until/).waitFor();
  await offer.getByText(NEW_WORDS).first().waitFor();
  expect(await count(next, "Available")).toBe("1");
  await lookClosely(next, "16-offer");
  const PASSED_ON = "No call from Swift Mowers reached you in time, so we’re looking for another provider.";
  await returnTo(live);
  await live.getByText(PASSED_ON).waitFor();
  await plain.goto(path);
  await plain.getByText(PASSED_ON).waitFor();
  expect(await plain.getByRole("button", { name: "Not Yet" }).count()).toBe(0);
  await lookClosely(live, "17-page-passed-on");
  await openLead(first, CUSTOMER);
  await detail(first)
    .getByText(/no call has reached them, so we're passing their request on to another provider/)
    .waitFor();
  expect(await detail(first).locator('a[href="tel:1800975711"]').count()).toBe(1);
  await look(first, "18-first-detail-passed-on");

  await openPurchase(next, NEW_WORDS);
  await next.getByLabel("Card number").waitFor();
  await look(next, "19-pay-sheet-25");
  await pay(next, "$25");
  await look(next, "20-bought-25");
  await offer.waitFor({ state: "detached" });
  await next.getByRole("dialog").getByRole("button", { name: "Open in pipeline" }).click();
  await detail(next)
    .getByText(/^Call by \w+ \d/)
    .waitFor();
  const TAKEN_OVER = "No call from Swift Mowers reached you in time, so Steady Gardens has your request now.";
  await returnTo(live);
  await live.getByText(TAKEN_OVER).waitFor();
  await plain.goto(path);
  await plain.getByText(TAKEN_OVER).waitFor();
  await plain.getByRole("heading", { name: "Did Steady Gardens call you?" }).waitFor();
  await lookClosely(live, "21-page-next-provider");

  // The new provider calls, the customer confirms it, and the job is booked.
  await next.evaluate(() =>
    addEventListener("click", (event) => {
      if ((event.target as Element).closest("a[href^='tel:']")) event.preventDefault();
    }),
  );
  await look(next, "22-next-detail");
  await detail(next)
    .getByRole("link", { name: `Call ${CUSTOMER}` })
    .click();
  await next.evaluate(() => dispatchEvent(new Event("focus")));
  await detail(next).getByRole("button", { name: "Called", exact: true }).click();
  await detail(next).getByText("Called. Waiting for the customer.").waitFor();
  await look(next, "23-next-called");
  await detail(next).getByRole("button", { name: "Not now" }).click();
  await returnTo(live);
  await expectSoon(() => latestStep(live).innerText(), expect.stringContaining("They’ve called you"));
  await live.getByRole("button", { name: "Yes, They Called" }).click();
  await live.getByText("You said they called.").waitFor();
  expect(await live.getByRole("button", { name: /Called|Not Yet/ }).count()).toBe(0);
  await look(live, "24-page-called");
  await detail(next).getByText("The customer says you called.").waitFor();
  await detail(next).getByLabel("Stage", { exact: true }).selectOption({ label: "Job booked" });
  await expectSoon(async () => {
    await plain.goto(path);
    return latestStep(plain).innerText();
  }, expect.stringContaining("The job is booked"));
  // The provider has skipped this step.
  expect(await plain.getByText("They’ve sent you a quote").count()).toBe(0);
  await look(plain, "25-page-booked");
  await look(next, "26-next-booked");
  // These checks change the colour scheme.
  await expectAccessible(next, "booked");
  await expectAccessible(first, "passed on");
});
