import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { UNCLEAR_SUBURB } from "../contract/address.ts";
import { insertUser } from "../testing/world.ts";
import { leads } from "../worker/tables.ts";
import { SERVICE_LIST } from "../web/services/services.ts";
import {
  continueQuote,
  expectSoon,
  expectStep,
  fillQuote,
  dropNextResponse,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
  takePicture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const ADDRESS = "12 Banksia Street, Leichhardt NSW 2040";
const PHONE = "02 5550 0123";
const TOAST = "Failed to submit service request. Please try again.";

function leadsOf(customerName: string) {
  return fixture.product.db.select().from(leads).where(eq(leads.customerName, customerName));
}

async function expectThanks(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/success");
}

/** Checks the recap on the thank-you page, before and after a reload. Its URL must contain none of it. */
async function expectRecap(page: Page, reference: string | null, asked: string): Promise<void> {
  for (let i = 0; i < 2; i += 1) {
    await expectSoon(() => page.locator(".recap dd").allTextContents(), [PHONE, asked, reference]);
    expect(new URL(page.url()).search).toBe("");
    await page.reload();
  }
}

async function openForm(): Promise<Page> {
  const page = await openWindow(fixture);
  await page.goto("/get-quote");
  await waitForHydration(page);
  return page;
}

const submit = (page: Page) => page.getByRole("button", { name: "Get My Quote" });

/** Presses Tab until a matching element has focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`Tab never reaches ${selector}`);
}

/** Checks that the field has focus, is marked as invalid and is described by this message. */
async function expectFieldError(page: Page, name: string, words: string): Promise<void> {
  const error = page.locator(`#${name}-error`);
  await error.waitFor();
  expect(await error.innerText()).toBe(words);
}

const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name);

test("the quote form can be completed and sent by keyboard alone", async () => {
  const page = await openForm();
  await tabTo(page, "#customerAddress");
  await page.keyboard.type(ADDRESS);
  await page.keyboard.press("Enter");
  await expectStep(page, 2);
  await tabTo(page, "#serviceType-hedge_trimming");
  await page.keyboard.press("Space");
  await tabTo(page, "[name=urgency]");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, ".quote__foot .button--main");
  await page.keyboard.press("Enter");
  await expectStep(page, 3);
  await tabTo(page, "#customerName");
  await page.keyboard.type("Kay Board");
  await tabTo(page, "#customerPhone");
  await page.keyboard.type(PHONE);
  await page.keyboard.press("Enter");
  await expectThanks(page);
  const [lead] = await leadsOf("Kay Board");
  await expectRecap(page, lead!.reference, "Lawn mowing, and hedge and tree trimming in Leichhardt");
  expect([lead]).toMatchObject([
    { serviceType: ["lawn_mowing", "hedge_trimming"], urgency: "within_month", suburbName: "Leichhardt" },
  ]);
});

test("each step shows the errors of its own fields", async () => {
  const page = await openForm();
  const go = page.getByRole("button", { name: "Continue" });
  await go.click();
  await expectFieldError(page, "customerAddress", "Please provide a valid address");
  await expectSoon(() => focused(page), "customerAddress");
  await page.getByLabel("Property address").fill(ADDRESS);
  expect(await page.locator(".field__error").count()).toBe(0);
  expect(await page.getByLabel("Pets at home").isVisible(), "folded away at first").toBe(false);
  await continueQuote(page, 2);

  await page.getByLabel("Lawn mowing").uncheck();
  await go.click();
  await expectFieldError(page, "serviceType", "Please select at least one service");
  await page.getByLabel("Landscaping").check();
  await continueQuote(page, 3);

  await page.getByLabel("Phone").fill("12345");
  await page.getByLabel("Email").fill("not an address");
  await submit(page).click();
  await expectFieldError(page, "customerName", "Customer name is required");
  await expectFieldError(page, "customerPhone", "Phone number must be at least 10 digits");
  await expectFieldError(page, "customerEmail", "Valid email is required");
  await expectSoon(() => focused(page), "customerName");
});

