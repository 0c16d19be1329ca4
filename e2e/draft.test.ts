/** Form drafts survive reloads, the Back button and the close button, in a browser. */
import { DAY_MS } from "../contract/durations.ts";
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { addDays, sydneyDay } from "../contract/sydney-time.ts";
import { leads } from "../worker/tables.ts";
import {
  continueQuote,
  expectSoon,
  expectStep,
  fillQuote,
  openWindow,
  setUpFixture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const ADDRESS = "12 Banksia Street, Leichhardt NSW 2040";

async function open(path: string): Promise<Page> {
  const page = await openWindow(fixture);
  await page.goto("/");
  await page.goto(path);
  await waitForHydration(page);
  return page;
}

/** Reloads the page. A stored draft hydrates the form without a touch. */
async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.locator("[data-island][data-hydrated]").waitFor();
}

const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("draft")));

test("a reload on the last step keeps the step and all input, and Back still means Previous", async () => {
  const page = await open("/get-quote");
  await page.getByText("Tell us more").click();
  await page.getByLabel("Pets at home").check();
  await page.getByLabel("Grass type").selectOption("kikuyu");
  await page.locator("#propertySize-large").check();
  await fillQuote(page, {
    address: ADDRESS,
    requests: "The gate sticks",
    name: "Rhoda Reload",
    phone: "02 5550 0123",
  });
  await reload(page);
  await expectStep(page, 3);
  expect(await page.locator("#customerName").inputValue()).toBe("Rhoda Reload");

  await page.goBack();
  await expectStep(page, 2);
  expect(await page.getByLabel("Specific requests").inputValue()).toBe("The gate sticks");
  await page.goBack();
  await expectStep(page, 1);
  expect(await page.getByLabel("Property address").inputValue()).toBe(ADDRESS);
  expect(await page.getByLabel("Grass type").inputValue()).toBe("kikuyu");
  expect(await page.getByLabel("Grass type").isVisible(), "what is filled in is not folded away").toBe(true);
  await page.goForward();
  await expectStep(page, 2);
  await page.getByLabel("Landscaping").check();
  await page.getByRole("button", { name: "Previous" }).click();
  await expectStep(page, 1);
  await continueQuote(page, 2);
  await continueQuote(page, 3);
  await page.getByRole("button", { name: "Get My Quote" }).click();
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  expect(await drafts(page)).toEqual([]);
  const rows = await fixture.product.db.select().from(leads).where(eq(leads.customerName, "Rhoda Reload"));
  const serviceType = ["lawn_mowing", "landscaping"];
  expect(rows).toMatchObject([{ hasPets: true, grassType: "kikuyu", propertySize: "large", serviceType }]);

  await page.goBack();
  await expectSoon(() => new URL(page.url()).pathname, "/");
  await page.goto("/get-quote");
  await waitForHydration(page);
  await expectStep(page, 1);
  expect(await page.getByLabel("Property address").inputValue()).toBe("");
});

test("leaving the form and returning keeps the input, for a day", async () => {
  const page = await open("/get-quote");
  const address = page.getByLabel("Property address");
  await address.fill(ADDRESS);
  await page.goto("/services");
  await page.goto("/get-quote");
  await page.locator("[data-island][data-hydrated]").waitFor();
  await expectSoon(() => address.inputValue(), ADDRESS);
  // An address in the URL overrides the draft.
  await page.goto("/get-quote?address=Manly+NSW+2095");
  await page.locator("[data-island][data-hydrated]").waitFor();
  expect(await address.inputValue()).toBe("Manly NSW 2095");
  await page.goto("/get-quote");
  await page.locator("[data-island][data-hydrated]").waitFor();
  await address.fill(ADDRESS);
  await page.clock.setFixedTime(Date.now() + DAY_MS + 1000);
  await reload(page);
  await expectSoon(() => drafts(page), []);
  expect(await address.inputValue()).toBe("");
});

test("the cross, Escape and a click outside the form ask before they discard input", async () => {
  const page = await open("/get-quote");
  const dialog = page.getByRole("dialog", { name: "Leave without sending?" });
  await page.getByLabel("Property address").fill(ADDRESS);
  await page.getByRole("link", { name: "Close and go back to the home page" }).click();
  await dialog.getByRole("button", { name: "Keep going" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.locator("h1").click();
  await page.keyboard.press("Escape");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await page.getByLabel("Property address").inputValue()).toBe(ADDRESS);

  await page.mouse.click(8, 300);
  await dialog.getByRole("link", { name: "Leave" }).click();
  await expectSoon(() => new URL(page.url()).pathname, "/");
  await page.goto("/get-quote");
  await waitForHydration(page);
  expect(await page.getByLabel("Property address").inputValue()).toBe("");
  // The form does not ask if there is nothing to lose. A tap on a field is nothing.
  await page.getByLabel("Property address").click();
  await page.keyboard.press("Escape");
  await expectSoon(() => new URL(page.url()).pathname, "/");
});

test("each short form keeps its own draft", async () => {
  const [service, suburb] = ["/service/hedge-trimming", "/location/parramatta"];
  const day = addDays(sydneyDay(Date.now()), 14);
  const page = await open(service);
  await page.locator("#customerName").fill("Dee Raft");
  await page.locator("#serviceNeed").fill("Two metres of murraya");
  await page.goto(suburb);
  await waitForHydration(page);
  await page.locator("#name").fill("Dee Raft");
  await page.locator("#message").fill("The gate sticks");
  await page.getByLabel("Preferred date").fill(day);
  await reload(page);
  await expectSoon(() => page.locator("#message").inputValue(), "The gate sticks");
  expect(await page.locator("#name").inputValue()).toBe("Dee Raft");
  expect(await page.getByLabel("Preferred date").inputValue()).toBe(day);
  await page.goto(service);
  await page.locator("[data-island][data-hydrated]").waitFor();
  await expectSoon(() => page.locator("#serviceNeed").inputValue(), "Two metres of murraya");
  expect(await page.locator("#customerName").inputValue()).toBe("Dee Raft");
  expect((await drafts(page)).toSorted()).toEqual([`draft ${suburb}`, `draft ${service}`]);
});

test("the form works without browser storage", async () => {
  const page = await openWindow(fixture);
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.addInitScript(() => {
    Object.defineProperty(window, "sessionStorage", {
      get() {
        throw new DOMException("blocked", "SecurityError");
      },
    });
  });
  await page.goto("/get-quote");
  await waitForHydration(page);
  await fillQuote(page, { address: ADDRESS, name: "Stora Geless", phone: "02 5550 0124" });
  await page.getByRole("button", { name: "Get My Quote" }).click();
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
  expect(wrong).toEqual([]);
});
