/**
 * An address without a suburb, with a misspelt one, or with only a postcode: the form asks for the suburb and
 * never rejects it.
 */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { UNCLEAR_SUBURB } from "../contract/address.ts";
import { leads } from "../worker/tables.ts";
import {
  continueQuote,
  disableTimeouts,
  expectSoon,
  expectStep,
  openWindow,
  setUpFixture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };

const addressOf = (page: Page) => page.locator("#customerAddress");
const go = (page: Page) => page.getByRole("button", { name: "Continue" });

test("the three-step form asks for the suburb in the same step, and suggests likely ones", async () => {
  const page = await openWindow(fixture, PHONE);
  await disableTimeouts(page);
  await page.goto("/get-quote");
  await waitForHydration(page);
  await addressOf(page).fill("12 Banksia St");
  await go(page).click();
  await page.getByText(UNCLEAR_SUBURB).waitFor();
  await expectStep(page, 1);
  await addressOf(page).fill("12 Banksia St parramata");
  await go(page).click();
  await page.getByRole("button", { name: "Parramatta NSW 2150" }).click();
  expect(await addressOf(page).inputValue()).toBe("12 Banksia St, Parramatta NSW 2150");
  expect(await page.getByText(UNCLEAR_SUBURB).count()).toBe(0);
  await continueQuote(page, 2);

  // A small place with a well-known namesake.
  await page.getByRole("button", { name: "Previous" }).click();
  await addressOf(page).fill("5 Smith St, Coolangatta");
  await go(page).click();
  await page
    .getByText("Coolangatta NSW 2535 near Shoalhaven Heads? Or are you in Queensland?", { exact: true })
    .waitFor();
  await page.getByRole("button", { name: "Coolangatta NSW 2535" }).click();
  expect(await addressOf(page).inputValue()).toBe("5 Smith St, Coolangatta NSW 2535");
  await continueQuote(page, 2);
});

test.each([true, false])(
  'a service page asks too (script: %s): Enter selects nothing, and an unlisted suburb passes with "None of these"',
  async (javaScriptEnabled) => {
    const page = await openWindow(fixture, { ...PHONE, javaScriptEnabled });
    await disableTimeouts(page);
    await page.goto("/service/lawn-mowing");
    if (javaScriptEnabled) await waitForHydration(page);
    const customerName = `Ned Newname ${javaScriptEnabled}`;
    const customerAddress = "12 Grange Ave, Newname NSW 2762";
    await page.locator("[name=customerName]").fill(customerName);
    await page.locator("[name=customerPhone]").fill("02 5550 0123");
    await addressOf(page).fill(customerAddress);
    await page.locator("[name=serviceNeed]").fill("Mow the front and the back");
    const send = page.getByRole("button", { name: "Get Free Quote" }).last();
    await send.click();
    await page.getByText(UNCLEAR_SUBURB).waitFor();
    expect(await page.getByRole("textbox", { name: "Postcode" }).count()).toBe(0);
    const choices = page.getByRole("group", { name: "Which suburb?" }).getByRole("button");
    await choices.first().waitFor();
    await Promise.all([
      javaScriptEnabled
        ? page.waitForResponse((response) => response.request().method() === "POST")
        : page.waitForEvent("load"),
      page.locator("[name=customerName]").press("Enter"),
    ]);
    await page.getByText(UNCLEAR_SUBURB).waitFor();
    expect(await addressOf(page).inputValue()).toBe(customerAddress);
    await choices.last().click();
    await page.getByLabel("Suburb").fill("Newname");
    await page.getByLabel("Postcode").fill("2762");
    await send.click();
    await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
    const isOurs = eq(leads.customerName, customerName);
    expect(await fixture.product.db.select().from(leads).where(isOurs)).toMatchObject([
      {
        customerAddress,
        suburbName: "Newname",
        region: "blacktown",
        quarantineReasons: ["unlisted_suburb"],
      },
    ]);
  },
);

test("autofill's suburb and postcode show once they are filled, and join the address", async () => {
  const page = await openWindow(fixture, PHONE);
  await disableTimeouts(page);
  await page.goto("/get-quote");
  await waitForHydration(page);
  const hidden = page.locator("[name=addressSuburb], [name=addressPostcode]");
  expect(
    await hidden.evaluateAll((fields) => fields.map((field) => field.getAttribute("autocomplete"))),
  ).toEqual(["address-level2", "postal-code"]);
  // Neither the Tab key nor a screen reader meets them.
  expect(await page.getByRole("textbox", { name: "Suburb" }).count()).toBe(0);
  await addressOf(page).fill("12 Banksia St");
  await addressOf(page).press("Tab");
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe("propertyType");
  await hidden.evaluateAll((fields) =>
    fields.forEach((field, i) => {
      (field as HTMLInputElement).value = ["Glebe", "2037"][i]!;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }),
  );
  await page.getByRole("textbox", { name: "Suburb" }).waitFor();
  await continueQuote(page, 2);
  await page.getByRole("button", { name: "Previous" }).click();
  expect(await page.getByRole("textbox", { name: "Postcode" }).inputValue()).toBe("2037");
});

test("a step's post reveals no house number, and text edited before its answer stays", async () => {
  const page = await openWindow(fixture, PHONE);
  const late = Promise.withResolvers<void>();
  const posted = Promise.withResolvers<string>();
  await page.goto("/get-quote");
  await waitForHydration(page);
  await page.route("**/get-quote", async (route) => {
    posted.resolve(route.request().postData()!);
    await late.promise;
    await route.continue();
  });
  await addressOf(page).fill("12 Banksia St parramata");
  await go(page).click();
  const data = await posted.promise;
  expect(data).toContain("00 Banksia St parramata");
  expect(data).not.toContain("customerPhone");
  await addressOf(page).fill("14 Banksia St parramata");
  // The list of suggestions would cover the buttons.
  await addressOf(page).blur();
  late.resolve();
  await page.getByRole("button", { name: "Parramatta NSW 2150" }).click();
  expect(await addressOf(page).inputValue()).toBe("14 Banksia St, Parramatta NSW 2150");
  await continueQuote(page, 2);
});

test("the form does not wait for a suburb list that is unavailable, but needs an address", async () => {
  const page = await openWindow(fixture, PHONE);
  await disableTimeouts(page);
  await page.goto("/get-quote");
  await waitForHydration(page);
  await page.route("**/get-quote", (route) => route.abort());
  await go(page).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByText("Step 1 of 3").isVisible()).toBe(true);
  await addressOf(page).fill("12 Banksia St");
  await continueQuote(page, 2);
  expect(await page.getByText(UNCLEAR_SUBURB).count()).toBe(0);
});

test("with an unclear address in the URL, the page offers suburbs to choose from", async () => {
  const page = await openWindow(fixture, PHONE);
  await disableTimeouts(page);
  await page.goto(`/get-quote?${new URLSearchParams({ address: "1 Main St, Springfield" })}`);
  await page.getByRole("button", { name: "Springfield NSW 2630, Snowy Monaro Regional Council" }).click();
  await expectSoon(async () => (await addressOf(page).inputValue()).endsWith("Springfield NSW 2630"), true);
  await continueQuote(page, 2);
});
