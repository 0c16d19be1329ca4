/** The list of locations: short on a phone, and few tab stops for keyboard users. */
import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { decode } from "../testing/page-text.ts";
import { openWindow, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const PHONE = { viewport: { width: 360, height: 740 } };
const WIDE = { viewport: { width: 1280, height: 740 } };

/** Reads the page for a query. It has no script. */
const read = async (query = "", path = "/locations") =>
  (await (await fetch(`${fixture.product.url}${path}${query}`)).text()).replaceAll("<!-- -->", "");

/** Returns the part of a document from the first to the second text. */
function cut(html: string, from: string, to: string): string {
  const start = html.indexOf(from);
  expect(start, from).toBeGreaterThan(-1);
  return html.slice(start, html.indexOf(to, start));
}

/** Returns the links in a part of a document: their texts with their targets. */
const linksIn = (html: string) =>
  [...html.matchAll(/<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href, text]) => ({
    text: decode(text!.replaceAll(/<[^>]*>/g, "")),
    href: decode(href!),
  }));
const textsIn = (html: string) => linksIn(html).map(({ text }) => text);

/** Returns the text of the chosen option in the list of councils. */
const chosenCouncil = (html: string) =>
  /<option[^>]* selected=""[^>]*>([^<]*)/.exec(cut(html, 'name="council"', "</select>"))?.[1];

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

test("on a phone the full list is a third of its former height, 10 tab stops away, and loads its maps once opened", async () => {
  const page = await openWindow(fixture, PHONE);
  const pictures: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".svg") && request.url().includes("councils")) pictures.push(request.url());
  });
  await page.goto("/locations", { waitUntil: "networkidle" });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const stops = await tabStopsBefore(page, "#results li a");
  const bytes = Buffer.byteLength(await (await fetch(`${fixture.product.url}/locations`)).text());
  console.log(`/locations: ${height} px at 360 px, ${bytes} B of HTML with its style sheet, ${stops} stops`);
  expect(height).toBeLessThanOrEqual(22_198 / 3);
  expect(bytes).toBeLessThanOrEqual(60_000);
  expect(stops).toBeLessThanOrEqual(10);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  expect(pictures).toEqual([]);
  await page.getByText("Map", { exact: true }).click();
  await expect.poll(() => pictures.length).toBeGreaterThan(0);
  await page
    .locator(".map img")
    .first()
    .click({ position: { x: 249, y: 161 } });
  await page.waitForURL("**/locations?council=Dubbo+Regional+Council");
});

test("each council has its largest places and a link to all, and the alphabet has all", async () => {
  const html = await read();
  const blacktown = cut(html, '<h3><a href="/locations?council=Blacktown+City+Council">', "</li>");
  expect(textsIn(blacktown)).toEqual([
    "Blacktown City Council",
    "Blacktown",
    "Quakers Hill",
    "Seven Hills",
    "All places",
  ]);
  expect(textsIn(cut(html, "More councils", "</details>"))).toContain("Walgett Shire Council");
  const toggle = linksIn(cut(html, 'aria-label="Order"', "</nav>"));
  expect(toggle).toEqual([{ text: "Alphabetical", href: "/locations?view=alphabetical#results" }]);
  const places = linksIn(cut(await read("?view=alphabetical"), 'id="results"', '<section class="banner'));
  expect(places.filter(({ href }) => href.startsWith("/location/"))).toHaveLength(280);
});

test("a council's short name finds it, and an unknown council becomes a search", async () => {
  const parramatta = await read("?council=Parramatta");
  expect(chosenCouncil(parramatta)).toBe("City of Parramatta");
  expect(textsIn(parramatta)).toContain("Epping");
  const manly = await read("?council=Manly");
  expect(manly).toContain("We don’t know that council, so we searched for it instead.");
  expect(manly).toContain("1 matching location<");
  expect(textsIn(manly)).toContain("Manly");
  expect(chosenCouncil(manly)).toBe("All councils");
});

const readSheet = (file: string) => readFileSync(new URL(`../web/${file}`, import.meta.url), "utf8");

const listed = (file: string) =>
  [...readSheet(file).matchAll(/@import "\.\/([^"]+)"/g)].map(([, path]) => path!);

/** Returns the classes in web/documents.css whose rules the page leaves out. */
function missingClasses(sheet: string): Set<string> {
  const included = listed(sheet);
  const left = listed("documents.css").filter((path) => !included.includes(path));
  return new Set(
    left.flatMap((path) => [...readSheet(path).matchAll(/^\.([\w-]+)/gm)].map(([, name]) => name!)),
  );
}

