/** An admin hides a review and a provider's page, and shows them again. Everyone else sees each change. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { DAY_MS } from "../contract/durations.ts";
import { insertReviewedSale } from "../testing/clocked-sales.ts";
import { textBlocks } from "../testing/page-text.ts";
import {
  openWindow,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
  takePicture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";
import { collectPageErrors, expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { insertProfile, insertUser, sessionCookie } from "../testing/world.ts";
import { createRequestLink } from "../worker/leads/request-link-store.ts";
import { reviews } from "../worker/tables.ts";

const fixture = setUpFixture(OWN_PRODUCT);
const PHONE = { viewport: { width: 360, height: 740 } };
const RULE = "It insults or threatens someone";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Opens a window as a super admin, at desk size. */
async function openAdmin() {
  const admin = await insertUser(fixture.product.db, { isSuperAdmin: true, firstName: "Alex" });
  return openWindowAs(fixture, admin.id);
}

/** Returns a page's text without a browser, as a visitor or a user reads it. */
async function textOf(path: string, userId?: string): Promise<string> {
  const { url, db } = fixture.product;
  const headers = { Cookie: userId ? await sessionCookie(db, userId) : "" };
  const html = await (await fetch(url + path, { headers })).text();
  return textBlocks(html).join("\n");
}

test("a hidden review leaves the provider's page and its mean, with the rule, and comes back", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db, { companyName: "Honest Hedges" });
  await insertProfile(db, owner, { slug: "honest-hedges" });
  const writtenAt = Date.now() - DAY_MS;
  await insertReviewedSale(db, owner, { writtenAt, stars: 5, words: "Lovely hedge." });
  const rude = await insertReviewedSale(db, owner, { writtenAt, stars: 2, words: "What a clown." });
  const [review] = await db.select().from(reviews).where(eq(reviews.id, rude));
  const token = await createRequestLink(db, review!.leadId, Date.now());
  expect(await textOf("/provider/honest-hedges")).toContain("3.5 out of 5 from 2 reviews");

  const desk = await openAdmin();
  const errors = collectPageErrors(desk);
  await desk.goto("/admin?show=reviews");
  await desk.getByText("No reviews to check.").waitFor();
  await desk.getByLabel("Show").selectOption({ label: "All" });
  const row = desk.getByRole("row").filter({ hasText: "What a clown." });
  await row.getByRole("button", { name: "Hide the review of Honest Hedges" }).click();
  const dialog = desk.getByRole("dialog", { name: "Hide this review?" });
  expect(await button(desk, "Hide review").isDisabled(), "no rule is chosen").toBe(true);
  await takePicture(desk, "hide-review");
  await expectAccessible(desk);
  await dialog.getByLabel(RULE).check();
  await button(desk, "Hide review").click();
  await row.getByText(RULE).waitFor();
  await waitForHistoryCleanup(desk);

  const without = await textOf("/provider/honest-hedges");
  expect(without).toContain("5.0 out of 5 from one review");
  expect(without).toContain("One review is hidden because of our rules.");
  expect(without).not.toContain("What a clown.");
  expect(await textOf("/reviews")).toContain(`${RULE}: 1 hidden.`);
  const customer = await openWindow(fixture, PHONE);
  await customer.goto(`/review/${token}`);
  await customer.getByText(`We’ve hidden this review. ${RULE}.`, { exact: false }).waitFor();
  await takePicture(customer, "hidden-review-customer");
  await expectFits(customer, "the customer's review");
  const provider = await openWindowAs(fixture, owner.id, PHONE);
  await provider.goto("/my-reviews");
  await provider.getByText(`We’ve hidden this review. ${RULE}.`).waitFor();

  await desk.getByLabel("Show").selectOption({ label: "Hidden" });
  // Wait until the new list has replaced the old one: a row that moves during a press gets no click.
  await desk.getByText("Lovely hedge.").waitFor({ state: "detached" });
  await row.getByRole("button", { name: "Show the review of Honest Hedges" }).click();
  await desk.getByText("None yet.").waitFor();
  const again = await textOf("/provider/honest-hedges");
  expect(again).toContain("3.5 out of 5 from 2 reviews");
  expect(again).toContain("What a clown.");
  expect(again).not.toContain("hidden because of our rules");
  expect(errors).toEqual([]);
});

test("a provider's page that an admin takes offline is gone until it is put back", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db, { companyName: "Loud Lawns" });
  await insertProfile(db, owner, { slug: "loud-lawns" });
  const statusOf = async () => {
    const response = await fetch(`${fixture.product.url}/provider/loud-lawns`);
    await response.body?.cancel();
    return response.status;
  };
  expect(await statusOf()).toBe(200);

  const desk = await openAdmin();
  await desk.goto(`/admin/providers/${owner.id}`);
  await desk.getByRole("link", { name: "/provider/loud-lawns" }).waitFor();
  await button(desk, "Take page offline").click();
  await button(desk, "Take offline").click();
  await desk.getByText("Please say why").waitFor();
  await desk.getByLabel("Why").fill("The words name another business.");
  await expectAccessible(desk);
  await button(desk, "Take offline").click();
  await desk.getByText("An admin took it offline: The words name another business.").waitFor();
  await waitForHistoryCleanup(desk);
  expect(await statusOf()).toBe(404);
  expect(await textOf("/my-page", owner.id)).toContain("The words name another business.");

  await button(desk, "Put page back").click();
  await desk.getByRole("link", { name: "/provider/loud-lawns" }).waitFor();
  expect(await statusOf()).toBe(200);
  const log = desk.getByRole("table", { name: "Log of this provider" });
  await log
    .getByText(/page|profile/i)
    .first()
    .waitFor();
});
