/**
 * Cloudflare Turnstile on visitors' forms in a browser: most visitors do not see it, and no request is lost. The first
 * touch also fetches the form's signed start token.
 */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { afterAll, afterEach, expect, test } from "vitest";

import { leads } from "../worker/tables.ts";
import { IS_LONG } from "../testing/long.ts";
import { serveTurnstile } from "../testing/stand-ins/turnstile-server.ts";
import { TurnstileStandIn } from "../testing/stand-ins/turnstile-stand-in.ts";
import {
  expectSoon,
  fillQuote,
  dropNextResponse,
  openWindow,
  setUpFixture,
  waitForHydration,
  waitForStartToken,
} from "../testing/product/browser-fixture.ts";

const SECRET = "0x4AAAAAAAstandInSecret";
const turnstile = new TurnstileStandIn(SECRET);
const server = await serveTurnstile(turnstile);
const fixture = setUpFixture({
  TURNSTILE_SITE_KEY: turnstile.siteKey,
  TURNSTILE_SECRET: SECRET,
  TURNSTILE_HOST: server.url,
  ORIGIN_HASH_KEY: "a long random text for tests",
});
afterEach(() => server.setBehaviour("passes"));
afterAll(() => server.stop());

const PHONE_SIZE = { viewport: { width: 360, height: 740 } };
const ADDRESS = "12 Banksia Street, Leichhardt NSW 2040";

/** Opens a page and records its requests to Cloudflare and for its start token. */
async function open(path: string, { isTouched = true } = {}) {
  const page = await openWindow(fixture, PHONE_SIZE);
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.url().startsWith(server.url) || pathname === "/api/forms/start") requests.push(pathname);
  });
  await page.goto(path);
  // Wait for hydration: a form sent earlier counts as sent without script.
  if (isTouched) await waitForHydration(page);
  return { page, requests };
}

/** Waits until the check's frame has loaded. After Send, a form waits only a few seconds for the check. */
const waitForCheck = (page: Page) =>
  page.frameLocator("iframe").locator("body").waitFor({ state: "attached" });

async function leadOf(name: string) {
  const rows = await fixture.product.db.select().from(leads).where(eq(leads.customerName, name));
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`[name=${name}]`).fill(value);
}

async function fillService(page: Page, customerName: string): Promise<void> {
  const contact = { customerName, customerPhone: "02 5550 0123", customerAddress: ADDRESS };
  await fill(page, { ...contact, serviceNeed: "Mow the front and the back" });
}

const send = (page: Page) => page.getByRole("button", { name: /^(Get Free Quote|Get My Quote|Book Now)$/ });

async function expectThanks(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
}

/** Each form, filled in for a given name, up to its submit button. */
const FORMS = [
  { path: "/service/lawn-mowing", first: "customerName", complete: fillService },
  {
    path: "/services",
    first: "customerName",
    complete: async (page: Page, name: string) => {
      await fill(page, { customerName: name, customerPhone: "02 5550 0123", customerAddress: ADDRESS });
      await page.getByLabel("Yard cleanup").check();
    },
  },
  {
    path: "/location/leichhardt",
    first: "name",
    complete: async (page: Page, name: string) => {
      await fill(page, { name, phone: "02 5550 0123", email: "anna@example.com" });
      await page.locator("[name=serviceType]").selectOption("lawn_mowing");
      await page.locator("[name=propertySize]").selectOption("medium");
    },
  },
  {
    path: "/get-quote",
    first: "customerAddress",
    complete: (page: Page, name: string) =>
      fillQuote(page, { address: ADDRESS, name, phone: "02 5550 0123" }),
  },
] as const;

/** The start time and its signature, in a posted form. */
const START_TOKEN = /name="startToken"\r\n\r\n[0-9a-z]+\.[0-9a-f]{32}\./;

/** /services has the island of the service pages. */
const TESTED = FORMS.filter(({ path }) => IS_LONG || path !== "/services");