test("no page omits a rule that it needs", async () => {
  for (const [path, sheet] of [
    ["/locations", "documents-lean.css"],
    ["/locations?search=manly", "documents-lean.css"],
    ["/locations?search=nowhere-at-all", "documents-lean.css"],
    ["/locations?view=alphabetical", "documents-lean.css"],
    ["/locations?council=Inner+West+Council", "documents-lean.css"],
    ["/location/leichhardt", "documents-suburb.css"],
    ["/location/atlantis", "documents-suburb.css"],
  ] as const) {
    const html = await read("", path);
    const used = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names]) => names!.split(" "));
    const left = missingClasses(sheet);
    expect(left.size, "the sheets are read").toBeGreaterThan(10);
    expect(used.length, path).toBeGreaterThan(10);
    expect(
      [...new Set(used)].filter((name) => left.has(name)),
      path,
    ).toEqual([]);
  }
});

test("a council's page links to nearby councils and to their largest places", async () => {
  const near = cut(await read("?council=Broken+Hill+City+Council"), 'id="near-title"', "</section>");
  expect(textsIn(near)).toContain("Cobar");
  expect(linksIn(near)).toContainEqual({
    text: "Wentworth Shire Council",
    href: "/locations?council=Wentworth+Shire+Council",
  });
  // None of this council's places is in the full list, but the select still shows the council.
  const wentworth = await read("?council=Wentworth+Shire+Council");
  expect(wentworth).toMatch(/\d+ matching location/);
  expect(chosenCouncil(wentworth)).toBe("Wentworth Shire Council");
});

test("a council's page links all its suburbs, each with its price, phone number and quote", async () => {
  // The place is in none of our lists, but it has a page.
  expect(linksIn(await read("?council=Northern+Beaches+Council"))).toContainEqual({
    text: "Scotland Island",
    href: "/location/scotland-island",
  });
  const manly = cut(await read("?search=2095"), '<li class="place" id="manly">', "</li>");
  expect(manly).toMatch(/2095.*From \$\d+\*/);
  expect(linksIn(manly).map(({ href }) => href)).toEqual([
    "/location/manly",
    expect.stringMatching(/^tel:/),
    expect.stringMatching(/^\/get-quote\?address=Manly/),
  ]);
});

test("on a wide screen the maps are open, a tap opens its council, and a place leads to its card", async () => {
  const page = await openWindow(fixture, WIDE);
  await page.goto("/locations");
  const [nsw, sydney] = await page.locator(".map img").all();
  const box = (await sydney!.boundingBox())!;
  expect(box.y + box.height, "within the first screen").toBeLessThan(WIDE.viewport.height);
  await nsw!.click({ position: { x: 249, y: 161 } });
  await page.waitForURL("**/locations?council=Dubbo+Regional+Council");
  // The sea.
  await page.goBack();
  await sydney!.click({ position: { x: 390, y: 300 } });
  await page.waitForURL("**/locations?map=sydney**");
  await page.getByText("You tapped outside NSW.").waitFor();
  await page.getByRole("heading", { name: "280 matching locations" }).waitFor();
  // The harbour's north, by its beaches.
  await page.goBack();
  await sydney!.click({ position: { x: 262, y: 170 } });
  await page.waitForURL("**/locations?council=Northern+Beaches+Council");

  expect(await page.locator(".map [data-on]").count()).toBe(1);
  await page.locator('.map a[href="#manly"] circle').click();
  await page.waitForURL("**#manly");
  expect(await page.locator(".place:target").innerText()).toMatch(/Manly[\s\S]*From \$\d+\*/);
  await page.locator(".map a", { hasText: "Ku-ring-gai Council" }).click();
  await page.waitForURL("**/locations?council=Ku-ring-gai+Council");
});

test("a search finds any locality of the state, also misspelt, and the list can be filtered and sorted", async () => {
  expect(linksIn(await read("?search=Scotland+Island"))).toContainEqual({
    text: "Scotland Island",
    href: "/location/scotland-island",
  });
  const page = await openWindow(fixture, PHONE);
  await page.goto("/locations");
  const search = page.getByLabel("Suburb, postcode or council");
  await search.fill("paramatta");
  await page.getByRole("button", { name: "Search" }).click();
  const place = page.locator(".place").getByRole("link", { name: "Parramatta", exact: true });
  expect(await place.getAttribute("href")).toBe("/location/parramatta");
  expect(await search.inputValue()).toBe("paramatta");

  await search.fill("");
  await page.getByText("State and council").click();
  await page.getByLabel("Council", { exact: true }).selectOption("Inner West Council");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { name: /^\d+ matching locations$/ }).waitFor();
  expect(await page.getByRole("heading", { level: 3 }).first().textContent()).toBe("Inner West Council");
  await page.getByRole("link", { name: "Alphabetical" }).click();
  await page.waitForURL("**view=alphabetical**");
  expect(new URL(page.url()).searchParams.get("council")).toBe("Inner West Council");
});
