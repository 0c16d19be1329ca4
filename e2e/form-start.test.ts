/**
 * The signed start token of every form, which the page requests at the first touch. In a browser, with all or
 * part of the script.
 */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { leads } from "../worker/platform/db/schema.ts";
import { IS_LONG } from "../testing/long.ts";
import {
  continueQuote,
  fillQuote,
  blockRequests,
  openWindow,
  setUpFixture,
  waitForHydration,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture({
  ORIGIN_HASH_KEY: "a long random text for tests",
  SUSPICION_POINTS: "2",
});

/** A person on a phone. The tests' default user agent identifies itself as a bot. */
const PERSON = {
  viewport: { width: 360, height: 740 },
  userAgent:
    "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
};
const SUBURBS = ["Leichhardt NSW 2040", "Manly NSW 2095", "Parramatta NSW 2150", "Newtown NSW 2042"];
let people = 0;

function newVisitor(name: string) {
  people += 1;
  const address = `${people} Banksia Street, ${SUBURBS[people % SUBURBS.length]}`;
  return { name, phone: `04${10_000_000 + people * 37_003}`, address };
}

async function open(path: string, options: { javaScriptEnabled?: boolean } = {}) {
  const page = await openWindow(fixture, { ...PERSON, ...options });
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/api/forms/start") requests.push(pathname);
  });
  await page.goto(path);
  return { page, requests };
}

const send = (page: Page) => page.getByRole("button", { name: /^(Get Free Quote|Get My Quote|Book Now)$/ });

async function expectThanks(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
}

/** Waits until the form would submit its start token. The request for it may still be in flight. */
async function waitForStartToken(page: Page): Promise<void> {
  const start = () =>
    page
      .locator("[name=startToken]")
      .evaluate((field: HTMLInputElement) => new FormData(field.form!).get("startToken"));
  await expect.poll(start).not.toBe("");
}

async function leadOf(name: string) {
  const rows = await fixture.product.db.select().from(leads).where(eq(leads.customerName, name));
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

async function fillService(
  page: Page,
  { name, phone, address }: ReturnType<typeof newVisitor>,
): Promise<void> {
  await page.locator("[name=customerName]").fill(name);
  await page.locator("[name=customerPhone]").fill(phone);
  await page.locator("[name=customerAddress]").fill(address);
  await page.locator("[name=serviceNeed]").fill("Mow the front and the back");
}

const FORMS: { path: string; complete: (page: Page, who: ReturnType<typeof newVisitor>) => Promise<void> }[] =
  [
    { path: "/service/lawn-mowing", complete: fillService },
    {
      path: "/services",
      complete: async (page, who) => {
        await fillService(page, who);
        await page.getByLabel("Yard cleanup").check();
      },
    },
    {
      path: "/location/leichhardt",
      complete: async (page, { name, phone }) => {
        await page.locator("[name=name]").fill(name);
        await page.locator("[name=phone]").fill(phone);
        await page.locator("[name=email]").fill("someone@example.com");
        await page.locator("[name=serviceType]").selectOption("lawn_mowing");
        await page.locator("[name=propertySize]").selectOption("medium");
      },
    },
    { path: "/get-quote", complete: (page, who) => fillQuote(page, who) },
  ];

/** /services has the island of the service pages. */
const TESTED = FORMS.filter(({ path }) => IS_LONG || path !== "/services");

test.each(TESTED)(
  "$path gets a signed start token at the first touch, and its request is listed",
  async ({ path, complete }) => {
    const { page, requests } = await open(path);
    await page.waitForLoadState("networkidle");
    expect(requests).toEqual([]);
    await waitForHydration(page);
    await expect.poll(() => requests).toHaveLength(1);
    const who = newVisitor(`Signe of ${path}`);
    await complete(page, who);
    await waitForStartToken(page);
    await send(page).click();
    await expectThanks(page);
    expect(await leadOf(who.name)).toMatchObject({ quarantineReasons: [] });
    expect(requests).toHaveLength(1);
  },
);

test("a form posted before its island hydrates also has its start token", async () => {
  const { page, requests } = await open("/service/lawn-mowing");
  await blockRequests(page, /simple-quote-form/);
  await waitForPaint(page);
  const who = newVisitor("Ebba Early");
  await fillService(page, who);
  await waitForStartToken(page);
  await send(page).click();
  await expectThanks(page);
  expect(await leadOf(who.name)).toMatchObject({ quarantineReasons: [] });
  expect(requests).toHaveLength(1);
});

test("for three steps posted without script, the time counts from the first step", async () => {
  const page = await openWindow(fixture, PERSON);
  await blockRequests(page, /quote-form/);
  await page.goto("/get-quote", { waitUntil: "commit" });
  await waitForPaint(page);
  const who = newVisitor("Stella Step");
  await page.getByLabel("Property address").fill(who.address);
  await waitForStartToken(page);
  await continueQuote(page, 2);
  const first = await page.locator("[name=startToken]").inputValue();
  expect(first).toMatch(/^[0-9a-z]+\.[0-9a-f]{32}\./);
  await continueQuote(page, 3);
  expect(await page.locator("[name=startToken]").inputValue()).toBe(first);
});

test("a form sent without script has no start time, and is not quarantined for that alone", async () => {
  const { page, requests } = await open("/service/lawn-mowing", { javaScriptEnabled: false });
  const who = newVisitor("Nelly Noscript");
  await fillService(page, who);
  await send(page).click();
  await expectThanks(page);
  expect(requests).toEqual([]);
  expect(await leadOf(who.name)).toMatchObject({ quarantineReasons: [] });
});

test("after sending a form, the next request on the page has its own start token", async () => {
  const { page, requests } = await open("/service/lawn-mowing");
  await waitForHydration(page);
  const [one, two] = [newVisitor("Una First"), newVisitor("Dua Second")];
  await fillService(page, one);
  await send(page).click();
  await expectThanks(page);
  await page.goBack();
  await waitForHydration(page);
  await fillService(page, two);
  await expect.poll(() => requests).toHaveLength(2);
  await waitForStartToken(page);
  await send(page).click();
  await expectThanks(page);
  expect((await leadOf(two.name)).quarantineReasons).not.toContain("start_reused");
});

test("a request whose form could not fetch a start token is listed", async () => {
  const { page } = await open("/service/lawn-mowing");
  await page.route("**/api/forms/start", (route) => route.abort());
  await waitForHydration(page);
  const who = newVisitor("Nora Never");
  await fillService(page, who);
  await send(page).click();
  await expectThanks(page);
  expect(await leadOf(who.name)).toMatchObject({ quarantineReasons: [] });
});
