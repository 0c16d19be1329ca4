/** The list of locations: short enough for a phone, quick to reach with a keyboard. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { openWindow, setStage } from "../testing/product/windows.ts";

const stage = setStage();

const PHONE = { viewport: { width: 360, height: 740 } };

/** How often Tab is pressed before the first link of the results has the focus. */
function tabStopsBefore(page: Page, selector: string): Promise<number> {
  return page.evaluate((selector) => {
    const result = document.querySelector(selector)!;
    const stops = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, summary")];
    return stops.filter(
      (stop) =>
        stop.tabIndex >= 0 &&
        stop.checkVisibility({ visibilityProperty: true }) &&
        result.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_PRECEDING,
    ).length;
  }, selector);
}

test("the whole list is a third of its former height, 60 kB without the sheet that styles it, and 10 stops away", async () => {
  const page = await openWindow(stage, PHONE);
  await page.goto("/locations");
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const html = await (await fetch(`${stage.product.url}/locations`)).text();
  const bytes = Buffer.byteLength(html.replace(/<style>.*?<\/style>/s, ""));
  const stops = await tabStopsBefore(page, "#results :is(.names, .places) a");
  console.log(
    `/locations: ${height} px at 360 px, ${bytes} B of HTML without its style sheet, ${stops} stops`,
  );
  expect(height).toBeLessThanOrEqual(22_198 / 3);
  expect(bytes).toBeLessThanOrEqual(60_000);
  expect(stops).toBeLessThanOrEqual(10);
  expect(await page.locator("#results .names li a").count()).toBe(280);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("a council's name leads to all its suburbs, each with its price, its number and a quote", async () => {
  const page = await openWindow(stage, PHONE);
  await page.goto("/locations");
  await page.getByRole("link", { name: "Northern Beaches Council" }).click();
  await page.waitForURL("**/locations?council=Northern+Beaches+Council");
  // None of our own lists, and a page all the same.
  expect(
    await page.locator("#results").getByRole("link", { name: "Scotland Island", exact: true }).count(),
  ).toBe(1);

  await page.goto("/locations?search=2095");
  const manly = page.locator(".place").filter({ hasText: "Manly" }).first();
  expect(await manly.innerText()).toMatch(/2095[\s\S]*From \$\d+\*/);
  expect(
    await manly.getByRole("link").evaluateAll((links) => links.map((a) => a.getAttribute("href"))),
  ).toEqual([
    "/location/manly",
    expect.stringMatching(/^tel:/),
    expect.stringMatching(/^\/get-quote\?address=Manly/),
  ]);
});

test("the map is a view of its own, and what is chosen stays chosen there", async () => {
  const page = await openWindow(stage, PHONE);
  await page.goto("/locations?council=Northern+Beaches+Council");
  await page.getByRole("link", { name: "Map", exact: true }).click();
  await page.waitForURL("**view=map**");
  expect(await page.locator(".map__drawing").count()).toBe(2);
  expect(await page.locator(".map a[data-on]").count()).toBeGreaterThan(0);
});
