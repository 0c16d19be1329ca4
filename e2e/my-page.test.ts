/** A provider makes their public page on a phone, and a customer finds it. */
import { eq } from "drizzle-orm";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";

import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  openContext,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
  signIn,
  takePicture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";
import { pngPhoto } from "../testing/photos.ts";
import { insertProfile, insertUser } from "../testing/world.ts";
import { providerChecks, users } from "../worker/tables.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const WORDS =
  "We’re two sisters with a ute and a good mower. We’ve cared for lawns in the inner west for twelve years, and we tidy up before we leave.";

async function openMyPage(page: Page): Promise<void> {
  await openDashboard(page);
  await page.getByRole("button", { name: "Pat Provider" }).click();
  await page.getByRole("link", { name: "My page" }).click();
  await page.getByRole("heading", { name: "My page", level: 1 }).waitFor();
}

test("a provider makes a page on a phone, corrects it, previews it and publishes it", async () => {
  const owner = await insertUser(fixture.product.db, {
    companyName: "Sisters’ Lawns",
    services: ["hedge_trimming"],
  });
  const page = await openWindowAs(fixture, owner.id, PHONE);
  const errors = collectPageErrors(page);
  await openMyPage(page);
  await expectFits(page, "the editor");
  await expectAccessible(page);

  const words = page.getByLabel("About your business");
  await words.fill(`${WORDS} Ring 0412 345 678.`);
  await page.getByText("the services in your settings: Hedge and tree trimming.").waitFor();
  await page.getByLabel("Suburb where you're based").fill("Marrickville 2204");
  await page.getByLabel("Suburb where you're based").blur();
  await page.getByLabel("City of Sydney").check();
  expect(await page.getByLabel("Inner West Council").isChecked(), "the own council is chosen").toBe(true);
  await page.getByRole("button", { name: "Save my page" }).click();
  await page
    .getByText("Please leave out phone numbers, email addresses and links", { exact: false })
    .first()
    .waitFor();
  await words.fill(WORDS);
  await page.locator("#words-error").waitFor({ state: "detached" });
  const isShown = page.getByLabel("Show my page to everyone");
  expect(await isShown.isChecked(), "the owner decides").toBe(false);
  await isShown.check();

  await takePicture(page, "my-page-360");
  await expectFits(page, "the editor");
  await expectAccessible(page);
  const logo = { name: "us.png", mimeType: "image/png", buffer: Buffer.from(pngPhoto(300, 300)) };
  const [sent] = await Promise.all([
    page.waitForRequest("**/api/photos/own/logo"),
    page.getByLabel("Add a logo or photo").setInputFiles(logo),
  ]);
  expect(sent.headers()["content-type"], "reduced in the browser, without its metadata").toBe("image/jpeg");
  await page.getByRole("img", { name: "Logo 1" }).waitFor();
  await page.getByLabel("Add photos").setInputFiles([logo, logo]);
  await page.getByRole("button", { name: "Delete photo 2" }).click();
  const question = page.getByRole("dialog", { name: "Delete this photo?" });
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("img", { name: "Photo 2" }).waitFor({ state: "detached" });
  await waitForHistoryCleanup(page);

  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await preview.getByRole("heading", { name: "Sisters’ Lawns" }).waitFor();
  await preview.getByText(WORDS).waitFor();
  await preview.getByText("Based in Marrickville NSW 2204").waitFor();
  await preview.getByRole("listitem").filter({ hasText: "Hedge and tree trimming" }).waitFor();
  await preview.locator("svg path.is-chosen").nth(1).waitFor();
  await expectFits(page, "the preview");
  await expectAccessible(page);
  await takePicture(page, "my-page-preview-360");
  await page.getByRole("button", { name: "Close" }).click();
  await preview.waitFor({ state: "detached" });
  await waitForHistoryCleanup(page);

  await page.getByRole("button", { name: "Save my page" }).click();
  await page.getByText("Only you can see your page for now.").waitFor();
  const address = `${fixture.product.url}/provider/sisters-lawns`;
  expect((await fetch(address)).status, "before the ABN's check").toBe(404);
  await fixture.product.db.update(users).set({ isVerified: true }).where(eq(users.id, owner.id));
  await page.reload();
  await page.getByRole("link", { name: "/provider/sisters-lawns" }).click();
  await page.getByRole("heading", { name: "Sisters’ Lawns", level: 1 }).waitFor();
  await expectAccessible(page);
  await page.getByRole("img", { name: "Work by Sisters’ Lawns, photo 1 of 1" }).waitFor();
  await takePicture(page, "provider-360");
  await page.getByText("Report this page").click();
  await expectFits(page, "the reasons of a report");
  await expectAccessible(page);
  await page.getByRole("button", { name: "It pretends to be another business" }).click();
  await page.getByText("Thank you. We’ll look at this page.").waitFor();
  // The browser reports the refused words.
  expect(errors).toEqual([expect.stringContaining("400 (Bad Request)")]);
});

