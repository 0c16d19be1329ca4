/**
 * Tests every page a visitor can open, on a phone and a desktop, in light and dark mode, with large text and zoom, before
 * and during use.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { MAX_SERVICE_JOBS } from "../contract/profiles.ts";
import { IS_LONG } from "../testing/long.ts";
import { pngPhoto } from "../testing/photos.ts";
import { PUBLIC_ADDRESSES } from "../testing/routes/pages.ts";
import { insertJob } from "../testing/shown-records.ts";
import { insertManualPurchase, insertPendingLead, insertReview, insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  openWindow,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
  waitForHydration,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

/** Service pages share a template, both sign-up pages do, and so do an unknown page and an unknown suburb. */
const SAME_TEMPLATE = IS_LONG ? /^$/ : /^\/(service\/(?!lawn-mowing$)|provider-signup$|no-such-page$)/;

const PAGES = [
  ...PUBLIC_ADDRESSES,
  "/locations?search=2095",
  "/location/atlantis",
  `/reset-password/${"t".repeat(43)}`,
  `/confirm-email/${"t".repeat(43)}`,
  "/stop-emails/made-up",
  "/my-requests/made-up",
  "/no-such-page",
].filter((path) => !SAME_TEMPLATE.test(path));

/** One page for each template behind sign-in. */
const APPLICATION = [
  "/dashboard",
  "/receipts",
  "/figures",
  "/settings",
  "/dashboard/offline",
  ...[
    "",
    "/providers",
    "/leads",
    "?show=bookings",
    "/payments",
    "?show=bad-leads",
    "?show=free-claims",
    "/figures",
    "/settings",
    "/audit",
    "/settings?show=messages",
  ].map((part) => `/admin${part}`),
];

/** A phone with large text, and a 1280 px window with zoom. */
const LOOKS = [
  { name: "text at 200 %", width: 360, percent: 200 },
  { name: "zoom at 400 %", width: 320, percent: 100 },
];

/** Checks that an open page does not scroll sideways in each look, with `check` as well. */
async function expectReflows(page: Page, path: string, check = async (_width: number) => {}): Promise<void> {
  const setTextSize = (percent: number) =>
    page.evaluate((size) => (document.documentElement.style.fontSize = `${size}%`), percent);
  for (const { name, width, percent } of LOOKS) {
    await page.setViewportSize({ width, height: 740 });
    await setTextSize(percent);
    await expectFits(page, `${path}, ${name}`);
    await check(width);
  }
  await setTextSize(100);
}

/** Checks a page at each size: it fits, and axe finds nothing. */
async function checkPage(page: Page, where: string, sizesForAxe = SIZES): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectFits(page, `${where} at ${size.width}`);
    if (sizesForAxe.includes(size)) await expectAccessible(page, `${where} at ${size.width}`);
  }
}

/** Checks a page during use. The page has passed axe at each size, so the short form runs axe on the phone only. */
const checkState = (page: Page, where: string) => checkPage(page, where, IS_LONG ? SIZES : SIZES.slice(0, 1));

test("no page has an axe violation, horizontal scrolling or console errors, also with large text or zoom", async () => {
  const { db } = fixture.product;
  const { slug, purchaseId } = await insertJob(db, { agreedAt: Date.now() });
  await insertReview(db, purchaseId);
  for (let i = 1; i < MAX_SERVICE_JOBS; i++) await insertJob(db, { agreedAt: Date.now() });
  const page = await openWindow(fixture, { viewport: SIZES[0]! });
  const photo = { contentType: "image/png", body: Buffer.from(pngPhoto(480, 360)) };
  await page.route("**/api/photos/**", (route) => route.fulfill(photo));
  const pageErrors = collectPageErrors(page);
  for (const path of [...PAGES, `/provider/${slug}`]) {
    await page.goto(path);
    // Islands hydrate at the first touch. Hydration errors count too.
    if ((await page.locator("[data-island]").count()) > 0) {
      await page.locator("[data-island] input:visible").first().focus();
      await waitForHydration(page);
    }
    await checkPage(page, path);
    await expectReflows(page, path, async (width) => {
      const menu = page.getByRole("button", { name: "Open menu" });
      if ((await menu.count()) === 0) return;
      const box = (await menu.boundingBox())!;
      expect(box.x + box.width, `the menu of ${path}`).toBeLessThanOrEqual(width);
    });
    expect(pageErrors, path).toEqual([]);
  }
});

