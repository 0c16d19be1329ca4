/** Free claims by two rules of the guarantee, one over the cap and one contested, on three people's screens. */
import { and, eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { DAY_MS, HOUR_MS } from "../contract/durations.ts";
import { insertClockedSale } from "../testing/clocked-sales.ts";
import {
  type BrowserFixture,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
  takePicture,
} from "../testing/product/browser-fixture.ts";
import { expectAccessible } from "../testing/product/page-checks.ts";
import { detail, openLead } from "../testing/product/pipeline-helpers.ts";
import { insertUser } from "../testing/world.ts";
import { createRequestLink } from "../worker/leads/request-link-store.ts";
import { contactLog, guaranteeCases, leadPurchases } from "../worker/tables.ts";
import type { UserRow } from "../worker/platform/caller.ts";

const fixture: BrowserFixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Stores a three-day-old sale with a running call clock. Opens the customer's page without a script. */
async function sell(buyer: UserRow, customerName: string) {
  const { db } = fixture.product;
  const now = Date.now();
  const times = { purchasedAt: now - 3 * DAY_MS, clockEndsAt: now + HOUR_MS };
  const purchaseId = await insertClockedSale(db, buyer, times, { customerName });
  const [{ leadId }] = (await db
    .select({ leadId: leadPurchases.leadId })
    .from(leadPurchases)
    .where(eq(leadPurchases.id, purchaseId))) as [{ leadId: string }];
  const token = await createRequestLink(db, leadId, now);
  const customer = await openWindow(fixture, { ...PHONE, javaScriptEnabled: false });
  await customer.goto(`/request/${token}`);
  return { purchaseId, customer };
}

/** Logs three calls without an answer, the first 49 hours ago. */
async function tryInVain(phone: Page, purchaseId: string) {
  const headers = { Origin: fixture.product.url };
  for (const hours of [49, 20, 0]) {
    const at = Date.now() - hours * HOUR_MS;
    const data = { outcome: "no_answer", entryKey: crypto.randomUUID(), at };
    const sent = await phone.request.post(`/api/lead-purchases/${purchaseId}/contacts`, { data, headers });
    expect(sent.status(), await sent.text()).toBe(200);
    // As if the entry had reached us then: the rule counts from entry to entry.
    const isNewest = and(eq(contactLog.purchaseId, purchaseId), eq(contactLog.at, at));
    await fixture.product.db.update(contactLog).set({ loggedAt: at }).where(isNewest);
  }
}

async function press(page: Page, name: string) {
  await button(page, name).click();
  await page.waitForLoadState();
}

/** Opens a lead's details from the list and waits for a text about its case. */
async function expectCase(phone: Page, name: string, text: string | RegExp) {
  await openDashboard(phone, "?tab=leads");
  await openLead(phone, name);
  await detail(phone).getByText(text).waitFor();
}

/** Closes a lead's details, opens another's and waits for a text about its case. */
async function expectNextCase(phone: Page, name: string, text: string | RegExp) {
  await detail(phone).getByRole("button", { name: "Close" }).click();
  await openLead(phone, name);
  await detail(phone).getByText(text).waitFor();
}

test("a wrong number and missed calls give free claims; one over the cap and a contested one are decided by a person", async () => {
  const { db } = fixture.product;
  const provider = await insertUser(db, { isVerified: true, companyName: "Green Lawns" });
  // With these, two free claims are a fifth of ten leads.
  for (let n = 0; n < 6; n++)
    await insertClockedSale(db, provider, { purchasedAt: Date.now() - 30 * DAY_MS });
  const wrong = await sell(provider, "Wanda Wrong");
  const missed = await sell(provider, "Mia Missed");
  const objecting = await sell(provider, "Otto Objects");
  const capped = await sell(provider, "Cara Capped");
  const phone = await openWindowAs(fixture, provider.id, PHONE);
  await tryInVain(phone, missed.purchaseId);
  await tryInVain(phone, objecting.purchaseId);

  await wrong.customer.getByText("This isn’t my number", { exact: true }).click();
  await takePicture(wrong.customer, "guarantee-wrong-number");
  await press(wrong.customer, "It’s Not My Number");
  await wrong.customer.getByText(/^We’ve let Green Lawns know that the number is wrong\./).waitFor();
  await expectCase(phone, "Wanda Wrong", /If the number isn't corrected by/);
  // The clock ends.
  await db
    .update(guaranteeCases)
    .set({ dueAt: Date.now() })
    .where(eq(guaranteeCases.purchaseId, wrong.purchaseId));

  await missed.customer.reload();
  await missed.customer.getByRole("heading", { name: "Did you miss calls from Green Lawns?" }).waitFor();
  await takePicture(missed.customer, "guarantee-missed");
  await press(missed.customer, "Yes, I Missed Them");
  await objecting.customer.reload();
  await press(objecting.customer, "No, That’s Wrong");
  await fixture.product.runSchedule();

  await expectCase(phone, "Mia Missed", "No answer to your calls:");
  await detail(phone).getByText("You got a free claim.").waitFor();
  await takePicture(phone, "guarantee-granted");
  await expectAccessible(phone);
  await expectNextCase(phone, "Wanda Wrong", "Wrong number:");
  await detail(phone).getByText("You got a free claim.").waitFor();
  await phone.getByText("2 free claims", { exact: true }).waitFor({ state: "attached" });

  await capped.customer.getByText("Call off the job", { exact: true }).click();
  await press(capped.customer, "Yes, Call It Off");
  await fixture.product.runSchedule();
  await expectCase(phone, "Cara Capped", /over your limit for free claims: 20%/);

  await expectNextCase(phone, "Otto Objects", /The customer says that isn't what happened/);
  await takePicture(phone, "guarantee-refused");
  await button(phone, "Contest this decision").click();
  await button(phone, "Contest").last().click();
  await phone.getByText("Please say why").waitFor();
  await phone.getByLabel("What did we get wrong?").fill("My phone's list shows all three calls.");
  await expectAccessible(phone);
  await button(phone, "Contest").last().click();
  await detail(phone).getByText("You've contested our decision.", { exact: false }).waitFor();

  const admin = await insertUser(db, { isSuperAdmin: true, firstName: "Alex", lastName: "Admin" });
  const desk = await openWindowAs(fixture, admin.id);
  await desk.goto("/admin?show=free-claims");
  await desk.getByText("“My phone's list shows all three calls.”").waitFor();
  await expectAccessible(desk);
  await takePicture(desk, "guarantee-admin");
  const row = (text: string) => desk.getByRole("row").filter({ hasText: text });
  await row("For you to decide").getByRole("button", { name: "Refuse" }).click();
  await desk.getByLabel("Message to the provider").fill("Two are enough.");
  await button(desk, "Refuse").last().click();
  await desk.getByText("Free claim refused").first().waitFor();
  await row("Contested").getByRole("button", { name: "Grant" }).click();
  await button(desk, "Grant").last().click();
  await desk.getByText("Nothing to decide.").waitFor();

  await expectCase(phone, "Cara Capped", "Two are enough.");
  await button(phone, "Contest this decision").waitFor();
  await expectNextCase(phone, "Otto Objects", "You got a free claim.");
  await phone.getByText("3 free claims", { exact: true }).waitFor({ state: "attached" });
});
