/**
 * The address field: Google's suggestions with an API key, our own suburbs without. The field never blocks
 * the form.
 */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { leads } from "../worker/tables.ts";
import {
  expectSoon,
  expectStep,
  openWindow,
  setUpFixture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture({ GOOGLE_MAPS_KEY: "test-key" });

const CHOSEN = "12 Banksia St, Leichhardt NSW 2040, Australia";
const FAILED = "Failed to load Google Maps API. Please type the whole address.";

/** Fakes Google's script: returns two places for every text except "nowhere". Records each request. */
const GOOGLE = `
  const prediction = (main, secondary, formattedAddress) => ({
    placePrediction: {
      placeId: main,
      text: { text: main + ", " + secondary },
      mainText: { text: main },
      secondaryText: { text: secondary },
      toPlace: () => ({ formattedAddress, fetchFields: () => window.fields }),
    },
  });
  window.asked = [];
  window.fields = Promise.resolve();
  window.google = { maps: { importLibrary: async () => ({
    AutocompleteSessionToken: class {},
    AutocompleteSuggestion: { fetchAutocompleteSuggestions: async (request) => {
      window.asked.push(request);
      if (request.input.includes("quota")) throw new Error("OVER_QUERY_LIMIT");
      return { suggestions: request.input.includes("nowhere") ? [] : [
        prediction("12 Banksia St", "Leichhardt NSW, Australia", "${CHOSEN}"),
        prediction("12 Banksia Rd", "Caringbah NSW, Australia", "12 Banksia Rd, Caringbah NSW 2229, Australia"),
      ] };
    } },
  }) } };
  window[new URL(document.currentScript.src).searchParams.get("callback")]();
`;

type GoogleBehaviour = "answers" | "is away";

async function openForm(google: GoogleBehaviour, path = "/get-quote"): Promise<Page> {
  const page = await openWindow(fixture);
  await page.route("https://maps.googleapis.com/**", async (route) => {
    if (google === "answers") await route.fulfill({ contentType: "text/javascript", body: GOOGLE });
    else await route.abort();
  });
  await page.goto(path);
  return page;
}

const field = (page: Page) => page.getByRole("combobox", { name: "Property address" });
const go = (page: Page) => page.getByRole("button", { name: "Continue" });
const value = (page: Page) => field(page).inputValue();

async function policyOf(path: string): Promise<string> {
  return (await fetch(fixture.product.url + path)).headers.get("Content-Security-Policy")!;
}

/** Opens the form with Google's suggestions and focuses its address field. */
async function openWithGoogle(): Promise<Page> {
  const page = await openForm("answers");
  await waitForHydration(page);
  await field(page).focus();
  await page.getByText("Choose your address, or type it with the suburb.").waitFor();
  return page;
}

test("only pages with an address field may load Google scripts", async () => {
  for (const path of ["/", "/get-quote", "/services", "/service/lawn-mowing"]) {
    const policy = await policyOf(path);
    expect(policy.match(/https:\S+?(?=[; ]|$)/g), path).toEqual([
      "https://maps.googleapis.com",
      "https://maps.googleapis.com",
      "https://places.googleapis.com",
    ]);
  }
  for (const path of ["/locations", "/location/manly", "/success", "/providers", "/login", "/dashboard"]) {
    expect(await policyOf(path), path).not.toContain("https:");
  }
});

test("Google's script loads after the field is touched, and until then the field says so and takes free text", async () => {
  const page = await openWindow(fixture);
  const requests: string[] = [];
  // Google does not respond.
  await page.route("https://maps.googleapis.com/**", (route) => {
    requests.push(route.request().url());
  });
  await page.route("**/api/suburbs/suggest*", (route) => route.abort());
  await page.goto("/get-quote");
  await waitForHydration(page);
  expect(await field(page).getAttribute("placeholder")).toBe("Enter your address");
  expect(requests).toEqual([]);
  await field(page).focus();
  await expectSoon(() => field(page).getAttribute("placeholder"), "Loading address autocomplete...");
  await expectSoon(() => requests.length, 1);
  expect(new URL(requests[0]!).searchParams.get("key")).toBe("test-key");
  await field(page).fill("12 Banksia Street, Leichhardt");
  await go(page).click();
  await expectStep(page, 2);
});

test("a visitor finds a Google place, selects it by keyboard and submits its formatted address", async () => {
  const page = await openWithGoogle();
  expect(await field(page).getAttribute("aria-expanded")).toBe("false");
  await field(page).pressSequentially("12 banks", { delay: 20 });
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await list.waitFor();
  expect(await list.getByRole("option").allTextContents()).toEqual([
    "12 Banksia St Leichhardt NSW, Australia",
    "12 Banksia Rd Caringbah NSW, Australia",
    "None of these ",
  ]);
  await page.getByText("Powered by Google").waitFor();
  // Poll: a pause during typing also sends a request, and its suggestions may still be shown.
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { asked: object[] }).asked.at(-1)))
    .toMatchObject({ input: "12 banks", includedRegionCodes: ["au"] });

  await page.keyboard.press("Escape");
  expect(await list.isVisible()).toBe(false);
  await page.keyboard.press("ArrowDown");
  await list.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const active = await field(page).getAttribute("aria-activedescendant");
  expect(await page.locator(`#${active}[aria-selected="true"]`).innerText()).toContain("12 Banksia St");
  await page.keyboard.press("Enter");
  await expectSoon(() => value(page), CHOSEN);
  expect(await list.isVisible()).toBe(false);
  await expectStep(page, 1);
  await page.keyboard.press("Enter");
  await expectStep(page, 2);
});

