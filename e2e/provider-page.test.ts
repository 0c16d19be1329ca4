/** A provider's page in a browser: all details, and an admin's actions on the account. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { leadPurchases, payments } from "../worker/tables.ts";
import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  openWindowAs,
  setUpFixture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";
import { insertManualPurchase, insertPayment, insertTeamMember, insertUser } from "../testing/world.ts";

const fixture = setUpFixture();

/** Creates a provider with a team, one purchase by card and one lead added by hand. */
async function makeProvider() {
  const { db } = fixture.product;
  const provider = await insertUser(db, {
    firstName: "Quin",
    lastName: "Quokka",
    companyName: "Quokka Quality Lawns",
    businessAddress: "7 Wattle Road, Leichhardt NSW 2040",
  });
  await insertTeamMember(db, provider, { firstName: "Tess", lastName: "Team" });
  await insertManualPurchase(db, provider, { stage: "called", startedAt: Date.now() });
  const id = await insertManualPurchase(db, provider, { stage: "quote_sent", startedAt: Date.now() });
  const [row] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, id));
  const paymentId = await insertPayment(db, provider, row!.leadId, { lastError: "card_declined" });
  const [payment] = await db.select().from(payments).where(eq(payments.id, paymentId));
  const bought = { mode: "stripe" as const, amountPaidCents: 5000 };
  await db
    .update(leadPurchases)
    .set({ ...bought, paymentIntentId: payment!.stripePaymentIntentId })
    .where(eq(leadPurchases.id, id));
  return { provider, leadId: row!.leadId, paymentId };
}

test("an admin reads all about a provider on one page, writes a note and follows its links", async () => {
  const { provider, leadId, paymentId } = await makeProvider();
  const admin = await insertUser(fixture.product.db, { isSuperAdmin: true });
  const page = await openWindowAs(fixture, admin.id);
  const errors = collectPageErrors(page);
  await page.goto("/admin/providers");
  await page.getByLabel("Search").fill("quokka");
  // The found rows replace the earlier ones, and a click in that moment would be lost.
  await page.getByRole("heading", { name: "All Providers (1)" }).waitFor();
  await page.getByRole("link", { name: "Quin Quokka" }).click();
  await page.getByRole("heading", { name: "Quokka Quality Lawns", level: 1 }).waitFor();
  await page.getByText("7 Wattle Road", { exact: false }).waitFor();
  await page.getByText("Tess Team").waitFor();
  const leads = page.getByRole("table", { name: "Leads of this provider" });
  await leads.getByText("Quote sent").waitFor();
  await page
    .getByRole("table", { name: "Payments of this provider" })
    .getByRole("button", { name: /^Refund/ })
    .waitFor();
  await expectSoon(() => page.getByText(/^Loading/).count(), 0);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectFits(page, `the provider's page at ${width}`);
    await expectAccessible(page, `the provider's page at ${width}`);
  }

  await page.getByLabel("A note").fill("Rings back within the hour");
  await page.getByRole("button", { name: "Save note" }).click();
  await page.getByRole("listitem").filter({ hasText: "Rings back within the hour" }).waitFor();
  await page.getByRole("table", { name: "Log of this provider" }).getByText("User note").waitFor();

  // This product has no Stripe, so the refund fails with a message and nothing changes.
  await page.getByRole("button", { name: /^Refund the payment/ }).click();
  await page.getByLabel("Why").fill("The number belongs to someone else");
  await page.getByRole("button", { name: "Refund $50.00" }).click();
  await page.getByText("Failed to refund", { exact: true }).first().waitFor();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Back|Cancel/ })
    .click();
  await waitForHistoryCleanup(page);

  await leads.getByRole("link", { name: "$50.00" }).click();
  await page.getByRole("heading", { name: "Payments", level: 1 }).waitFor();
  await page.locator(".badge").getByText("Succeeded", { exact: true }).waitFor();
  // A payment that has succeeded does not show an earlier attempt's error.
  expect(
    await page
      .getByText(/card.declined/i)
      .filter({ visible: true })
      .count(),
  ).toBe(0);
  expect(await page.getByText(paymentId).filter({ visible: true }).count()).toBe(0);
  await page.getByText("Show IDs").click();
  await page.getByRole("link", { name: leadId, exact: true }).click();
  await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  await page.getByRole("link", { name: `Log of ${leadId}` }).click();
  await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
  expect(await page.getByLabel("Person or item ID").inputValue()).toBe(leadId);
  await page.goto(`/admin/audit?q=${provider.id}`);
  await page.getByText("No entries match.").waitFor();
  await page.goto(`/admin/payments?q=${paymentId}`);
  await page.getByRole("link", { name: "Quokka Quality Lawns" }).waitFor();
  await expectAccessible(page, "the payments");
  await page.getByRole("link", { name: "To decide" }).click();
  await page.getByRole("heading", { name: "What needs attention" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Quokka Quality Lawns" }).click();
  await page.getByRole("heading", { name: "Quokka Quality Lawns", level: 1 }).waitFor();
  // The console also logs the failed refund.
  expect(errors.filter((text) => !text.includes("/refund"))).toEqual([]);
});

test("a search does not cancel the navigation of a click", async () => {
  const { provider } = await makeProvider();
  const admin = await insertUser(fixture.product.db, { isSuperAdmin: true });
  const page = await openWindowAs(fixture, admin.id);
  const { promise: isSearched, resolve: search } = Promise.withResolvers<void>();
  await page.route("**/assets/provider-page*", async (route) => {
    await isSearched;
    await route.continue();
  });
  await page.clock.install();
  await page.goto("/admin/providers");
  const link = page.locator(`a[href="/admin/providers/${provider.id}"]`).first();
  await link.waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByLabel("Search").fill("quokka");
  await link.click();
  // The pause ends after which the address follows the search.
  await page.clock.runFor(1_000);
  search();
  await page.clock.resume();
  await page.getByRole("heading", { name: "Quokka Quality Lawns", level: 1 }).waitFor();
  expect(new URL(page.url()).search).toBe("");
});
