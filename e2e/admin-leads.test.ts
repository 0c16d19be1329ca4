/** The admins' lead list in a browser: search, giving a lead away, keyboard use, pausing a region. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { leadPurchases, leads, pausedRegions } from "../worker/tables.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  blockRequests,
  expectSoon,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
} from "../testing/product/browser-fixture.ts";
import { insertPendingLead, insertUser } from "../testing/world.ts";

const fixture = setUpFixture(OWN_PRODUCT);

async function openLeads(path: string, heading = "Leads") {
  const admin = await insertUser(fixture.product.db, { isSuperAdmin: true });
  const page = await openWindowAs(fixture, admin.id);
  await page.goto(path);
  await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
  await expectSoon(() => page.getByText(/^Loading/).count(), 0);
  return { admin, page };
}

async function stateOf(id: string) {
  const [row] = await fixture.product.db.select().from(leads).where(eq(leads.id, id));
  return row!.listingState;
}

async function buyerOf(leadId: string) {
  const [row] = await fixture.product.db.select().from(leadPurchases).where(eq(leadPurchases.leadId, leadId));
  return row?.buyerId;
}

test("an admin finds a lead by words and claims it from the list; an admin who is too late sees that the lead is gone", async () => {
  const { db } = fixture.product;
  const mine = await insertPendingLead(db, { customerName: "Zelda Quokkason" }, Date.now() - 60_000);
  const late = await insertPendingLead(db, { customerName: "Zoran Quokkason" }, Date.now() - 60_000);
  await fixture.product.runSchedule();
  const { admin, page } = await openLeads("/admin/leads?market=only");
  const claim = (name: string) => page.getByRole("button", { name: `Claim the request of ${name}` });
  await claim("Zoran Quokkason").waitFor();
  await page.getByLabel("Find a lead").fill("quokkason zelda");
  // Wait until the new list has replaced the old one: a row that moves during a press gets no click.
  await claim("Zoran Quokkason").waitFor({ state: "detached" });
  await claim("Zelda Quokkason").click();
  await page
    .getByRole("dialog")
    .getByText(/Your own business gets this lead/)
    .waitFor();
  expect(await buyerOf(mine.id)).toBeUndefined();
  await page.getByRole("button", { name: "Claim Lead" }).click();
  await expectSoon(() => buyerOf(mine.id), admin.id);
  // Until the dialog closes it keeps the focus, so the search cannot be typed.
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByLabel("Find a lead").fill("zoran quokkason");
  await claim("Zoran Quokkason").waitFor();
  const other = await insertUser(db, { isSuperAdmin: true });
  const asOther = await fixture.product.callerFor(other.id);
  expect((await asOther("POST", `/api/super-admin/claim-lead/${late.id}`)).ok).toBe(true);
  await claim("Zoran Quokkason").click();
  await page.getByRole("button", { name: "Claim Lead" }).click();
  await page.getByText("Failed to Claim Lead").waitFor();
  await claim("Zoran Quokkason").waitFor({ state: "detached" });
});

test("the dialog for a lead stays while a new search removes the lead's row", async () => {
  const { db } = fixture.product;
  const lead = await insertPendingLead(db, { customerName: "Mira Bandicoot" }, Date.now() - 60_000);
  await fixture.product.runSchedule();
  const provider = await insertUser(db, { companyName: "Bilby Borders" });
  const { page } = await openLeads("/admin/leads?market=only");
  const answerSearch = await blockRequests(page, "**/api/super-admin/leads?*q=*");
  await page.getByLabel("Find a lead").fill("no such name");
  const row = page.getByRole("row", { name: /Mira Bandicoot/ });
  await row.getByRole("button", { name: "Assign" }).click();
  await page.getByLabel("Assign to").fill("bilby");
  answerSearch();
  await row.waitFor({ state: "detached" });
  await page.getByRole("radio", { name: /Bilby Borders/ }).check();
  await page.getByRole("button", { name: "Assign Lead to Bilby Borders" }).click();
  await expectSoon(() => buyerOf(lead.id), provider.id);
});

