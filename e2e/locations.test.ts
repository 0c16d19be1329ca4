/** The list of locations: short on a phone, and few tab stops for keyboard users. */
import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const PHONE = { viewport: { width: 360, height: 740 } };

/** Counts the Tab presses until the first link of the results has focus. */
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

test("the full list is a third of its former height, 60 kB with its style sheet, and 10 tab stops away", async () => {
  const page = await openWindow(fixture, PHONE);
  await page.goto("/locations");
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const html = await (await fetch(`${fixture.product.url}/locations`)).text();
  const bytes = Buffer.byteLength(html);
  const stops = await tabStopsBefore(page, "#results li a");
  console.log(`/locations: ${height} px at 360 px, ${bytes} B of HTML with its style sheet, ${stops} stops`);
  expect(height).toBeLessThanOrEqual(22_198 / 3);
  expect(bytes).toBeLessThanOrEqual(60_000);
  expect(stops).toBeLessThanOrEqual(10);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("each council has its largest places and a link to all, and the alphabet has all", async () => {
  const page = await openWindow(fixture, PHONE);
  await page.goto("/locations");
  const blacktown = page.locator(".councils li").filter({ hasText: "Blacktown City Council" });
  expect(await blacktown.getByRole("link").allInnerTexts()).toEqual([
    "Blacktown City Council",
    "Blacktown",
    "Quakers Hill",
    "Seven Hills",
    "All places",
  ]);
  await page.getByText("More councils").click();
  await page.getByRole("link", { name: "Walgett Shire Council" }).waitFor();

  await page.getByRole("link", { name: "Alphabetical" }).click();
  await page.waitForURL("**view=alphabetical**");
  expect(await page.locator("#results .names a").count()).toBe(280);
});

test("a council's short name finds it, and an unknown council becomes a search", async () => {
  const page = await openWindow(fixture, PHONE);
  await page.goto("/locations?council=Parramatta");
  expect(await page.getByLabel("Council", { exact: true }).inputValue()).toBe("City of Parramatta");
  expect(await page.locator("#results .place__name").allInnerTexts()).toContain("Epping");
  await page.goto("/locations?council=Manly");
  await page.getByText("We don’t know that council, so we searched for it instead.").waitFor();
  expect(await page.locator("#results .place__name").allInnerTexts()).toEqual(["Manly"]);
  expect(await page.getByLabel("Council", { exact: true }).inputValue()).toBe("all");
});

const read = (file: string) => readFileSync(new URL(`../web/${file}`, import.meta.url), "utf8");

const listed = (file: string) => [...read(file).matchAll(/@import "\.\/([^"]+)"/g)].map(([, path]) => path!);

/** Returns the classes in web/documents.css whose rules the page leaves out. */
function missingClasses(sheet: string): Set<string> {
  const included = listed(sheet);
  const left = listed("documents.css").filter((path) => !included.includes(path));
  return new Set(left.flatMap((path) => [...read(path).matchAll(/^\.([\w-]+)/gm)].map(([, name]) => name!)));
}

test.each([
  ["/locations", "documents-lean.css"],
  ["/locations?search=manly", "documents-lean.css"],
  ["/locations?search=nowhere-at-all", "documents-lean.css"],
  ["/locations?view=alphabetical", "documents-lean.css"],
  ["/locations?council=Inner+West+Council", "documents-lean.css"],
  ["/location/leichhardt", "documents-suburb.css"],
  ["/location/atlantis", "documents-suburb.css"],
])("%s omits no rule that it needs", async (path, sheet) => {
  const html = await (await fetch(fixture.product.url + path)).text();
  const used = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names]) => names!.split(" "));
  const left = missingClasses(sheet);
  expect(left.size, "the sheets are read").toBeGreaterThan(10);
  expect(used.length).toBeGreaterThan(10);
  expect([...new Set(used)].filter((name) => left.has(name))).toEqual([]);
});

