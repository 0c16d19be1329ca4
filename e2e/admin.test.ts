/** A super admin's tasks in a browser: running the market and impersonating a provider. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { chooseInMenu } from "../testing/product/pipeline-helpers.ts";
import {
  auditLog,
  freeClaims,
  leadPurchases,
  messages,
  messageStops,
  photos,
  users,
} from "../worker/tables.ts";
import {
  insertBooking,
  insertManualPurchase,
  insertPendingLead,
  insertReview,
  insertTeamMember,
  insertUser,
  sessionCookie,
} from "../testing/world.ts";
import { textBlocks } from "../testing/page-text.ts";
import { pngPhoto } from "../testing/photos.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  blockRequests,
  expectSoon,
  openDashboard,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
  takePicture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

const makeUser = (overrides: Parameters<typeof insertUser>[1] = {}) =>
  insertUser(fixture.product.db, overrides);
const makeAdmin = () =>
  makeUser({ isSuperAdmin: true, firstName: "Alex", lastName: "Admin", companyName: "Head Office" });

/** Creates a super admin and opens a window for them. */
async function openAdmin() {
  const admin = await makeAdmin();
  return { admin, page: await openWindowAs(fixture, admin.id) };
}

/** Inserts a pending lead and runs the sweep, which lists it. */
async function listLead(words: string) {
  const lead = await insertPendingLead(fixture.product.db, { specificRequests: words }, Date.now() - 60_000);
  await fixture.product.runSchedule();
  return lead;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page) => page.getByRole("dialog");
const card = (page: Page, words: string) => page.getByRole("listitem").filter({ hasText: words });

async function expectToast(page: Page, title: string): Promise<void> {
  await page.getByText(title, { exact: true }).first().waitFor();
}

async function purchaseOf(leadId: string) {
  const [row] = await fixture.product.db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  return row;
}

/** Opens an admin page and waits until it has loaded. */
async function openAdminPage(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await expectSoon(() => page.getByText(/^Loading/).count(), 0);
}