test("the buyer sees what the visitor chose, not what the form fills in", async () => {
  const page = await openForm();
  await page.getByLabel("Property address").fill(ADDRESS);
  await page.getByText("Tell us more").click();
  await page.getByLabel("Sloping block").check();
  await continueQuote(page, 2);
  // The proposed frequency follows the services until the visitor chooses one.
  const often = page.locator("[name=frequency]:checked");
  expect(await often.inputValue()).toBe("fortnightly");
  await page.getByLabel("Hedge and tree trimming").check();
  expect(await often.inputValue()).toBe("fortnightly");
  await page.getByLabel("Lawn mowing").uncheck();
  expect(await often.inputValue()).toBe("one_off");
  await page.locator("[name=urgency]:checked").click();
  await page.getByLabel("Specific requests").fill("Trim the long hedge");
  await page.reload();
  await waitForHydration(page);
  await continueQuote(page, 3);
  await page.locator("[name=customerName]").fill("Una Unsaid");
  await page.getByLabel("Phone").fill(PHONE);
  await submit(page).click();
  await expectThanks(page);
  expect(await leadsOf("Una Unsaid")).toMatchObject([
    { frequency: "one_off", propertySize: "medium", stated: ["urgency"] },
  ]);
  const user = await insertUser(fixture.product.db);
  const dashboard = await openWindowAs(fixture, user.id, { viewport: { width: 360, height: 740 } });
  await openDashboard(dashboard);
  const card = dashboard.getByRole("listitem").filter({ hasText: "Trim the long hedge" });
  await card.getByText("Size not given").click();
  await card.getByText("Within a week").waitFor();
  await card.getByText("Slopes").waitFor();
  await card.getByText("how often, property, size, lawn, grass, access, experience").waitFor();
  expect(await card.innerText()).not.toMatch(
    /Buffalo|Good condition|Easy access|First time|Medium|fortnightly/i,
  );
  await takePicture(dashboard, "not-said-360");
});

test("neither a lost response nor a double click nor Back creates a second request, even after a reload", async () => {
  const page = await openWindow(fixture);
  await page.goto("/");
  await page.goto("/get-quote");
  await waitForHydration(page);
  const requests = "The side gate sticks";
  await fillQuote(page, { address: ADDRESS, name: "Rhea Load", phone: PHONE, requests });
  await dropNextResponse(page, "**/get-quote");
  await submit(page).click();
  await page.getByRole("alert").getByText(TOAST).waitFor();
  expect(await leadsOf("Rhea Load")).toHaveLength(1);
  await expectStep(page, 3);
  expect(await page.locator("#customerName").inputValue(), "the form stays").toBe("Rhea Load");
  await page.reload();
  await waitForHydration(page);
  await expectStep(page, 3);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/get-quote")) sent.push(request.url());
  });
  await submit(page).dblclick();
  await expectThanks(page);
  await page.goBack();
  await expectSoon(() => new URL(page.url()).pathname, "/");
  await page.goForward();
  await expectThanks(page);
  expect(sent).toHaveLength(1);
  const expected = { customerAddress: ADDRESS, specificRequests: requests };
  expect(await leadsOf("Rhea Load")).toMatchObject([expected]);
});

test("the whole form works without JavaScript, including errors, a suburb to choose and going back", async () => {
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  await page.goto("/get-quote");
  const go = page.getByRole("button", { name: "Continue" });
  await go.click();
  await expectFieldError(page, "customerAddress", "Please provide a valid address");
  // Without suggestions it is a plain text field.
  const address = page.getByRole("textbox", { name: "Property address" });
  await address.fill("5 Elm St surrey hills");
  await page.getByText("Tell us more").click();
  await page.getByLabel("Pets at home").check();
  await go.click();
  await page.getByText(UNCLEAR_SUBURB).waitFor();
  await page.getByRole("button", { name: "Surry Hills NSW 2010" }).click();
  await expectSoon(() => address.inputValue(), "5 Elm St, Surry Hills NSW 2010");
  expect(await page.getByLabel("Pets at home").isVisible(), "what is chosen is not folded").toBe(true);
  await continueQuote(page, 2);
  await page.getByLabel("Lawn mowing").uncheck();
  await go.click();
  await expectFieldError(page, "serviceType", "Please select at least one service");
  await page.getByLabel("Landscaping").check();
  await page.getByLabel("Specific requests").fill("No script here");
  await continueQuote(page, 3);
  await page.getByLabel("Phone").fill("123");
  await submit(page).click();
  await expectFieldError(page, "customerName", "Customer name is required");
  await expectFieldError(page, "customerPhone", "Phone number must be at least 10 digits");
  await page.getByRole("button", { name: "Previous" }).click();
  await expectStep(page, 2);
  expect(await page.getByLabel("Specific requests").inputValue()).toBe("No script here");
  await continueQuote(page, 3);
  await page.locator("#customerName").fill("Noah Script");
  await page.getByLabel("Phone").fill(PHONE);
  await submit(page).click();
  await expectThanks(page);
  const [lead] = await leadsOf("Noah Script");
  await expectRecap(page, lead!.reference, "Landscaping in Surry Hills");
  expect(lead).toMatchObject({
    serviceType: ["landscaping"],
    specificRequests: "No script here",
    customerAddress: "5 Elm St, Surry Hills NSW 2010",
    hasPets: true,
  });
});

