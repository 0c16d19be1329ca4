/** With double text size or 400% zoom, every part is reachable without horizontal scrolling. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { SERVICE_LINKS } from "../web/site/service-links.ts";
import { expectFits } from "../testing/product/page-checks.ts";
import { insertJob } from "../testing/shown-records.ts";
import { insertManualPurchase, insertPendingLead, insertUser } from "../testing/world.ts";
import { openWindow, openWindowAs, OWN_PRODUCT, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

/** One page for each template that visitors see. */
const DOCUMENTS = [
  "/",
  "/locations",
  "/location/parramatta",
  "/location/atlantis",
  "/services",
  SERVICE_LINKS[0]!.href,
  "/providers",
  "/privacy-policy",
  "/terms-conditions",
  "/reviews",
  "/how-it-works",
  "/success",
  "/no-such-page",
  "/get-quote",
  "/provider-signup",
  "/signup",
  "/login",
  "/forgot-password",
  `/reset-password/${"t".repeat(43)}`,
  `/confirm-email/${"t".repeat(43)}`,
  "/stop-emails/made-up",
  "/my-requests",
  "/my-requests/made-up",
];

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
    "/bookings",
    "/payments",
    "/bad-leads",
    "/guarantee",
    "/suburbs",
    "/audit",
    "/messages",
  ].map((part) => `/admin${part}`),
];

/** A phone with large text, and a 1280 px window with zoom. */
const LOOKS = [
  { name: "text at 200 %", width: 360, percent: 200 },
  { name: "zoom at 400 %", width: 320, percent: 100 },
];

/** Opens a page and checks it in each look, with `check` as well. */
async function expectReflows(page: Page, path: string, check = async (_width: number) => {}): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
  for (const { name, width, percent } of LOOKS) {
    await page.setViewportSize({ width, height: 740 });
    await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}%`), percent);
    await expectFits(page, `${path}, ${name}`);
    await check(width);
  }
}

test("no visitor page scrolls sideways with text at 200 % or zoom at 400 %", async () => {
  const { slug } = await insertJob(fixture.product.db, { agreedAt: Date.now() });
  const page = await openWindow(fixture);
  for (const path of [...DOCUMENTS, `/provider/${slug}`]) {
    await expectReflows(page, path, async (width) => {
      const menu = page.getByRole("button", { name: "Open menu" });
      if ((await menu.count()) === 0) return;
      const box = (await menu.boundingBox())!;
      expect(box.x + box.width, `the menu of ${path}`).toBeLessThanOrEqual(width);
    });
  }
});

test("no signed-in page scrolls sideways with text at 200 % or zoom at 400 %", async () => {
  const { db } = fixture.product;
  const admin = await insertUser(db, { isSuperAdmin: true });
  await insertPendingLead(db);
  await insertManualPurchase(db, admin, { stage: "called", startedAt: Date.now() });
  const page = await openWindowAs(fixture, admin.id);
  for (const path of APPLICATION) await expectReflows(page, path);
});