test("a typed unit stays when a Google place is chosen; later text is accepted, also if Google lists none or fails", async () => {
  const page = await openWithGoogle();
  await field(page).fill("12 Banksia");
  const option = page.getByRole("option", { name: /Banksia St / });
  await option.waitFor();
  // The visitor keeps typing, and chooses before the list is fetched again.
  await option.evaluate((element: HTMLElement) => {
    const input = document.activeElement as HTMLInputElement;
    input.value = "Unit 3, 12 Banksia";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    element.click();
  });
  await expectSoon(() => value(page), `Unit 3, ${CHOSEN}`);
  await field(page).fill("Unit 4, 12 Banksia St, Leichhardt NSW 2040");
  await go(page).click();
  await expectStep(page, 2);
  await page.getByRole("button", { name: "Previous" }).click();
  expect(await value(page)).toBe("Unit 4, 12 Banksia St, Leichhardt NSW 2040");
  for (const words of ["Lot 4 nowhere track, Broken Hill 2880", "over quota road 5, Broken Hill 2880"]) {
    // Fill in one step: a pause during typing would send the failing request early, and then no other.
    await field(page).fill(words);
    await expectSoon(
      () => page.evaluate(() => (window as unknown as { asked: { input: string }[] }).asked.at(-1)?.input),
      words,
    );
    await go(page).click();
    await expectStep(page, 2);
    await page.getByRole("button", { name: "Previous" }).click();
  }
});

test("an address that arrives after the visitor has moved to the next field is still used", async () => {
  const page = await openWithGoogle();
  await field(page).fill("12 Banksia");
  await page.getByRole("listbox", { name: "Suggestions" }).waitFor();
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(window, { fields: promise, giveFields: resolve });
  });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.evaluate(() => (window as unknown as { giveFields: () => void }).giveFields());
  await expectSoon(() => value(page), CHOSEN);
  expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(false);
  await go(page).click();
  await expectStep(page, 2);
});

test("a visitor types the suburb and the postcode if Google does not list the address", async () => {
  const page = await openWithGoogle();
  await field(page).pressSequentially("12 Banksia Street");
  await page.getByRole("option", { name: "None of these" }).click();
  await page.getByLabel("Suburb").fill("Glebe");
  await page.getByLabel("Postcode").fill("2037");
  await go(page).click();
  await expectStep(page, 2);
});

test("if Google's script cannot load, the field says so and suggests our own suburbs", async () => {
  const page = await openForm("is away", "/service/lawn-mowing");
  const address = page.locator("#customerAddress");
  await address.focus();
  await page.getByText(FAILED).waitFor();
  expect(await address.getAttribute("placeholder")).toBe("Address autocomplete unavailable");
  await address.pressSequentially("12 Banksia Street, Leichh");
  await page.getByRole("option", { name: "Leichhardt NSW 2040" }).click();
  await expectSoon(() => address.inputValue(), "12 Banksia Street, Leichhardt NSW 2040");
  await page.locator("[name=customerName]").fill("Ada Address");
  await page.getByLabel("Phone").fill("02 5550 0123");
  await page.getByLabel("What needs doing?").fill("Mow the front and the back");
  await page.getByRole("button", { name: "Get Free Quote" }).click();
  await page.waitForURL("**/success");
  const [lead] = await fixture.product.db.select().from(leads).where(eq(leads.customerName, "Ada Address"));
  expect(lead).toMatchObject({
    customerAddress: "12 Banksia Street, Leichhardt NSW 2040",
    suburbName: "Leichhardt",
  });
});

test("the home page search completes a suburb and passes it to the quote form", async () => {
  const page = await openForm("is away", "/");
  const search = page.getByPlaceholder("Enter your address or postcode...");
  const button = page.getByRole("button", { name: "Search" });
  await expectSoon(() => button.isDisabled(), true);
  // The form does not look up text typed before hydration.
  await waitForHydration(page);
  await search.pressSequentially("surry h", { delay: 30 });
  expect(await button.isEnabled()).toBe(true);
  await page.getByRole("option", { name: "Surry Hills NSW 2010" }).click();
  await expectSoon(() => search.inputValue(), "Surry Hills NSW 2010");
  await button.click();
  await page.waitForURL("**/get-quote?address=Surry+Hills+NSW+2010");
  await waitForHydration(page);
  expect(await value(page)).toBe("Surry Hills NSW 2010");
});

test("“None of these” on the home page opens the quote form with the typed text", async () => {
  const page = await openForm("is away", "/");
  await waitForHydration(page);
  await page
    .getByPlaceholder("Enter your address or postcode...")
    .pressSequentially("surry h", { delay: 30 });
  await page.getByRole("option", { name: "None of these" }).click();
  await page.waitForURL("**/get-quote?address=surry+h");
  await waitForHydration(page);
  expect(await value(page)).toBe("surry h");
});