test.each(TESTED)(
  "at the first touched field, $path loads the check, without showing it, and a start token; its request is listed",
  async (form) => {
    const { page, requests } = await open(form.path, { isTouched: false });
    await page.waitForLoadState("networkidle");
    expect(requests).toEqual([]);
    await waitForHydration(page);
    const height = () => page.locator("form", { has: send(page) }).evaluate((shown) => shown.scrollHeight);
    const before = form.path === "/get-quote" ? null : await height();
    await page.locator(`[name=${form.first}]`).focus();
    const expected = ["/api/forms/start", "/frame", "/turnstile/v0/api.js"];
    await expectSoon(() => requests.toSorted(), expected);
    if (before !== null) expect(await height()).toBe(before);
    const name = `Una of ${form.path}`;
    await form.complete(page, name);
    await waitForStartToken(page);
    await waitForCheck(page);
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === "POST"),
      send(page).click(),
    ]);
    expect(sent.postData()).toMatch(START_TOKEN);
    await expectThanks(page);
    await expectSoon(async () => (await leadOf(name)).listingState, "listed");
    expect(requests).toHaveLength(3);
  },
);

test("a visitor asked to tick a box sees it, and the request is sent after they tick it", async () => {
  server.setBehaviour("asks");
  const { page } = await open("/service/lawn-mowing");
  await fillService(page, "Asta Asked");
  await waitForCheck(page);
  await send(page).click();
  const box = page.frameLocator("iframe").getByRole("button", { name: "Verify you are human" });
  await box.waitFor();
  expect(await page.getByRole("button", { name: "Submitting..." }).isDisabled()).toBe(true);
  await box.click();
  await expectThanks(page);
  expect(await leadOf("Asta Asked")).toMatchObject({ quarantineReasons: [] });
});

test.each(["silent", "blocked"] as const)(
  "check %s: the request is still sent and is quarantined",
  async (how) => {
    if (how === "silent") server.setBehaviour(how);
    const { page } = await open("/service/lawn-mowing");
    if (how === "blocked") await page.route(`${server.url}/**`, (route) => route.abort());
    await fillService(page, `Nora Never ${how}`);
    await send(page).click();
    await expectThanks(page);
    expect(await leadOf(`Nora Never ${how}`)).toMatchObject({
      listingState: "quarantined",
      quarantineReasons: ["challenge_missing"],
    });
  },
);

test("a request that failed to arrive passes the check when it is sent again", async () => {
  const { page } = await open("/service/lawn-mowing");
  await fillService(page, "Tara Twice");
  await waitForCheck(page);
  // The product stores the request and redeems its token, but the response is lost.
  await dropNextResponse(page, "**/service/lawn-mowing");
  await send(page).click();
  await page.getByRole("alert").waitFor();
  await send(page).click();
  await expectThanks(page);
  expect(await leadOf("Tara Twice")).toMatchObject({ quarantineReasons: [] });
});

test("only pages with such a form allow Cloudflare's scripts and stay cacheable, and the privacy policy describes the check", async () => {
  for (const { path } of FORMS) {
    const pageResponse = await fetch(fixture.product.url + path);
    const policy = pageResponse.headers.get("Content-Security-Policy")!;
    for (const part of ["script-src", "frame-src"]) {
      expect(
        policy.split("; ").find((line) => line.startsWith(part)),
        path,
      ).toContain(server.url);
    }
    expect(pageResponse.headers.get("Cloudflare-CDN-Cache-Control"), path).toContain("max-age=3600");
    expect(pageResponse.headers.get("Set-Cookie"), path).toBeNull();
    expect(await pageResponse.text(), path).not.toContain(SECRET);
  }
  for (const path of [
    "/",
    "/locations",
    "/location/atlantis",
    "/success",
    "/login",
    "/signup",
    "/privacy-policy",
  ]) {
    const pageResponse = await fetch(fixture.product.url + path);
    expect(pageResponse.headers.get("Content-Security-Policy"), path).not.toContain(server.url);
  }
  const policy = await (await fetch(`${fixture.product.url}/privacy-policy`)).text();
  expect(policy).toContain("Turnstile, Cloudflare's check");
});
