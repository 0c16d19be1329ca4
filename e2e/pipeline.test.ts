import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { leadPurchases } from "../worker/tables.ts";
import { fillPipeline } from "../testing/pipeline.ts";
import { insertManualPurchase, insertPendingLead, insertUser, sessionCookie } from "../testing/world.ts";
import { takeRegion } from "../testing/product/unused-regions.ts";
import { expectAccessible } from "../testing/product/page-checks.ts";
import {
  addPurchase,
  chooseInMenu,
  count,
  detail,
  openLead,
  purchaseOf,
  row,
  tile,
} from "../testing/product/pipeline-helpers.ts";
import { expectSoon, openDashboard, openWindowAs, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();
const HOUR_MS = 3_600_000;

const unsaved = (page: Page, name: string) => row(page, name).getByText("Unsaved notes");

test("a provider's day: buy, call, quote, book, complete, invoice, get paid, archive and restore", async () => {
  const region = takeRegion();
  const user = { email: "pat.day@example.com", watchedRegions: [region.slug] };
  const owner = await insertUser(fixture.product.db, user);
  await insertPendingLead(
    fixture.product.db,
    {
      customerName: "Dora Day",
      customerPhone: "+61 (0)491 570 006 (after 6pm)",
      customerAddress: region.address,
    },
    Date.now() - 60_000,
  );
  await fixture.product.runSchedule();
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page);
  await page.getByRole("button", { name: "Buy for $50" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Buy for $50" }).click();
  await page.getByRole("button", { name: "Open in pipeline" }).click();
  const lead = detail(page);
  await lead.getByRole("heading", { name: "Dora Day" }).waitFor();
  expect(await lead.getByRole("link", { name: "Call Dora Day" }).getAttribute("href")).toBe(
    "tel:+61491570006",
  );
  await lead.getByText("0491 570 006").getByText("after 6pm").waitFor();
  expect(await lead.getByRole("link", { name: "Map" }).getAttribute("href")).toContain("Main%20Street");

  // The customer does not answer. After the phone app closes, one tap records that.
  await page.evaluate(() =>
    addEventListener("click", (event) => {
      if ((event.target as Element).closest("a[href^='tel:'], a[href^='sms:']")) event.preventDefault();
    }),
  );
  await lead.getByRole("link", { name: "Call Dora Day" }).click();
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await lead.getByRole("button", { name: "No answer" }).click();
  await lead.getByText("Next: call again, tomorrow, 9:00 am?").waitFor();
  await lead.getByRole("button", { name: "Set next action" }).click();
  await row(page, "Dora Day").getByText("Tomorrow, 9:00 am").waitFor();
  await row(page, "Dora Day").getByText("1 try").waitFor();
  await lead.getByRole("button", { name: "Text", exact: true }).click();
  const message = lead.getByRole("link", { name: /^Missed you/ });
  expect(await message.getAttribute("href")).toMatch(/^sms:\+61491570006\?body=Hi%20Dora%2C/);
  expect(await message.getAttribute("href")).toContain(encodeURIComponent(region.suburb));
  await message.click();
  await lead.getByRole("listitem").filter({ hasText: "Texted" }).waitFor();
  await lead.getByRole("listitem").filter({ hasText: "Call: no answer" }).waitFor();

  await lead.getByRole("button", { name: "Today" }).click();
  await page.getByText("Next action saved").first().waitFor();
  await lead.getByLabel("What to do").fill("Send the quote");
  await lead.getByRole("form", { name: "Next action" }).getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: /^Today/ }).click();
  await row(page, "Dora Day").getByText("Send the quote").waitFor();
  await page.getByRole("link", { name: "List", exact: true }).click();
  await tile(page, "Leads").click();
  await openLead(page, "Dora Day");
  await lead.getByLabel("Customer payment").fill("240");
  // Closed before it is saved: the page stores and marks the amount.
  await lead.getByRole("button", { name: "Close" }).click();
  await openLead(page, "Dora Day");
  await lead.locator(".amount").getByText("Not saved").waitFor();
  expect(await lead.getByLabel("Customer payment").inputValue()).toBe("240");

  for (const [label, tileName] of [
    ["Called", "Called"],
    ["Quote sent", "Quoted"],
    ["Job booked", "Booked"],
    ["Job complete", "Complete"],
    ["Invoice sent", "Invoiced"],
    ["Invoice paid", "Paid"],
  ] as const) {
    await lead.getByLabel("Stage", { exact: true }).selectOption({ label });
    await expectSoon(() => count(page, tileName), "1");
  }
  await lead.getByRole("listitem").filter({ hasText: "Invoice paid" }).waitFor();
  await lead.locator(".amount").getByRole("button", { name: "Save" }).click();
  await page.getByText("Payment amount saved").first().waitFor();

  await chooseInMenu(lead, "Archive");
  const prompt = page.getByRole("dialog", { name: "Archive this lead?" });
  await prompt.getByRole("button", { name: "Cancel" }).click();
  expect(await count(page, "Final")).toBe("0");
  await chooseInMenu(lead, "Archive");
  await prompt.getByRole("button", { name: "Archive" }).click();
  await page.getByText("Lead archived").first().waitFor();
  await expectSoon(() => count(page, "Final"), "1");
  expect(await count(page, "Paid")).toBe("0");
  await tile(page, "Final").click();
  await openLead(page, "Dora Day");
  await lead.getByText("Closed", { exact: true }).waitFor();
  expect(await lead.getByLabel("Notes").count()).toBe(0);
  await chooseInMenu(lead, "Restore");
  await page.getByText("Lead restored").first().waitFor();
  await expectSoon(() => count(page, "Paid"), "1");

  await page.getByRole("link", { name: "Figures" }).click();
  await page.getByRole("row", { name: /^Twelve months 1 \$50 1/ }).waitFor();
});

