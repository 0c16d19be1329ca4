/** Forms hydrate and lose no input when the browser translates the page. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { translate } from "../testing/product/translators.ts";
import {
  continueQuote,
  expectStep,
  openWindow,
  setUpFixture,
  waitForHydration,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const ADDRESS = "12 Banksia Street, Leichhardt NSW 2040";

/** Translates text nodes in place, as Safari does. */
function translateInPlace() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.trim() && !text.parentElement!.closest("script, style, textarea"))
      text.data = `¡${text.data}!`;
  }
}

/** Opens a page and delays its islands' code, so that a visitor can type before hydration. */
async function openUnhydrated(
  path: string,
): Promise<{ page: Page; hydrate: () => Promise<void>; wrong: string[] }> {
  const page = await openWindow(fixture);
  const code = Promise.withResolvers<void>();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.route("**/assets/*.island-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("[data-island]").waitFor();
  const hydrate = async () => {
    code.resolve();
    await waitForHydration(page);
  };
  return { page, hydrate, wrong };
}

test.each([
  ["wrapped", translate],
  ["in place", translateInPlace],
])("a translated form (%s) keeps its fields, the focus and the selection", async (_, change) => {
  const { page, hydrate, wrong } = await openUnhydrated("/get-quote");
  const address = page.locator("#customerAddress");
  // The page's script has run before the translation.
  await page.waitForLoadState("load");
  await waitForPaint(page);
  await page.getByText("Tell us more").click();
  await page.locator("#hasPets").check();
  await page.locator("#grassType").selectOption("kikuyu");
  await address.fill(ADDRESS);
  await address.evaluate((field: HTMLInputElement) => {
    field.setSelectionRange(3, 10);
    (globalThis as { before?: Element }).before = field;
  });
  await page.evaluate(change);
  await hydrate();
  const state = await address.evaluate((field: HTMLInputElement) => ({
    isSame: (globalThis as { before?: Element }).before === field,
    isFocused: document.activeElement === field,
    value: field.value,
    selection: [field.selectionStart, field.selectionEnd],
  }));
  expect(state).toEqual({ isSame: true, isFocused: true, value: ADDRESS, selection: [3, 10] });
  expect(await page.locator("#hasPets").isChecked()).toBe(true);
  expect(await page.locator("#grassType").inputValue()).toBe("kikuyu");
  expect(wrong).toEqual([]);
});

test("a form translated as soon as the page is parsed keeps its input and the focus", async () => {
  const page = await openWindow(fixture);
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.addInitScript(`document.addEventListener("DOMContentLoaded", ${translate.toString()})`);
  const code = Promise.withResolvers<void>();
  await page.route("**/assets/*.island-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto("/service/lawn-mowing", { waitUntil: "commit" });
  await page.locator("#quote font").first().waitFor();
  await page.locator("#customerName").fill("Trans Lated");
  await page.locator("#serviceNeed").fill("Cut it short, please");
  code.resolve();
  await waitForHydration(page);
  expect(await page.locator("#customerName").inputValue()).toBe("Trans Lated");
  expect(await page.locator("#serviceNeed").inputValue()).toBe("Cut it short, please");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("serviceNeed");
  expect(wrong).toEqual([]);
});

test("a form translated as soon as hydration has begun, and again later, keeps input and still updates its text", async () => {
  const { page, hydrate, wrong } = await openUnhydrated("/get-quote");
  await page.locator("#customerAddress").fill(ADDRESS);
  // Observers run before any task, so before React would render in a task of its own.
  await page.evaluate(`new MutationObserver(${translate.toString()})
    .observe(document.querySelector("[data-island]"), { attributeFilter: ["data-hydrated"] })`);
  await hydrate();
  await page.locator("[data-island] font").first().waitFor();
  expect(await page.locator("#customerAddress").inputValue()).toBe(ADDRESS);
  await page.evaluate(translate);
  const go = page.locator(".quote__foot .button--main");
  await go.click();
  await expectStep(page, 2);
  await go.click();
  await expectStep(page, 3);
  expect((await go.innerText()).trim()).toBe("Get My Quote");
  await page.getByRole("button", { name: "Previous" }).click();
  await expectStep(page, 2);
  await continueQuote(page, 3);
  await go.click();
  await page.locator("#customerName-error").waitFor();
  expect(wrong).toEqual([]);
});
