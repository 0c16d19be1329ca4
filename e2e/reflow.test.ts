/** With double text size or 400% zoom, every part is reachable without horizontal scrolling. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { SERVICE_LINKS } from "../web/site/service-links.ts";
import { expectFits } from "../testing/product/page-checks.ts";
import { insertJob } from "../testing/shown-records.ts";
import { insertManualPurchase, insertPendingLead, insertUser } from "../testing/world.ts";
import { openWindow, openWindowAs, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

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
    "/duds",
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

async function expectReflows(
  page: Page,
  path: string,
  { name, percent }: (typeof LOOKS)[number],
): Promise<void> {
  await page.goto(path, { waitUntil: "networkidle" });
  await page.evaluate((size) => (document.documentElement.style.fontSize = `${size}%`), percent);
  await expectFits(page, `${path}, ${name}`);
}

test.each(LOOKS)("no visitor page scrolls sideways: $name", async (size) => {
  const { slug } = await insertJob(fixture.product.db, { agreedAt: Date.now() });
  const page = await openWindow(fixture, { viewport: { width: size.width, height: 740 } });
  for (const path of [...DOCUMENTS, `/provider/${slug}`]) {
    await expectReflows(page, path, size);
    const menu = page.getByRole("button", { name: "Open menu" });
    if ((await menu.count()) === 0) continue;
    const box = (await menu.boundingBox())!;
    expect(box.x + box.width, `the menu of ${path}`).toBeLessThanOrEqual(size.width);
  }
});

test.each(LOOKS)("no signed-in page scrolls sideways: $name", async (size) => {
  const { db } = fixture.product;
  const admin = await insertUser(db, { isSuperAdmin: true });
  await insertPendingLead(db);
  await insertManualPurchase(db, admin, { stage: "called", startedAt: Date.now() });
  const page = await openWindowAs(fixture, admin.id, { viewport: { width: size.width, height: 740 } });
  for (const path of APPLICATION) await expectReflows(page, path, size);
});
