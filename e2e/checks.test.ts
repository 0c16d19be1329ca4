/** The checks behind "verified": the business sends them, an admin decides, and the customer reads what was checked. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { addDays, formatLongDay, sydneyDay } from "../contract/sydney-time.ts";
import { insertManualPurchase, insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  openWindow,
  openWindowAs,
  setUpFixture,
  takePicture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";
import { createRequestLink } from "../worker/leads/request-link-store.ts";
import { leadPurchases, providerChecks, users } from "../worker/tables.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };
const PDF = { name: "certificate.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\nCover") };

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const part = (page: Page, name: string) => page.getByRole("region", { name });

async function openChecks(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.getByRole("heading", { name: "Public liability insurance" }).waitFor();
}

test("a business sends its checks on a phone, an admin approves them, and its customer reads them", async () => {
  const { db } = fixture.product;
  const user = await insertUser(db, { companyName: "Checked Lawns", abn: "51 824 753 557" });
  const page = await openWindowAs(fixture, user.id, PHONE);
  await openChecks(page);
  await page.getByText("We still need your ABN, public liability insurance and police check.").waitFor();
  await takePicture(page, "checks-empty");
  await press(page, "Send ABN");
  await page.getByText("That's not an ABN. Please check its 11 digits.").waitFor();
  await page.getByLabel("Your ABN").fill("51 824 753 556");
  await press(page, "Send ABN");
  await part(page, "ABN").getByText("We’re checking it").waitFor();
  await press(page, "Ask Us to Look at It");
  await part(page, "Police check").getByText("We’re checking it").waitFor();

  const insurance = part(page, "Public liability insurance");
  await press(page, "Send Certificate");
  await insurance.getByText("Please choose your certificate").waitFor();
  await insurance.getByLabel("Policy number").fill("PL-77");
  await insurance.getByLabel("Last day").fill("2099-12-31");
  await insurance
    .getByLabel("Certificate")
    .setInputFiles({ ...PDF, name: "a.svg", mimeType: "image/svg+xml" });
  await press(page, "Send Certificate");
  await insurance.getByText("Please choose a PDF, JPEG or PNG file").waitFor();
  await insurance
    .getByLabel("Certificate")
    .setInputFiles({ ...PDF, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) });
  await press(page, "Send Certificate");
  await insurance.getByText("This file is larger than 10 MB. Please choose a smaller one.").waitFor();
  await takePicture(page, "checks-form");
  await expectAccessible(page);
  await insurance.getByLabel("Certificate").setInputFiles(PDF);
  await press(page, "Send Certificate");
  await insurance.getByText("We’re checking it").waitFor();
  await expectFits(page, "the checks");
  await expectAccessible(page);

  const admin = await insertUser(db, { isSuperAdmin: true });
  const adminPage = await openWindowAs(fixture, admin.id);
  await adminPage.goto("/admin?show=checks");
  await adminPage.getByRole("link", { name: "Checks 3 waiting" }).waitFor();
  const [download] = await Promise.all([
    adminPage.waitForEvent("download"),
    adminPage.getByRole("link", { name: "Download the certificate" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^insurance-chk_\w+\.pdf$/);
  await takePicture(adminPage, "checks-admin");
  await expectAccessible(adminPage);
  for (const name of ["ABN", "public liability insurance", "police check"]) {
    await press(adminPage, `Approve the ${name} of Checked Lawns`);
    if (name === "police check") await takePicture(adminPage, "checks-approve");
    await press(adminPage, "Approve check");
    // The list reloads after the dialog has closed, and its rows move.
    await adminPage
      .getByRole("button", { name: `Approve the ${name} of Checked Lawns` })
      .waitFor({ state: "detached" });
  }
  await adminPage.getByText("No checks are waiting.").waitFor();
  await expectSoon(
    async () => (await db.select().from(users).where(eq(users.id, user.id)))[0]!.isVerified,
    true,
  );

  await waitForHistoryCleanup(adminPage);
  await adminPage.goto(`/admin/providers/${user.id}`);
  const checks = adminPage.getByRole("region", { name: "Checks" });
  const line = (name: string) => checks.getByRole("listitem").filter({ hasText: name });
  await line("Public liability insurance").getByText("valid until 31 December 2099").waitFor();
  await line("ABN").getByText("51 824 753 556").waitFor();
  await line("Police check").getByText("Valid", { exact: true }).waitFor();
  await line("Contractor licence").getByText("Nothing sent").waitFor();
  await takePicture(adminPage, "checks-provider-page");
  await adminPage.setViewportSize(PHONE.viewport);
  await expectFits(adminPage, "the provider's page");
  await takePicture(adminPage, "checks-provider-page-360");

  await openChecks(page);
  await page.getByText("Your business is verified. Customers see what we’ve checked, and when.").waitFor();
  await takePicture(page, "checks-verified");
  const today = formatLongDay(sydneyDay(Date.now()));
  await insurance.getByText(`Valid until 31 December 2099`).waitFor();

  const soon = addDays(sydneyDay(Date.now()), 20);
  await db.update(providerChecks).set({ endsOn: soon }).where(eq(providerChecks.kind, "police"));
  await page.goto("/dashboard?tab=leads");
  await page.getByText(`Your police check expires on ${formatLongDay(soon)}.`).waitFor();
  await takePicture(page, "checks-notice");
  await expectAccessible(page);

  const purchaseId = await insertManualPurchase(db, user, { stage: "called", startedAt: Date.now() });
  const [purchase] = await db.select().from(leadPurchases).where(eq(leadPurchases.id, purchaseId));
  const customer = await openWindow(fixture, PHONE);
  await customer.goto(`/request/${await createRequestLink(db, purchase!.leadId, Date.now())}`);
  await customer.getByText(`ABN: checked on ${today}`).waitFor();
  await customer
    .getByText(`Public liability insurance: seen on ${today}, valid until 31 December 2099`)
    .waitFor();
  await takePicture(customer, "checks-customer");
  await expectFits(customer, "the request's page");
  await expectAccessible(customer);
});

test("a business reads why an admin declined a check, and that another one ended with the changed ABN", async () => {
  const { db } = fixture.product;
  const user = await insertUser(db, { companyName: "Declined Lawns", abn: "51 824 753 556" });
  const check = { id: "chk_declinedlawns", businessId: user.id, kind: "abn", state: "valid" } as const;
  const seenOn = sydneyDay(Date.now());
  await db.insert(providerChecks).values({ ...check, number: "51824753556", seenOn, createdAt: Date.now() });
  const page = await openWindowAs(fixture, user.id, PHONE);
  await openChecks(page);
  await page.getByLabel("Licence number").fill("123456C");
  await press(page, "Send Licence");
  await part(page, "Contractor licence").getByText("We’re checking it").waitFor();
  const admin = await insertUser(db, { isSuperAdmin: true });
  const adminPage = await openWindowAs(fixture, admin.id, PHONE);
  await adminPage.goto("/admin?show=checks");
  await press(adminPage, "Decline the contractor licence of Declined Lawns");
  await press(adminPage, "Decline check");
  await adminPage.getByText("Please say why").waitFor();
  await adminPage.getByLabel("Why (the provider will read it)").fill("This licence has another holder.");
  await takePicture(adminPage, "checks-decline");
  await press(adminPage, "Decline check");
  await adminPage.getByText("Check declined").first().waitFor();

  await page.getByRole("textbox", { name: /^ABN/ }).fill("53 004 085 616");
  await press(page, "Save changes");
  await page.getByText("Personal information updated").first().waitFor();
  await openChecks(page);
  const licence = part(page, "Contractor licence");
  await licence.getByText("We couldn’t accept it").waitFor();
  expect(await licence.getByText("Not accepted").count()).toBe(1);
  await licence.getByText("We couldn’t accept it: This licence has another holder.").waitFor();
  const abn = part(page, "ABN");
  await abn.getByText("It ended when you changed your ABN. Please send us the new one.").waitFor();
  expect(await abn.getByLabel("Your ABN").inputValue()).toBe("53 004 085 616");
  await takePicture(page, "checks-abn-ended");
  await expectFits(page, "the ended check");
  await press(page, "Send ABN");
  await abn.getByText("We’re checking it").waitFor();
});