test("no signed-in page scrolls sideways with large text or zoom", async () => {
  const { db } = fixture.product;
  const admin = await insertUser(db, { isSuperAdmin: true });
  await insertPendingLead(db);
  await insertManualPurchase(db, admin, { stage: "called", startedAt: Date.now() });
  const page = await openWindowAs(fixture, admin.id);
  for (const path of APPLICATION) {
    await page.goto(path, { waitUntil: "networkidle" });
    await expectReflows(page, path);
  }
});

test("the list of locations with its maps has no axe violation", async () => {
  const page = await openWindow(fixture, { viewport: SIZES[0]! });
  for (const path of ["/locations", "/locations?council=Blacktown+City+Council"]) {
    await page.goto(path);
    await page.getByText("Map", { exact: true }).click();
    await page.locator(".map").waitFor();
    await expectFits(page, path);
    await expectAccessible(page, path);
  }
});

test("open menus, an open answer and the account menu have no axe violation", async () => {
  const customer = await insertUser(fixture.product.db, { userType: "customer", firstName: "Cora" });
  const page = await openWindowAs(fixture, customer.id, { viewport: SIZES[0]! });
  await page.goto("/location/parramatta");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("button", { name: "Close menu" }).waitFor();
  await expectFits(page, "side menu");
  await expectAccessible(page, "side menu");
  await page.keyboard.press("Escape");
  await page.getByText("How long does mowing take?").click();
  await page.getByText("A mowing visit typically takes 30-60 minutes.").waitFor();
  await checkState(page, "open answer");
  await page.getByRole("button", { name: "Services" }).click();
  await page.getByRole("link", { name: "All Services" }).first().waitFor();
  await expectAccessible(page, "services menu");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByText("Customer", { exact: true }).first().waitFor();
  await expectAccessible(page, "account menu");
});

test("every step of a quote, its suggestions and its errors have no axe violation", async () => {
  const page = await openWindow(fixture, { viewport: SIZES[0]! });
  const pageErrors = collectPageErrors(page);
  await page.goto("/get-quote");
  await waitForHydration(page);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.locator("#customerAddress-error").waitFor();
  await checkState(page, "step 1 with an error");
  const address = page.getByRole("combobox", { name: "Property address" });
  // Fill in one step: the page would replace suggestions for partial text before a test could choose one.
  await address.fill("12 Banksia Street, Leichh");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await checkState(page, "suggestions");
  await page.keyboard.press("Enter");
  for (const step of [2, 3]) {
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator(`[role="progressbar"][aria-valuenow="${step}"]`).waitFor();
    await checkState(page, `step ${step}`);
  }
  await page.getByRole("button", { name: "Get My Quote" }).click();
  await page.locator("#customerName-error").waitFor();
  await checkState(page, "step 3 with errors");
  expect(pageErrors).toEqual([]);
});

test("short forms with errors and a failure toast have no axe violation", async () => {
  const page = await openWindow(fixture, { viewport: SIZES[0]! });
  const pageErrors = collectPageErrors(page);
  const forms = {
    "/services": "Get Free Quote",
    "/location/parramatta": "Book Now",
    "/login": "Sign In",
    "/signup": "Create Account",
  };
  for (const [path, button] of Object.entries(forms)) {
    await page.goto(path);
    const send = page.locator("form[method=post]").getByRole("button", { name: button });
    await send.focus();
    await waitForHydration(page);
    await send.click();
    await page.locator(".field__error").first().waitFor();
    await checkState(page, `${path} with errors`);
  }
  // The console also logs the server's answers to forms with errors.
  expect(pageErrors.filter((text) => !text.includes("status of 400"))).toEqual([]);
  await page.goto("/service/pressure-washing");
  // Before hydration the browser would submit the form itself, and the request would not fail.
  await waitForHydration(page);
  await page.locator("[name=customerName]").fill("Axel Axe");
  await page.getByLabel("Phone").fill("02 5550 0123");
  await page.locator("[name=customerAddress]").fill("12 Banksia Street, Leichhardt");
  await page.getByLabel("What needs doing?").fill("The drive and the paths");
  await page.route("**/service/pressure-washing", (route) => route.abort());
  await page.locator("#quote button").click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("alert").focus();
  await checkState(page, "a failure's toast");
});