test("an admin works through the quarantine queue by keyboard: releases one request and drops the next", async () => {
  const { db } = fixture.product;
  const names = ["Rita First", "Dora Second", "Lena Third"];
  const queue = await Promise.all(
    names.map((customerName, i) =>
      insertPendingLead(db, { customerName }, Date.now() - i * 1000, [i === 0 ? "duplicate" : "honeypot"]),
    ),
  );
  const { page } = await openLeads("/admin?show=suspicious", "To decide");
  await page.getByText("Same person, place and service as another request").waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use keyboard shortcuts" }).click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  expect(await focused()).toContain("Rita First");
  await page.keyboard.press("n");
  expect(await focused()).toContain("Dora Second");
  await page.keyboard.press("p");
  await page.keyboard.down("r");
  await expectSoon(() => stateOf(queue[0]!.id), "listed");
  // The focus moves to the lead that takes the removed one's place.
  await expectSoon(focused, "Release the request of Dora Second");
  // Holding the key down must not act on the next lead.
  await page.keyboard.down("r");
  await page.keyboard.up("r");
  await page.keyboard.press("d");
  await page.getByRole("dialog").getByLabel("Why").fill("Advertises links");
  await page.getByRole("dialog").getByRole("button", { name: "Drop" }).click();
  await expectSoon(() => stateOf(queue[1]!.id), "closed");
  expect(await stateOf(queue[2]!.id)).toBe("quarantined");
});

test("an admin pauses a region with a reason, every admin page shows it, and the admin resumes it", async () => {
  const { page } = await openLeads("/admin/leads");
  await page.getByRole("button", { name: "Pause a region" }).click();
  await page.getByRole("dialog").getByLabel("Region").selectOption("macarthur");
  await page.getByLabel("Why").fill("Storms, mowing is not possible");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  const banner = page.getByRole("list", { name: "Paused regions" });
  await banner.getByText("Storms, mowing is not possible", { exact: false }).waitFor();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectFits(page, `/admin/leads at ${width}`);
    await expectAccessible(page, `/admin/leads at ${width}`);
  }
  await page.getByRole("link", { name: "Settings" }).click();
  await banner.getByRole("button", { name: "Resume Macarthur" }).click();
  await banner.waitFor({ state: "detached" });
  expect(await fixture.product.db.select().from(pausedRegions)).toEqual([]);
});

test("on a phone an admin filters leads behind one button, loads more, and a reload keeps the filters and the search", async () => {
  const at = Date.now();
  for (let i = 0; i < 26; i += 1)
    await insertPendingLead(
      fixture.product.db,
      { customerName: i === 0 ? "Quentin Numbat" : "Nora Numbat" },
      at - i * 1000,
      ["honeypot"],
    );
  const { page } = await openLeads("/admin/leads");
  await page.setViewportSize({ width: 390, height: 844 });
  const region = page.getByLabel("Region");
  const filters = page.getByRole("button", { name: /^Filters/ });
  const rows = () => page.getByRole("table", { name: "Leads" }).locator("tbody tr").count();
  expect(await region.isVisible()).toBe(false);
  await filters.click();
  await region.selectOption("inner-west");
  await page.getByLabel("State").selectOption("quarantined");
  await page.getByRole("button", { name: "Filters 2", exact: true }).waitFor();
  // The earlier rows stay, half transparent, until the new ones arrive.
  await expectSoon(() => page.locator("[aria-busy]").count(), 0);
  await expectFits(page, "the filters");
  await expectAccessible(page, "the filters");
  await filters.click();
  expect(await region.isVisible()).toBe(false);
  await expectSoon(rows, 25);
  await page.getByRole("button", { name: "Load more" }).click();
  await expectSoon(async () => (await rows()) > 25, true);

  await page.getByLabel("Find a lead").fill("quentin");
  await page.waitForURL(/q=quentin/);
  await page.reload();
  await expectSoon(rows, 1);
  expect(await page.getByLabel("Find a lead").inputValue()).toBe("quentin");
  await page.getByRole("button", { name: "Filters 2", exact: true }).waitFor();
  await filters.click();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL((url) => url.search === "?q=quentin");
  await page.getByRole("button", { name: "Filters", exact: true }).waitFor();
});
