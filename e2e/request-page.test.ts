/** The customer's page of a request, from the thank-you page's link to the provider who took it. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  fillQuote,
  openWindow,
  openWindowAs,
  setUpFixture,
  takePicture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";
import { sendRequest } from "../testing/product/send-request.ts";
import { leads } from "../worker/tables.ts";

const fixture = setUpFixture();

const leadOf = async (name: string) =>
  (await fixture.product.db.select().from(leads).where(eq(leads.customerName, name)))[0]!;

/** Sends a request and waits until it is listed. @returns the path of its page */
async function follow(name: string, street: string): Promise<string> {
  const { token } = await sendRequest(fixture, {
    customerName: name,
    customerPhone: `02 5550 ${street.slice(0, 4)}`,
    customerEmail: null,
    customerAddress: `${street}, Leichhardt NSW 2040`,
    specificRequests: `Words of ${name}`,
  });
  await expectSoon(async () => (await leadOf(name)).listingState, "listed");
  return `/request/${token}`;
}

test("the customer says in the form how to reach them, changes it on the page, and the buyer sees it", async () => {
  const form = await openWindow(fixture, { viewport: { width: 360, height: 740 } });
  await form.goto("/get-quote");
  await waitForHydration(form);
  await fillQuote(form, {
    address: "1305 Follow Street, Leichhardt NSW 2040",
    name: "Rita Reach",
    phone: "02 5550 1305",
    requests: "The gate is open",
  });
  await form.getByText("How to reach you").click();
  await form.getByLabel("How", { exact: true }).selectOption("Email");
  await form.getByRole("button", { name: "Get My Quote" }).click();
  await form.getByText("Please add your email address, or choose a call or a text").waitFor();
  await form.getByLabel("How", { exact: true }).selectOption("Text");
  await form.getByLabel("When").selectOption("Evening");
  await takePicture(form, "reach-form");
  await expectFits(form, "the form");
  await expectAccessible(form);
  await form.getByRole("button", { name: "Get My Quote" }).click();
  await form.getByRole("link", { name: "Follow your request" }).click();
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  await form.getByText("You prefer a text in the evening.").waitFor();
  await page.goto(new URL(form.url()).pathname);
  await page.getByText("Change how to reach you").click();
  await page.getByLabel("How", { exact: true }).selectOption("Call");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. You prefer a call in the evening.").waitFor();
  const { id } = await leadOf("Rita Reach");
  await expectSoon(async () => (await leadOf("Rita Reach")).listingState, "listed");
  const user = await insertUser(fixture.product.db, { isVerified: true });
  const provider = await openWindowAs(fixture, user.id, { viewport: { width: 360, height: 740 } });
  const bought = await provider.request.post(`/api/leads/${id}/purchase`, {
    data: { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "02 5550 1999" },
    headers: { Origin: fixture.product.url },
  });
  expect(bought.status(), await bought.text()).toBe(201);
  await provider.goto("/dashboard?tab=leads");
  await provider
    .getByRole("article", { name: "Rita Reach" })
    .getByText("Prefers a call in the evening")
    .waitFor();
  await takePicture(provider, "reach-card");
  await expectFits(provider, "the card");
  await provider.getByRole("link", { name: "Rita Reach", exact: true }).click();
  await provider.locator(".contact__lines").getByText("Prefers a call in the evening").waitFor();
  await takePicture(provider, "reach-detail");
  await expectAccessible(provider);
});

test("without script, the customer withdraws in two steps", async () => {
  const name = "Wanda Withdraws";
  const path = await follow(name, "1303 Follow Street");
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  await page.goto(path);
  await page.getByText("Withdraw my request").click();
  await page.getByRole("heading", { name: "Withdraw your request?" }).waitFor();
  expect((await leadOf(name)).status, "the first press changes nothing").toBe("available");
  await page.getByRole("button", { name: "Yes, Withdraw It" }).click();
  await page.getByRole("heading", { name: "Your request is off our list" }).waitFor();
  expect((await leadOf(name)).status).toBe("withdrawn");
  await page.goto(path);
  await page.getByRole("heading", { name: "There’s no request here" }).waitFor();
});

const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
};