test("over a failing connection, a photo, the form and the next page say so, and nothing is lost", async () => {
  const owner = await insertUser(fixture.product.db);
  const context = await openContext(fixture, PHONE);
  await signIn(context, fixture, owner.id);
  const page = await context.newPage();
  await openMyPage(page);

  // Leaving while a photo is being sent asks first.
  const logo = { name: "us.png", mimeType: "image/png", buffer: Buffer.from(pngPhoto(300, 300)) };
  const held = Promise.withResolvers<Route>();
  await page.route("**/api/photos/own/logo", (route) =>
    route.request().method() === "POST" ? held.resolve(route) : route.continue(),
  );
  await page.getByLabel("Add a logo or photo").setInputFiles(logo);
  const route = await held.promise;
  const [question] = await Promise.all([
    page.waitForEvent("dialog"),
    page.evaluate(() => setTimeout(() => location.reload())),
  ]);
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await route.abort();
  await page.getByText("We couldn’t send it. Please check your connection and try again.").waitFor();

  const words = page.getByLabel("About your business");
  await words.fill(WORDS);
  const suburb = page.getByLabel("Suburb where you're based");
  const save = page.getByRole("button", { name: "Save my page" });
  await context.setOffline(true);
  await suburb.fill("Leichh");
  await save.click();
  await page.getByText("We couldn't reach the server. Please try again.").first().waitFor();
  expect(await words.inputValue()).toBe(WORDS);
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await preview.getByText(WORDS).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await preview.waitFor({ state: "detached" });
  await waitForHistoryCleanup(page);

  // The server does not know this suburb, and suggests one.
  await context.setOffline(false);
  await save.click();
  await page.getByText("We don't know this suburb.", { exact: false }).waitFor();
  expect(await suburb.evaluate((field) => field === document.activeElement), "focused").toBe(true);
  await expectAccessible(page);
  await takePicture(page, "my-page-suburb-360");
  await page.getByRole("button", { name: "None of these" }).click();
  await page.getByText("We don't have that suburb.", { exact: false }).waitFor();
  expect(await suburb.inputValue()).toBe("");
  expect(await suburb.evaluate((field) => field === document.activeElement), "focused").toBe(true);
  await suburb.fill("Leichh");
  await suburb.blur();
  await page.getByRole("button", { name: "Leichhardt NSW 2040" }).click();
  await page.getByLabel("Inner West Council").waitFor();
  expect(await page.getByLabel("Inner West Council").isChecked()).toBe(true);
  expect(await page.getByText("Please select at least one council").count()).toBe(0);
  await save.click();
  await page.getByText("Only you can see your page.").waitFor();

  // A page that does not load leaves the app's bar and a way back.
  await page.route("**/receipts.data*", (request) => request.abort());
  await page.getByRole("button", { name: "Pat Provider" }).click();
  await page.getByRole("link", { name: "Receipts" }).click();
  await page.getByRole("heading", { name: "This page didn't load" }).waitFor();
  await page.getByText("Provider Portal").waitFor();
  await expectFits(page, "the failed page");
  await expectAccessible(page);
  await takePicture(page, "page-failed-360");
  await page.unroute("**/receipts.data*");
  await page.getByRole("link", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Receipts", level: 1 }).waitFor();
});

test("everyone reads a page without script, and the suburb's page links to it", async () => {
  const owner = await insertUser(fixture.product.db, { companyName: "Green Thumb" });
  await insertProfile(fixture.product.db, owner, { slug: "green-thumb" }, ["City of Canada Bay"]);
  await fixture.product.db.insert(providerChecks).values({
    id: "chk_greenthumb",
    businessId: owner.id,
    kind: "abn",
    state: "valid",
    seenOn: "2026-11-02",
    createdAt: Date.now(),
  });
  // No other test has a provider in this council or reads this page, so no cached one lacks ours.
  const page = await openWindow(fixture, PHONE);
  await page.goto("/location/drummoyne");
  await page.getByRole("heading", { name: "Providers who work in Drummoyne" }).waitFor();
  await expectFits(page, "the suburb's page");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Green Thumb" }).click();
  await page.getByRole("heading", { name: "Green Thumb", level: 1 }).waitFor();
  const html = await (await fetch(`${fixture.product.url}/provider/green-thumb`)).text();
  expect(html).toContain("Green Thumb</h1>");
  expect(html).not.toMatch(/<script[^>]* src=/);
  const gone = await fetch(`${fixture.product.url}/provider/no-such-page`);
  expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining("Business not found")]);
});