test("an admin sees every detail of a lead, claims one for free, and assigns another to a provider found by name", async () => {
  const { admin, page } = await openAdmin();
  const provider = await makeUser({ companyName: "Quokka Quality Lawns" });
  await makeUser({ companyName: "Possum Pruning" });
  const [claimed, given] = [await listLead("Claim me for nothing"), await listLead("Give me away")];
  await openDashboard(page);
  const item = card(page, "Claim me for nothing");
  for (const detail of ["Anna Brown", "anna.brown@example.com", "12 Banksia Street"]) {
    await item.getByText(detail).first().waitFor();
  }
  await item.getByRole("button", { name: "Claim Free" }).click();
  await expectAccessible(page);
  await dialog(page)
    .getByText(/Your own business gets this lead .* You can't undo this/)
    .waitFor();
  await button(page, "Cancel").click();
  expect(await purchaseOf(claimed.id)).toBeUndefined();
  await item.getByRole("button", { name: "Claim Free" }).click();
  await button(page, "Claim Lead").click();
  await expectToast(page, "Lead Claimed");
  await item.getByRole("button", { name: "Claim Free" }).waitFor({ state: "detached" });
  expect(await purchaseOf(claimed.id)).toMatchObject({
    buyerId: admin.id,
    mode: "claimed",
    amountPaidCents: 0,
    paymentStatus: "completed",
  });

  await card(page, "Give me away").getByRole("button", { name: "Assign" }).click();
  const search = dialog(page).getByLabel("Assign to");
  const option = (name: RegExp) => dialog(page).getByRole("radio", { name });
  const assign = button(page, "Assign Lead to Quokka Quality Lawns");
  await search.fill("quokka");
  await option(/Quokka Quality Lawns/).check();
  await assign.waitFor();
  await expectAccessible(page);
  // A selected provider who no longer matches the search is deselected.
  await search.fill("possum");
  await option(/Possum Pruning/).waitFor();
  await expectSoon(() => button(page, /^Assign Lead$/).isDisabled(), true);
  await search.fill("");
  await option(/Quokka Quality Lawns/).check();
  await assign.click();
  await expectToast(page, "Lead Assigned");
  await expectSoon(async () => (await purchaseOf(given.id))?.buyerId, provider.id);
});

test("an admin impersonates a provider under a permanent banner, then returns", async () => {
  const { admin, page } = await openAdmin();
  const provider = await makeUser({
    firstName: "Ivy",
    lastName: "Impersonated",
    companyName: "Ivy's Hedges",
  });
  await listLead("Masked for Ivy");
  await openDashboard(page);
  await button(page, /^Impersonate$/).click();
  await dialog(page).getByLabel("Whose account?").fill("ivy");
  await dialog(page)
    .getByRole("radio", { name: /Ivy's Hedges/ })
    .check();
  await button(page, "Impersonate Ivy Impersonated").click();

  const banner = page.getByRole("complementary", { name: "Impersonation" });
  await banner.waitFor();
  await expectToast(page, "Impersonation Started");
  expect(await banner.innerText()).toContain("You are impersonating Ivy Impersonated");
  await page.locator('.connection[data-state="live"]').waitFor();
  for (const width of [360, 641, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { height } = (await banner.boundingBox())!;
    const top = await page.locator(".bar").evaluate((bar) => Number.parseFloat(getComputedStyle(bar).top));
    expect(height, `the bar sticks right below the banner, ${width} px wide`).toBe(top);
  }
  // While impersonating, the admin has only the provider's rights: no unmasked details, purchases or admin
  // pages.
  await card(page, "Masked for Ivy").getByText("Anna B.").waitFor();
  expect(await card(page, "Masked for Ivy").getByRole("button").count()).toBe(0);
  expect(await button(page, /^Impersonate$/).count()).toBe(0);
  await expectAccessible(page);
  const denied = await page.request.get("/admin/providers");
  expect(denied.status()).toBe(403);
  for (const text of ["Access Denied", "Super admin access required", "You are impersonating"])
    expect(await denied.text()).toContain(text);
  const settings = await (await page.request.get("/settings")).text();
  expect(settings).toContain(">Checks<");
  expect(settings).not.toContain("Close your account");

  await button(page, "Stop Impersonating").click();
  await expectToast(page, "Impersonation Stopped");
  await button(page, /^Impersonate$/).waitFor();
  expect(await banner.count()).toBe(0);
  const lines = await fixture.product.db.select().from(auditLog).where(eq(auditLog.subjectId, provider.id));
  expect(lines).toMatchObject([
    { action: "impersonation.start", actorUserId: admin.id, asUserId: provider.id },
    { action: "impersonation.stop", actorUserId: admin.id, asUserId: provider.id },
  ]);
});

test("an impersonating admin is offered nothing that the server refuses, and reads why", async () => {
  const { page } = await openAdmin();
  const { db } = fixture.product;
  const provider = await makeUser({ companyName: "Ivy's Hedges", abn: "51 824 753 556" });
  await insertTeamMember(db, provider, { firstName: "Sam", lastName: "Mate" });
  const id = await insertManualPurchase(db, provider, { stage: "called", startedAt: Date.now() });
  await insertManualPurchase(db, provider, { stage: "called", startedAt: Date.now() });
  const photo = { width: 4, height: 3, bytes: 1, createdAt: 1, businessId: provider.id };
  await db.insert(photos).values([
    { id: "pho_00000000000000000001", kind: "before", purchaseId: id, ...photo },
    { id: "pho_00000000000000000002", kind: "work", ...photo },
  ]);
  await insertReview(db, id);
  const started = await page.request.post("/api/auth/impersonate", {
    headers: { Origin: fixture.product.url },
    data: { targetUserId: provider.id },
  });
  expect(started.status()).toBe(200);

  await openDashboard(page, `?tab=called&lead=${id}`);
  const detail = page.locator(".detail");
  await detail.getByText("Only the business can change the stage and log calls.").waitFor();
  await detail.getByText("Only the business can change these photos.").waitFor();
  expect(await detail.getByLabel("Stage", { exact: true }).isDisabled()).toBe(true);
  for (const name of [/Log call/, /Delete/, /Show on Our Page/, "Select several"])
    expect(await button(page, name).count()).toBe(0);
  expect(await page.locator("input[type=file]").count()).toBe(0);
  await takePicture(page, "impersonated-lead");
  // A key must not do what the menu refuses.
  await page.keyboard.press("3");
  await page.keyboard.press("?");
  await dialog(page).waitFor();
  await page.keyboard.press("Escape");
  expect(await detail.getByLabel("Stage", { exact: true }).inputValue()).toBe("called");

  await openDashboard(page, "?view=board");
  await page.locator(".board-card").first().waitFor();
  expect(await page.locator(".board-card__grip").count()).toBe(0);
  expect(await page.locator(".board-card select:enabled").count()).toBe(0);

  await button(page, "Team").click();
  await dialog(page).getByText("Only the business can add team members.").waitFor();
  expect(
    await dialog(page)
      .getByRole("button", { name: /Password link/ })
      .count(),
  ).toBe(0);

  await page.goto("/settings");
  expect(await page.getByRole("textbox", { name: /^ABN/ }).isEditable()).toBe(false);
  expect(await page.getByLabel("Email").isEditable()).toBe(false);
  await page.getByLabel("Phone").fill("0491 570 157");
  await button(page, "Save changes").click();
  await expectToast(page, "Personal information updated");
  const bank = textBlocks(await (await page.request.get("/settings?tab=bank")).text());
  expect(bank).toContain("Only the business can see its bank details.");

  await page.goto("/my-page");
  await page.getByText("Only the business can save this page and its photos.").waitFor();
  expect(await button(page, "Save my page").count()).toBe(0);
  expect(await button(page, /Delete/).count()).toBe(0);
  expect(await page.locator("input[type=file]").count()).toBe(0);

  await page.goto("/my-reviews");
  await page.getByText("Only the business can reply.").waitFor();
  expect(await button(page, /^Reply/).count()).toBe(0);
});

test("the dialog shows each field's errors and a taken username, and creates a provider account", async () => {
  const { page } = await openAdmin();
  const { username } = await makeUser();
  await openAdminPage(page, "/admin/providers", "Manage Providers");
  await expectAccessible(page);
  await button(page, "Add New Provider").click();
  await button(page, "Create Provider").click();
  for (const message of [
    "First name is required",
    "Last name is required",
    "Username must be at least 3 characters",
    "Valid email required",
    "Password must be at least 6 characters",
    "Phone number required",
  ]) {
    await dialog(page).getByText(message).waitFor();
  }
  await expectAccessible(page);
  for (const [label, value] of [
    ["First name", "Cleo"],
    ["Last name", "Created"],
    ["Username", username],
    ["Email", "cleo@example.com"],
    ["Password", "secret-enough"],
    ["Phone", "0491 570 006"],
  ] as const) {
    await dialog(page).getByLabel(label, { exact: false }).first().fill(value);
  }
  await button(page, "Create Provider").click();
  await expectToast(page, "Failed to create provider");
  await dialog(page).getByText("Username already exists").waitFor();
  await dialog(page).getByLabel("Username").first().fill("cleo-created");
  await button(page, "Create Provider").click();
  await expectToast(page, "Provider account created successfully");
  await page.getByRole("cell", { name: /cleo-created/ }).waitFor();
});

test("an admin deactivates a provider with a reason, and activates them again", async () => {
  const { page } = await openAdmin();
  const provider = await makeUser({ firstName: "Dean", lastName: "Deactivated" });
  await openAdminPage(page, "/admin/providers", "Manage Providers");
  await page.getByLabel("Search").fill("Deactivated");
  // Wait until the new list has replaced the old one: a row that moves during a press gets no click.
  await page.getByRole("heading", { name: /\(1\)$/ }).waitFor();
  await button(page, "Deactivate Dean Deactivated").click();
  await dialog(page).getByRole("button", { name: "Deactivate" }).click();
  await dialog(page).getByText("Please say why").waitFor();
  await dialog(page).getByLabel("Why").fill("Insurance ran out");
  await dialog(page).getByRole("button", { name: "Deactivate" }).click();
  await expectToast(page, "Provider deactivated");
  const [row] = await fixture.product.db.select().from(users).where(eq(users.id, provider.id));
  expect(row!.isActive).toBe(false);
  await page.getByLabel("Show", { exact: true }).selectOption({ label: "Deactivated" });
  await button(page, /^Activate Dean Deactivated$/).click();
  await expectToast(page, "Provider activated");
  await page.getByLabel("Search").fill("");
  await page.getByLabel("Show", { exact: true }).selectOption({ label: "Super admins" });
  await page.getByRole("heading", { name: /^Super admins \(\d+\)$/ }).waitFor();
  await expectSoon(() => button(page, /Dean Deactivated/).count(), 0);
});

test("a provider reports a bad lead, an admin accepts it, and the free claim buys another lead", async () => {
  const { db, callerFor } = fixture.product;
  const { page: adminPage } = await openAdmin();
  const provider = await makeUser({ companyName: "Dudley Gardens", watchedRegions: ["inner-west"] });
  const badLead = await listLead("No one answers here");
  const call = await callerFor(provider.id);
  const buyer = { buyerName: "Dudley", buyerEmail: "d@example.com", buyerPhone: "0491 570 006" };
  expect((await call("POST", `/api/leads/${badLead.id}/purchase`, buyer)).status).toBe(201);
  const page = await openWindowAs(fixture, provider.id);
  await openDashboard(page, "?tab=leads");
  await page.getByText("Anna Brown").first().click();
  await chooseInMenu(page.locator(".detail"), "Report a bad lead");
  await button(page, "Send report").click();
  await dialog(page).getByText("Please choose what's wrong").waitFor();
  await dialog(page).getByLabel("The number is disconnected or wrong").check();
  const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("No one answers") };
  await dialog(page).getByLabel("Photo").setInputFiles(notes);
  await button(page, "Send report").click();
  await page.getByText("We can’t read that photo. Please send it as a JPEG.").waitFor();
  await button(page, "Remove photo").click();
  expect(await dialog(page).getByLabel("Photo").inputValue()).toBe("");
  const buffer = Buffer.from(pngPhoto(64, 48));
  await dialog(page).getByLabel("Photo").setInputFiles({ name: "call.png", mimeType: "image/png", buffer });
  await expectAccessible(page);
  await button(page, "Send report").click();
  await expectToast(page, "Bad lead reported");
  await page.getByText("You reported this as a bad lead.", { exact: false }).waitFor();

  await openAdminPage(adminPage, "/admin?show=bad-leads", "To decide");
  await expectAccessible(adminPage);
  const photo = await adminPage.getByRole("link", { name: "Photo", exact: true }).getAttribute("href");
  expect((await adminPage.request.get(photo!)).status()).toBe(200);
  await button(adminPage, "Accept the report from Dudley Gardens").click();
  await button(adminPage, "Accept report").click();
  await expectToast(adminPage, "Bad-lead report accepted");

  // The provider's page updates without a reload.
  await page.getByText("1 free claim", { exact: true }).waitFor();
  const wanted = await listLead("Free for Dudley");
  await page.goto("/dashboard");
  await card(page, "Free for Dudley")
    .getByRole("button", { name: /Use free claim/ })
    .click();
  await dialog(page).waitFor();
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "Use free claim" }).click();
  await expectToast(page, "Lead Claimed");
  expect(await purchaseOf(wanted.id)).toMatchObject({ buyerId: provider.id, amountPaidCents: 0 });
  const [freeClaim] = await db.select().from(freeClaims).where(eq(freeClaims.buyerId, provider.id));
  expect(freeClaim!.usedForLeadId).toBe(wanted.id);
  await page.getByText("1 free claim", { exact: true }).waitFor({ state: "detached" });
});

test("an admin handles an inspection booking and changes a suburb's price, and the audit log records both", async () => {
  const { page } = await openAdmin();
  await insertBooking(fixture.product.db, { name: "Ben Booked", reference: "V3RD4S" });
  await insertBooking(fixture.product.db, { name: "Cleo Car" });
  await openAdminPage(page, "/admin?show=bookings", "To decide");
  await page.getByText("Cleo Car", { exact: true }).waitFor();
  await page.getByLabel("Find an inspection").fill("v3r d4s");
  await page.getByText("Cleo Car", { exact: true }).waitFor({ state: "detached" });
  await expectAccessible(page);
  await button(page, "Mark as handled the booking of Ben Booked").click();
  await expectToast(page, "Booking marked as handled");

  await openAdminPage(page, "/admin/settings?q=Marrickville", "Settings");
  await expectAccessible(page);
  // The dialog stays while the answer to a new search removes the row.
  const answerSearch = await blockRequests(page, "**/api/super-admin/suburbs?*q=zetland*");
  await page.getByLabel("Find a suburb").fill("zetland");
  await button(page, "Edit Marrickville 2204").click();
  answerSearch();
  await page.getByRole("row", { name: /Marrickville/ }).waitFor({ state: "detached" });
  // A decimal comma is no price: it must not become 7 or 72 dollars.
  await dialog(page).getByLabel("From price").fill("7,2");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await dialog(page).getByText("Whole dollars, from 1 to 9999").waitFor();
  await dialog(page).getByLabel("From price").fill("$72");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Suburb updated");
  expect(await (await fetch(`${fixture.product.url}/location/marrickville`)).text()).toContain("$72");

  await openAdminPage(page, "/admin/audit", "Audit log");
  await expectAccessible(page);
  await page.getByText("Suburb change").first().waitFor();
  await page.getByText("Booking handled").first().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
});

test("an admin resends a failed message, and turns a channel off and on", async () => {
  const { page } = await openAdmin();
  const failed = { id: "msg_e2eadmin0", dedupeKey: "e2e", channel: "push", template: "new_lead" } as const;
  const times = { due: 1, expiresAt: 1, createdAt: Date.now(), triedAt: Date.now() };
  await fixture.product.db.insert(messages).values({ ...failed, ...times, payload: {}, state: "failed" });
  await openAdminPage(page, "/admin/settings?show=messages", "Settings");
  await button(page, "Change Email").click();
  await dialog(page).getByLabel("Daily limit").fill("2,000");
  await dialog(page).getByLabel("Sending").selectOption("off");
  await expectAccessible(page);
  await button(page, "Save").click();
  await expectToast(page, "Email is switched off");
  await page.getByRole("row", { name: /Email Switched off 2,000/ }).waitFor();
  await button(page, "Change Email").click();
  await dialog(page).getByLabel("Daily limit").fill("3,000");
  await button(page, "Save").click();
  await expectToast(page, "Daily limit saved");
  await page.getByRole("row", { name: /Email Switched off 3,000/ }).waitFor();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFits(page, `the messages at ${width}`);
    await expectAccessible(page, `the messages at ${width}`);
  }
  await button(page, "Send again the message New lead").click();
  await expectToast(page, "Message queued again");
  await page.getByText("Nothing failed in the last week.").waitFor();
});