/** Follows the link of the alert, which the top of the page shows, to a field with an error further down. */
async function followAlert(page: Page, field: string) {
  const link = page.getByRole("alert").getByRole("link", { name: "check the marked fields" });
  expect(await link.evaluate(isInView), "the page starts with the alert").toBe(true);
  await link.click();
  await expectSoon(async () => new URL(page.url()).hash, `#${field}`);
  await expectSoon(() => page.locator(`#${field}`).evaluate(isInView), true);
}

const HOSTILE = `<img src=x onerror="document.title='x'"> '); DROP TABLE leads;-- {{7*7}}`;

test("without script, the customer changes the job, their name, house number and contacts, and deletes their data", async () => {
  const path = await follow("Cleo Chnges", "1306 Follow Street");
  const { id } = await leadOf("Cleo Chnges");
  const name = "Cleo Changes";
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  await page.goto(path);
  await page.getByRole("link", { name: "Change the job" }).click();
  await page.getByRole("heading", { name: "Change your request" }).waitFor();
  expect(await page.getByLabel("Specific requests").inputValue()).toMatch(/^Words of \w+ ▮▮▮$/);
  const [newName, newAddress] = [page.getByLabel("New name"), page.getByLabel("New property address")];
  expect([await newName.inputValue(), await newAddress.inputValue()], "a link reveals neither").toEqual([
    "",
    "",
  ]);
  await newName.fill(name);
  const elsewhere = "1316 Follow Street, Ashfield NSW 2131";
  await newAddress.fill(elsewhere);
  await page.getByLabel("Lawn mowing", { exact: true }).uncheck();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Please select at least one service").waitFor();
  await followAlert(page, "serviceType");
  await page.getByLabel(/^Hedge/).check();
  await page.getByLabel("Urgent (within 2 days)").check();
  await page.getByLabel("Specific requests").fill(HOSTILE);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("This isn’t in the suburb of your request.").waitFor();
  const alert = page.getByRole("alert");
  expect(await alert.getByRole("link", { name: "withdraw this request" }).getAttribute("href")).toBe(path);
  expect(await alert.getByRole("link", { name: "ask again" }).getAttribute("href")).toBe(
    "/get-quote?service=lawn_mowing",
  );
  expect([await newName.inputValue(), await newAddress.inputValue()]).toEqual([name, elsewhere]);
  const address = "1316 Follow Street, Leichhardt NSW 2040";
  await newAddress.fill(address);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page
    .getByText("Saved. Providers can see the job, but not your last name, number or street.")
    .waitFor();
  await page.getByRole("heading", { name: /^Hedge.* in Leichhardt 2040$/ }).waitFor();
  await page.getByText(HOSTILE).waitFor();
  expect(await leadOf(name)).toMatchObject({
    customerAddress: address,
    suburbName: "Leichhardt",
    serviceType: ["hedge_trimming"],
    urgency: "urgent",
    specificRequests: HOSTILE,
  });
  expect(await page.title()).not.toBe("x");

  await page.getByText("Change my phone number").click();
  const form = page.locator("details[open]");
  await form.getByLabel("Last four digits of the number on this request").fill("0000");
  await form.getByLabel("New phone number").fill("0491 570 156");
  await form.getByRole("button", { name: "Change My Number" }).click();
  await page.getByText("Those aren’t the last four digits. You have 4 more tries.").waitFor();
  await followAlert(page, "phoneDigits");
  expect(await form.getByLabel("New phone number").inputValue(), "the new number stays").toBe("0491 570 156");
  expect(await form.getByLabel("Last four digits of the number on this request").inputValue()).toBe("");
  await form.getByLabel("Last four digits of the number on this request").fill("1306");
  await form.getByRole("button", { name: "Change My Number" }).click();
  await page
    .getByText("We’ve saved your new phone number. Only the provider who takes the job will see it.")
    .waitFor();
  expect(await leadOf(name)).toMatchObject({ customerPhone: "0491 570 156" });
  expect(await form.count(), "the page opens at its top").toBe(0);

  await page.getByText("Add my email address").click();
  await form.getByLabel("New email address").fill("no address");
  await form.getByLabel("Last four digits of the number on this request").fill("0156");
  await form.getByRole("button", { name: "Save My Email Address" }).click();
  await form.getByText("Valid email is required").waitFor();
  await followAlert(page, "customerEmail");
  expect(await form.getByLabel("New email address").inputValue()).toBe("no address");
  await form.getByLabel("New email address").fill("changes@example.com");
  await form.getByLabel("Last four digits of the number on this request").fill("0156");
  await form.getByRole("button", { name: "Save My Email Address" }).click();
  await page.getByText("Saved. From now on, we’ll email you at your new address.").waitFor();
  await page.getByText("Change my email address").waitFor();
  expect(await leadOf(name)).toMatchObject({ customerEmail: "changes@example.com" });

  await page.getByText("Delete my data", { exact: true }).click();
  await page.getByRole("heading", { name: "Delete your data?" }).waitFor();
  await page.getByLabel("Last four digits of the number on this request").fill("0156");
  await page.getByRole("button", { name: "Delete My Data" }).click();
  await page.getByRole("heading", { name: "We’ve deleted your data" }).waitFor();
  const [erased] = await fixture.product.db.select().from(leads).where(eq(leads.id, id));
  expect(erased).toMatchObject({ customerPhone: "", specificRequests: null });
  for (const gone of [path, `${path}/change`]) {
    await page.goto(gone);
    await page.getByRole("heading", { name: "There’s no request here" }).waitFor();
  }
});