test("leads for services a business does not offer are hidden but counted, until it asks to see them", async () => {
  const owner = await insertUser(fixture.product.db, { services: ["landscaping"] });
  await insertPendingLead(
    fixture.product.db,
    { serviceType: ["lawn_mowing"], specificRequests: "Only mowing, please" },
    Date.now() - 60_000,
  );
  await fixture.product.runSchedule();
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page);
  await page.getByText("for services you don't offer.").waitFor();
  expect(await page.getByText("Only mowing, please").count()).toBe(0);
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByRole("listitem").filter({ hasText: "Only mowing, please" }).waitFor();
});

test("a rejected stage change reverts, with the server's message", async () => {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "called", "Rolf Rollback");
  const page = await openWindowAs(fixture, owner.id);
  // The lead is archived, but the page does not know yet. Block every source of updates, including the
  // requests after a socket's greeting.
  await page.route(`**/api/lead-purchases/${id}`, (route) => route.abort());
  await page.route("**/api/pipeline/changes?*", (route) => route.abort());
  await openDashboard(page, "?tab=called");
  await fixture.product.db
    .update(leadPurchases)
    .set({ isArchived: true, archivedAt: Date.now() })
    .where(eq(leadPurchases.id, id));
  await row(page, "Rolf Rollback").getByLabel("Stage").selectOption({ label: "Job booked" });
  await page.getByText("Error updating sales stage").first().waitFor();
  await page.getByText("This lead is closed. Restore it first.").first().waitFor();
  await row(page, "Rolf Rollback").waitFor();
  expect(await count(page, "Called")).toBe("1");
});

test("without browser storage notes are still saved, and signing out works", async () => {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "called", "Bruno Blocked");
  const page = await openWindowAs(fixture, owner.id);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  });
  await openDashboard(page, "?tab=called");
  const lead = await openLead(page, "Bruno Blocked");
  await lead.getByLabel("Notes").fill("Rings back on Monday");
  await expectSoon(async () => (await purchaseOf(fixture, id)).salesNotes, "Rings back on Monday");
  await page.getByRole("button", { name: `${owner.firstName} ${owner.lastName}` }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByText("Logged out successfully").waitFor();
  expect(errors).toEqual([]);
});

test("a row shows that its notes are not saved yet, until a press of Retry saves them", async () => {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "called", "Una Unsaved");
  const page = await openWindowAs(fixture, owner.id);
  // Automatic attempts fail. Only a press of Retry succeeds.
  let isPressed = false;
  await page.exposeFunction("press", () => (isPressed = true));
  await page.addInitScript(() => {
    const { press } = globalThis as unknown as { press: () => void };
    const listen = ({ target }: Event) => {
      if ((target as Element).closest("button")?.textContent === "Retry") press();
    };
    addEventListener("pointerdown", listen, { capture: true });
  });
  await page.route("**/api/lead-purchases/*/sales-stage", (route) =>
    isPressed ? route.continue() : route.abort(),
  );
  await openDashboard(page, "?tab=called");
  const lead = await openLead(page, "Una Unsaved");
  await lead.getByLabel("Notes").fill("Two dogs, one of them friendly");
  await unsaved(page, "Una Unsaved").waitFor();
  await lead.getByRole("button", { name: "Close" }).click();
  await unsaved(page, "Una Unsaved").waitFor();
  await expectAccessible(page, "a row with unsaved notes");
  await openLead(page, "Una Unsaved");
  await lead.getByRole("button", { name: "Retry" }).click();
  await unsaved(page, "Una Unsaved").waitFor({ state: "detached" });
  expect((await purchaseOf(fixture, id)).salesNotes).toBe("Two dogs, one of them friendly");
});

