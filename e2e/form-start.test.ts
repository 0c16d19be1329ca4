/**
 * The signed start token of a form, which the page requests at the first touch, in a browser with part of the script.
 * `turnstile.test.ts` shows it for every form.
 */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { leads } from "../worker/tables.ts";
import {
  continueQuote,
  blockRequests,
  openWindow,
  setUpFixture,
  waitForHydration,
  waitForPaint,
  waitForStartToken,
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

async function open(path: string) {
  const page = await openWindow(fixture, PERSON);
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/api/forms/start") requests.push(pathname);
  });
  await page.goto(path);
  return { page, requests };
}

const send = (page: Page) => page.getByRole("button", { name: /^(Get Free Quote|Get My Quote)$/ });

async function expectThanks(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
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