test("the buyer sees a change, its history and a call-off at once", async () => {
  const name = "Una Updates";
  const path = await follow(name, "1307 Follow Street");
  const { id } = await leadOf(name);
  const user = await insertUser(fixture.product.db, { isVerified: true, companyName: "Live Lawns" });
  const provider = await openWindowAs(fixture, user.id);
  const bought = await provider.request.post(`/api/leads/${id}/purchase`, {
    data: { buyerName: "Pat Provider", buyerEmail: "pat@example.com", buyerPhone: "02 5550 1999" },
    headers: { Origin: fixture.product.url },
  });
  const { id: purchaseId } = (await bought.json()) as { id: string };
  await provider.goto(`/dashboard?tab=leads&lead=${purchaseId}`);
  await provider.getByRole("heading", { name }).waitFor();
  const page = await openWindow(fixture);
  await page.goto(`${path}/change`);
  await page.getByLabel("Flexible", { exact: true }).check();
  await page.getByLabel("New name").fill("Una Uppercut");
  await page.getByLabel("New property address").fill("1317 Follow Street, Leichhardt NSW 2040");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByText("Saved. Live Lawns can see the change.").waitFor();
  // A page that reloads itself later shows newer news.
  await page.waitForURL((url) => url.search === "");
  const news = provider.getByRole("region", { name: "News from Una" });
  await news.getByText("Changed their request").waitFor();
  await news.getByText("Within a week").waitFor();
  await news.getByText("Flexible").waitFor();
  await news.getByText("1317 Follow Street, Leichhardt NSW 2040").waitFor();
  await provider.getByRole("heading", { name: "Una Uppercut" }).waitFor();
  await page.getByText("Call off the job").click();
  await page.getByRole("button", { name: "Yes, Call It Off" }).click();
  await page.getByText("You’ve called off the job, and we’ve let your provider know.").waitFor();
  expect(await page.getByText("Withdraw my request").count()).toBe(0);
  await news.getByText("Doesn't need the job any more").waitFor();
  for (const width of [360, 1280]) {
    await provider.setViewportSize({ width, height: 800 });
    await takePicture(provider, `news-${width}`);
    await expectAccessible(provider, `news at ${width}`);
  }
  // A signed-in provider who opens the link sees the same page, not the dashboard.
  await provider.goto(path);
  await provider.getByRole("heading", { name: "Live Lawns", exact: true }).waitFor();
});

test("the pages are never stored, indexed or sent to other sites, and fit", async () => {
  const path = await follow("Lou Looks", "1304 Follow Street");
  const page = await openWindow(fixture);
  for (const [name, url] of Object.entries({ request: path, change: `${path}/change` })) {
    const response = (await page.goto(url))!;
    const { "cache-control": cache, "referrer-policy": referrer } = response.headers();
    expect([cache, referrer]).toEqual(["no-store", "same-origin"]);
    expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
    for (const summary of await page.locator("details > summary").all()) await summary.click();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await takePicture(page, `${name}-${width}`);
      await expectFits(page, `${name} at ${width}`);
      // Customers open these pages from emails, mostly on phones.
      if (width === 360) await expectAccessible(page, name);
    }
  }
});