test("input typed before the form's code loads is kept, and its buttons work throughout", async () => {
  const page = await openWindow(fixture);
  const code = Promise.withResolvers<void>();
  await page.route("**/assets/quote-form.island-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto("/get-quote", { waitUntil: "commit" });
  await page.getByLabel("Property address").fill(ADDRESS);
  await page.getByText("Tell us more").click();
  await page.getByLabel("Grass type").selectOption("kikuyu");
  await page.getByLabel("Sloping block").check();
  // The browser submits the form, since the script has not loaded yet.
  await continueQuote(page, 2);
  expect(await page.locator("[data-island][data-hydrated]").count()).toBe(0);
  await page.getByLabel("Specific requests").fill("Typed early");
  await page.getByLabel("Landscaping").check();
  code.resolve();
  await waitForHydration(page);
  await continueQuote(page, 3);
  await page.locator("#customerName").fill("Early Bird");
  await page.getByLabel("Phone").fill(PHONE);
  await submit(page).click();
  await expectThanks(page);
  expect(await leadsOf("Early Bird")).toMatchObject([
    {
      customerAddress: ADDRESS,
      grassType: "kikuyu",
      hasSlopes: true,
      serviceType: ["lawn_mowing", "landscaping"],
      specificRequests: "Typed early",
    },
  ]);
});

test("every advertised service can be requested, and a service page preselects its own", async () => {
  for (const { id, href } of SERVICE_LIST) {
    const servicePage = await (await fetch(fixture.product.url + href)).text();
    expect(servicePage).toContain(`href="/get-quote?service=${id}"`);
    const form = await (await fetch(`${fixture.product.url}/get-quote?service=${id}`)).text();
    const chosen = [...form.matchAll(/<input[^>]*name="serviceType"[^>]*>/g)]
      .map(([input]) => input)
      .filter((input) => / checked=/.test(input));
    expect(chosen).toHaveLength(1);
    expect(chosen[0]).toContain(`value="${id}"`);
  }
});

test("on a phone, even a short one, the last step's buttons leave room to type", async () => {
  const page = await openWindow(fixture, { viewport: { width: 360, height: 740 } });
  await page.goto("/get-quote");
  await waitForHydration(page);
  await fillQuote(page, { address: ADDRESS, name: "Small Screen", phone: PHONE });
  for (const height of [740, 330]) {
    await page.setViewportSize({ width: 360, height });
    for (const id of ["customerName", "customerPhone", "customerEmail"]) {
      const [isFree, share] = await page.locator(`#${id}`).evaluate((field) => {
        field.blur();
        field.focus();
        const { left, top, bottom } = field.getBoundingClientRect();
        const isFree = [top + 2, bottom - 2].every((y) => document.elementFromPoint(left + 20, y) === field);
        const foot = document.querySelector(".quote__foot")!.getBoundingClientRect();
        return [isFree, Math.max(0, innerHeight - foot.top) / innerHeight] as const;
      });
      expect(isFree, `${id} is in view at ${height}, and nothing covers it`).toBe(true);
      expect(share, `the buttons' share of the screen below ${id} at ${height}`).toBeLessThanOrEqual(0.2);
    }
    // The consent is above the button that sends the form.
    const consent = (await page.getByText(/By sending this, you agree/).boundingBox())!;
    expect(consent.y).toBeLessThan((await submit(page).boundingBox())!.y);
  }
});

test("a wide screen shows who we are beside the form, and our logo asks before it discards input", async () => {
  const page = await openWindow(fixture, { viewport: { width: 1280, height: 740 } });
  await page.goto("/get-quote");
  await waitForHydration(page);
  const aside = page.getByRole("complementary");
  for (const text of ["You pay your provider, never us.", "What happens next"])
    await aside.getByText(text).waitFor();
  expect(await aside.getByRole("link", { name: "1800 975 711" }).getAttribute("href")).toBe("tel:1800975711");
  await page.getByLabel("Property address").fill(ADDRESS);
  await aside.getByRole("link", { name: "Naturestrip" }).click();
  await page.getByRole("heading", { name: "Leave without sending?" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/get-quote");
  await page.getByRole("link", { name: "Leave" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/get-quote");
  expect(await aside.isVisible()).toBe(false);
});