test("a council's page links to nearby councils and to their largest places", async () => {
  const page = await openWindow(fixture, PHONE);
  await page.goto("/locations?council=Broken+Hill+City+Council");
  const near = page.getByRole("region", { name: "Councils nearby" });
  await near.getByRole("link", { name: "Cobar", exact: true }).waitFor();
  await near.getByRole("link", { name: "Wentworth Shire Council" }).click();
  await page.waitForURL("**/locations?council=Wentworth*");
  await page.getByRole("heading", { name: /matching location/ }).waitFor();
  expect(new URL(page.url()).searchParams.get("council")).toBe("Wentworth Shire Council");
  // None of the council's places is in the full list, but the select still shows the council.
  expect(await page.getByLabel("Council", { exact: true }).inputValue()).toBe("Wentworth Shire Council");
});

test("a council's name links to all its suburbs, each with its price, phone number and quote", async () => {
  const page = await openWindow(fixture, PHONE);
  await page.goto("/locations");
  await page.getByRole("link", { name: "Northern Beaches Council" }).click();
  await page.waitForURL("**/locations?council=Northern+Beaches+Council");
  // The place is in none of our lists, but it has a page.
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

const WIDE = { viewport: { width: 1280, height: 740 } };

test("on a wide screen the maps are open, and a tap opens its council without a script", async () => {
  const page = await openWindow(fixture, { ...WIDE, javaScriptEnabled: false });
  await page.goto("/locations");
  const [nsw, sydney] = await page.locator(".map img").all();
  const box = (await sydney!.boundingBox())!;
  expect(box.y + box.height, "within the first screen").toBeLessThan(WIDE.viewport.height);
  await nsw!.click({ position: { x: 249, y: 161 } });
  await page.waitForURL("**/locations?council=Dubbo+Regional+Council");
  await page.goBack();
  // The harbour's north, by its beaches.
  await sydney!.click({ position: { x: 262, y: 170 } });
  await page.waitForURL("**/locations?council=Northern+Beaches+Council");
  // The sea.
  await page.goBack();
  await sydney!.click({ position: { x: 390, y: 300 } });
  await page.waitForURL("**/locations?map=sydney**");
  await page.getByText("You tapped outside NSW.").waitFor();
  await page.getByRole("heading", { name: "280 matching locations" }).waitFor();
});

test("on a phone the maps are closed and not loaded until the visitor opens them", async () => {
  const page = await openWindow(fixture, PHONE);
  const pictures: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".svg") && request.url().includes("councils")) pictures.push(request.url());
  });
  await page.goto("/locations", { waitUntil: "networkidle" });
  expect(pictures).toEqual([]);
  await page.getByText("Map", { exact: true }).click();
  await expect.poll(() => pictures.length).toBeGreaterThan(0);
  await page
    .locator(".map img")
    .first()
    .click({ position: { x: 249, y: 161 } });
  await page.waitForURL("**/locations?council=Dubbo+Regional+Council");
});

test("a council's map leads from a place to its card, and to the councils around", async () => {
  const page = await openWindow(fixture, WIDE);
  await page.goto("/locations?council=Northern+Beaches+Council");
  expect(await page.locator(".map [data-on]").count()).toBe(1);
  await page.locator('.map a[href="#manly"] circle').click();
  await page.waitForURL("**#manly");
  expect(await page.locator(".place:target").innerText()).toMatch(/Manly[\s\S]*From \$\d+\*/);
  await page.locator(".map a", { hasText: "Ku-ring-gai Council" }).click();
  await page.waitForURL("**/locations?council=Ku-ring-gai+Council");
});

test("a search finds any locality of the state, also misspelt", async () => {
  const page = await openWindow(fixture, PHONE);
  for (const [search, name] of [
    ["Scotland Island", "Scotland Island"],
    ["paramatta", "Parramatta"],
  ] as const) {
    await page.goto("/locations");
    await page.getByLabel("Suburb, postcode or council").fill(search);
    await page.getByRole("button", { name: "Search" }).click();
    const place = page.locator(".place").getByRole("link", { name, exact: true });
    await place.waitFor();
    expect(await place.getAttribute("href")).toBe(`/location/${name.toLowerCase().replace(" ", "-")}`);
  }
});
