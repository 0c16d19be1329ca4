/** An admin cannot give away a lead that a buyer is paying for. Checks the messages that the admin sees. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { leads } from "../worker/tables.ts";
import type { OpenedPayment } from "../worker/selling/payments/commands.ts";
import { insertUser } from "../testing/world.ts";
import { insertBuyer, listLead, setUpCardFixture } from "../testing/product/card-fixture.ts";
import { openDashboard, openWindowAs, waitForHistoryCleanup } from "../testing/product/browser-fixture.ts";

const stage = await setUpCardFixture();

const HELD_MESSAGE = "A provider is paying for this lead right now. Try again in a few minutes.";

/** Creates a provider who holds a lead and then releases it. */
async function makeBuyer() {
  const { product } = stage;
  const call = await product.callerFor((await insertBuyer(stage)).id);
  return {
    async hold(leadId: string): Promise<string> {
      const response = await call("POST", "/api/create-payment-intent", { leadId, amount: 5000 });
      expect(response.status).toBe(200);
      return ((await response.json()) as OpenedPayment).holdId;
    },
    letGo: (holdId: string) => call("DELETE", `/api/exchange/holds/${holdId}`),
  };
}

const card = (page: Page, words: string) => page.getByRole("listitem").filter({ hasText: words });
const dialog = (page: Page) => page.getByRole("dialog");

/** Waits for a toast and returns all of its text. */
async function toast(page: Page, title: string): Promise<string> {
  const shown = page.locator(".toasts").filter({ hasText: title });
  await shown.waitFor();
  return shown.innerText();
}

test("an admin who claims a lead just as a provider starts to pay sees why it fails, and the lead stays", async () => {
  const admin = await insertUser(stage.product.db, { isSuperAdmin: true });
  const page = await openWindowAs(stage, admin.id);
  const leadId = await listLead(stage, "Held while claimed");
  const payer = await makeBuyer();
  await openDashboard(page);
  const item = card(page, "Held while claimed");
  await page.route("**/api/super-admin/claim-lead/**", async (route) => {
    await payer.hold(leadId);
    await route.continue();
  });
  await item.getByRole("button", { name: "Claim Free" }).click();
  await dialog(page).getByRole("button", { name: "Claim Lead" }).click();
  expect(await toast(page, "Failed to Claim Lead")).toContain(HELD_MESSAGE);
  await item.getByText(/^Being bought/).waitFor();
  expect(await item.getByRole("button", { name: "Claim Free" }).count()).toBe(0);
});

test("moving or withdrawing a held lead is refused with an explanation; after a release the lead moves, then leaves", async () => {
  const admin = await insertUser(stage.product.db, { isSuperAdmin: true });
  const page = await openWindowAs(stage, admin.id);
  const leadId = await listLead(stage, "Held against an admin");
  const payer = await makeBuyer();
  const holdId = await payer.hold(leadId);
  const stored = async () => (await stage.product.db.select().from(leads).where(eq(leads.id, leadId)))[0]!;
  await page.goto(`/admin/leads?q=${leadId}`);
  const open = (action: string) => page.getByRole("button", { name: action, exact: true }).click();
  const confirm = (action: string) => dialog(page).getByRole("button", { name: action }).click();

  await open("Move");
  await dialog(page).getByLabel("New region").selectOption("blacktown");
  await confirm("Move");
  expect(await toast(page, "Failed to move lead")).toContain(HELD_MESSAGE);
  await page.reload();
  await open("Withdraw");
  await confirm("Withdraw");
  await dialog(page).getByText("Please say why").waitFor();
  await dialog(page).getByLabel("Why").fill("Asked us to stop");
  await confirm("Withdraw");
  expect(await toast(page, "Failed to withdraw lead")).toContain(HELD_MESSAGE);
  expect(await stored()).toMatchObject({
    status: "available",
    listingState: "listed",
    region: "inner-west",
  });

  expect((await payer.letGo(holdId)).ok).toBe(true);
  await page.reload();
  await open("Move");
  await dialog(page).getByLabel("New region").selectOption("blacktown");
  await confirm("Move");
  await toast(page, "Lead moved");
  expect((await stored()).region).toBe("blacktown");
  await waitForHistoryCleanup(page);
  await page.reload();
  const buyer = await insertBuyer(stage, { watchedRegions: ["blacktown"] });
  const theirs = await openWindowAs(stage, buyer.id);
  await openDashboard(theirs);
  const buy = card(theirs, "Held against an admin").getByRole("button", { name: /^Buy/ });
  await buy.waitFor();
  await open("Withdraw");
  await dialog(page).getByLabel("Why").fill("Asked us to stop");
  await confirm("Withdraw");
  await toast(page, "Lead withdrawn");
  await buy.waitFor({ state: "detached" });
});