test("an admin unsubscribes a caller from texts and emails, and resubscribes them", async () => {
  const { page } = await openAdmin();
  await openAdminPage(page, "/admin/settings?show=messages", "Settings");
  const look = async (typed: string) => {
    await page.getByLabel("Email address or mobile number").fill(typed);
    await button(page, "Look up").click();
  };
  await look("0491 570 110");
  await page.getByText("This number gets texts about its requests.").waitFor();
  await button(page, "Stop texts to this number").click();
  await dialog(page).getByText("This number won't get any more texts").waitFor();
  await expectAccessible(page);
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await dialog(page).waitFor({ state: "detached" });
  await waitForHistoryCleanup(page);
  expect(await fixture.product.db.$count(messageStops)).toBe(0);
  await button(page, "Stop texts to this number").click();
  await button(page, "Stop them").click();
  await page.getByText(/^We stopped texts to this number on/).waitFor();
  expect(await fixture.product.db.$count(messageStops)).toBe(1);

  await look("on.the.phone@example.com");
  await button(page, "Stop emails about requests").click();
  await button(page, "Stop them").click();
  await page.getByText(/^We stopped emails about requests to this address on/).waitFor();
  await page.getByText("You can't stop emails about someone's own account").waitFor();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expectFits(page, `a stop at ${width}`);
  }
  await expectAccessible(page, "a stop");
  expect(await fixture.product.db.$count(messageStops)).toBe(2);
  await button(page, "Allow again").click();
  await dialog(page).getByRole("button", { name: "Allow again" }).click();
  await page.getByText("This address gets emails about its requests.").waitFor();
  expect(await fixture.product.db.$count(messageStops)).toBe(1);
});

test("only admins can open the admin pages; other users get a link back", async () => {
  const provider = await makeUser();
  for (const [cookie, status] of [
    ["", 401],
    [await sessionCookie(fixture.product.db, provider.id), 403],
  ] as const) {
    const response = await fetch(`${fixture.product.url}/admin/providers`, { headers: { Cookie: cookie } });
    expect(response.status).toBe(status);
    const html = await response.text();
    for (const text of ["Access Denied", "Super admin access required"]) expect(html).toContain(text);
    expect(html).toMatch(/<a [^>]*href="\/dashboard"[^>]*>Back to the dashboard/);
  }
});
