/** One search across every stage and the market, from anywhere on the dashboard. */
import { expect, test } from "vitest";

import { insertPendingLead, insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { addPurchase } from "../testing/product/pipeline-helpers.ts";
import { expectSoon, openDashboard, openWindowAs, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

test("one search finds bought leads in every stage and leads for sale, and links to them", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db, { watchedRegions: ["inner-west"], services: ["landscaping"] });
  await addPurchase(fixture, owner, "called", "Quinn Called");
  await addPurchase(fixture, owner, "declined", "Quinn Declined");
  const words = { customerAddress: "4 Main Street, Leichhardt NSW 2040", specificRequests: "Quinn sent me" };
  const lead = await insertPendingLead(db, words, Date.now() - 60_000);
  await fixture.product.runSchedule();
  const page = await openWindowAs(fixture, owner.id, {
    viewport: { width: 390, height: 664 },
    hasTouch: true,
  });
  await openDashboard(page, "?view=today");

  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByLabel("Search all leads").fill("quinn");
  for (const group of ["Available", "Called", "Declined"]) {
    await dialog.getByRole("heading", { name: `${group} 1` }).waitFor();
  }
  await dialog.getByText("3 leads").waitFor();
  await expectFits(page, "search");
  await expectAccessible(page, "search");
  await dialog.getByRole("link", { name: /Quinn Declined/ }).click();
  await page.getByRole("heading", { name: "Quinn Declined" }).waitFor();
  await dialog.waitFor({ state: "detached" });

  // On a phone the open lead covers the header.
  await openDashboard(page);
  await page.getByRole("button", { name: "Search" }).click();
  await dialog.getByLabel("Search all leads").fill("2040 sent");
  await dialog
    .getByRole("region", { name: /^Available/ })
    .getByRole("button")
    .click();
  // The lead is for a service that this business does not offer, but the search still finds it.
  await expectSoon(
    () => page.evaluate(() => document.activeElement?.closest<HTMLElement>(".leads > li")?.dataset.lead),
    lead.id,
  );
  expect(await page.getByRole("dialog").count()).toBe(0);
});