test("a lead opened by its URL scrolls the page only if it is out of sight", async () => {
  const owner = await insertUser(fixture.product.db);
  const { d1: DB } = fixture.product;
  await fillPipeline(DB, owner, 600);
  const first = await addPurchase(fixture, owner, "called", "Fay First");
  // This row is taller than a row without a next action.
  const nextAction = { nextActionAt: Date.now() - 50 * HOUR_MS, nextActionNote: "Ring about the hedge" };
  await fixture.product.db.update(leadPurchases).set(nextAction).where(eq(leadPurchases.id, first));
  const last = await insertManualPurchase(fixture.product.db, owner, {
    stage: "called",
    startedAt: Date.now() - 900 * HOUR_MS,
    request: { customerName: "Lou Last" },
  });
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, `?tab=called&lead=${first}`);
  await detail(page).getByRole("heading", { name: "Fay First" }).waitFor();
  await row(page, "Fay First").waitFor();
  await page.getByText("Loading the rest of your pipeline…").waitFor({ state: "detached" });
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goto(`/dashboard?tab=called&lead=${last}`);
  await expectSoon(() => row(page, "Lou Last").isVisible(), true);
  await expectSoon(() => page.evaluate(() => scrollY > 0), true);
});

test("search, filters and order are in the URL, and Clear removes them", async () => {
  const owner = await insertUser(fixture.product.db);
  for (const [customerName, service] of [
    ["Sam Search", "hedge_trimming"],
    ["Sue Search", "lawn_mowing"],
    ["Tom Other", "lawn_mowing"],
  ] as const) {
    await insertManualPurchase(fixture.product.db, owner, {
      stage: "called",
      startedAt: Date.now() - HOUR_MS,
      request: { customerName, serviceType: [service] },
    });
  }
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, "?tab=called");
  const names = () => page.locator(".row__name").allInnerTexts();
  await page.getByLabel("Search the pipeline").pressSequentially("search");
  await expectSoon(async () => (await names()).toSorted(), ["Sam Search", "Sue Search"]);
  await page.getByLabel("Service").selectOption({ label: "Lawn mowing" });
  await expectSoon(names, ["Sue Search"]);
  // The text reaches the URL a moment after it was typed, so the order varies.
  await expectSoon(() => Object.fromEntries(new URL(page.url()).searchParams), {
    tab: "called",
    service: "lawn_mowing",
    q: "search",
  });
  await page.reload();
  expect(await names()).toEqual(["Sue Search"]);
  expect(await page.getByLabel("Search the pipeline").inputValue()).toBe("search");
  await page.getByRole("button", { name: "Clear" }).click();
  await expectSoon(async () => (await names()).length, 3);
  await expectSoon(() => new URL(page.url()).search, "?tab=called");
});

test("shortcut keys open, move and close leads, but not while the user types or after they are turned off", async () => {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "accepted_lead", "Kay Keys");
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, "?tab=leads");
  await row(page, "Kay Keys").waitFor();
  await page.keyboard.press("j");
  await detail(page).getByRole("heading", { name: "Kay Keys" }).waitFor();
  await page.keyboard.press("2");
  await expectSoon(async () => (await purchaseOf(fixture, id)).salesStage, "called");
  await page.keyboard.press("n");
  await page.keyboard.type("3 pm, back gate?");
  await detail(page).getByText("Saved", { exact: true }).waitFor();
  expect(await purchaseOf(fixture, id)).toMatchObject({
    salesStage: "called",
    salesNotes: "3 pm, back gate?",
  });
  await page.keyboard.press("Escape");
  await detail(page).waitFor({ state: "detached" });
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  await expectAccessible(page, "keyboard shortcuts");
  await help.getByLabel("Use keyboard shortcuts on this device").uncheck();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("b");
  expect(new URL(page.url()).search).toBe("?tab=leads");
});

const MANY = 1000;
const FEW = 50;

test("a long pipeline renders one screen of rows, in a document hardly larger than a short pipeline's", async () => {
  const { d1: DB, db, url } = fixture.product;
  const [shortOwner, owner] = [await insertUser(db), await insertUser(db)];
  await fillPipeline(DB, shortOwner, FEW);
  await fillPipeline(DB, owner, MANY);
  const documentBytes = async (userId: string) => {
    const headers = { Cookie: await sessionCookie(db, userId) };
    return (await (await fetch(`${url}/dashboard?tab=leads`, { headers })).arrayBuffer()).byteLength;
  };
  expect(await documentBytes(owner.id)).toBeLessThan(3 * (await documentBytes(shortOwner.id)));

  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, "?tab=leads");
  await page.getByText("Loading the rest of your pipeline…").waitFor({ state: "detached" });
  expect(await page.locator(".row").count()).toBeLessThan(60);
  const total = await page.locator(".tile__count").allInnerTexts();
  expect(total.slice(1).reduce((sum, text) => sum + Number(text), 0)).toBe(MANY);
  await page.getByLabel("Search the pipeline").fill("amelia adams");
  await expectSoon(
    async () => [
      ...new Set((await page.locator(".row__name").allInnerTexts()).map((name) => name.replace(/ \d+$/, ""))),
    ],
    ["Amelia Adams"],
  );
});
