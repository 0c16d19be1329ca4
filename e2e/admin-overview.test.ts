/** The admins' figures in a browser, by day and week, as charts and as numbers, and the page of all that waits. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { addCallTime, type CallClock } from "../contract/call-clock.ts";
import { HOUR_MS, MINUTE_MS } from "../contract/durations.ts";
import { addDays, startOfSydneyDay, sydneyDay } from "../contract/sydney-time.ts";
import { leadPurchases, leads } from "../worker/tables.ts";
import { newId } from "../worker/platform/ids.ts";
import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  openWindow,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";
import { insertClockedSale } from "../testing/clocked-sales.ts";
import { insertBadLeadReport, insertPayment, insertPendingLead, insertUser } from "../testing/world.ts";

const fixture = setUpFixture(OWN_PRODUCT);

const PERSON =
  "Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";

/** Creates nine days of market history, whatever their length in hours: two leads a day, one of them sold. */
async function makeMarket(): Promise<void> {
  const { db } = fixture.product;
  const now = Date.now();
  const owner = await insertUser(db, { companyName: "Quokka Quality Lawns" });
  for (let i = 0; i < 18; i += 1) {
    const midnight = startOfSydneyDay(addDays(sydneyDay(now), -Math.floor(i / 2)))!;
    const at = Math.min(now, midnight + (i % 2 === 0 ? 6 : 18) * HOUR_MS);
    const { id } = await insertPendingLead(db, {}, at, i % 9 === 4 ? ["honeypot"] : []);
    if (i % 2 === 0) continue;
    await db
      .update(leads)
      .set({ status: "sold", listingState: "closed", exchangeVersion: 2 })
      .where(eq(leads.id, id));
    const purchaseId = newId("pur");
    const bought = { buyerId: owner.id, boughtByUserId: owner.id, buyerName: "Quin" };
    const moment = Math.min(now, at + 2 * HOUR_MS);
    await db.insert(leadPurchases).values({
      ...bought,
      id: purchaseId,
      leadId: id,
      mode: "stripe",
      amountPaidCents: 5000,
      paymentStatus: "completed",
      purchasedAt: moment,
      updatedAt: moment,
    });
    const refund = i === 7 ? { state: "refunded" as const, refundedAt: at, refundedCents: 5000 } : {};
    await insertPayment(db, owner, id, { createdAt: moment, ...refund });
    if (i === 11) await insertBadLeadReport(db, owner, purchaseId, { createdAt: at });
  }
  for (let minute = 0; minute < 2; minute += 1) await fixture.product.runSchedule();
}

test("an admin reads the market's figures on one page, compares them and downloads them as CSV", async () => {
  await makeMarket();
  // The tests' default user agent identifies itself as a bot, and bots do not count.
  const visitor = await openWindow(fixture, { userAgent: PERSON });
  await visitor.goto("/get-quote");
  await waitForPaint(visitor);
  await Promise.all([
    visitor.waitForResponse((answer) => answer.url().endsWith("/api/forms/start")),
    visitor.getByLabel("Property address").focus(),
  ]);
  const admin = await insertUser(fixture.product.db, { isSuperAdmin: true });
  const page = await openWindowAs(fixture, admin.id);
  const errors = collectPageErrors(page);
  await page.goto("/admin/figures");
  await page.getByRole("heading", { name: "Figures", level: 1 }).waitFor();
  const table = page.getByRole("region", { name: "The last 28 days, in numbers", exact: true });
  await table.waitFor();
  const tile = (name: string) =>
    page
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .first();
  // Today's figure, then the total of the previous seven full days.
  const figures = (name: string) => tile(name).locator("dd").allTextContents();
  expect((await figures("Leads")).slice(0, 2)).toEqual(["2", "14 in the 7 days before"]);
  await expectSoon(async () => (await figures("Sold")).slice(0, 2).join(), "1,7 in the 7 days before");
  expect((await figures("Revenue"))[0]).toBe("$50");
  expect(await tile("Sold").getAttribute("title")).toBe(
    "Leads that were paid for, whenever they were received",
  );
  const region = page.getByRole("row", { name: /^Inner West/ });
  const cells = await region.getByRole("cell").allTextContents();
  expect(cells).toContain("2 h");
  // Listed is the sum of taken and not taken.
  const [listed, taken, notTaken] = cells.map(Number);
  expect(listed).toBe(taken! + notTaken!);
  expect(taken).toBe(9);
  const step = async (name: string) => {
    const row = page.getByRole("row", { name: new RegExp(`^${name}`) });
    return (await row.getByRole("cell").allTextContents())[0];
  };
  expect(await Promise.all(["Pages opened", "Forms started", "Sold or given"].map(step))).toEqual([
    "1",
    "1",
    "9",
  ]);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectFits(page, `the figures at ${width}`);
    await expectAccessible(page, `the figures at ${width}`);
  }
  await page.getByRole("link", { name: "Week", exact: true }).click();
  await page.getByRole("region", { name: "The last twelve weeks, in numbers" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page
      .getByRole("region", { name: "The last twelve weeks", exact: true })
      .getByRole("link", { name: "CSV" })
      .click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^market-weeks-\d{4}-\d{2}-\d{2}\.csv$/);
  await page.getByRole("link", { name: /^To decide \d+ waiting$/ }).click();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectFits(page, `all that waits at ${width}`);
    await expectAccessible(page, `all that waits at ${width}`);
  }
  const parts = page.getByRole("navigation", { name: "To decide" });
  const work = page.getByRole("list", { name: "Waiting for you" });
  for (const [link, heading, address] of [
    [
      parts.getByRole("link", { name: /^Suspicious requests \d+ waiting$/ }),
      "Suspicious requests",
      "/admin?show=suspicious",
    ],
    [
      work.getByRole("link", { name: /leads? unsold for over a day/ }),
      "Leads",
      "/admin/leads?state=available",
    ],
    [
      work.getByRole("link", { name: /provider who stopped buying or calling/ }),
      "Manage Providers",
      "/admin/providers?only=stopped",
    ],
    [parts.getByRole("link", { name: "Bad leads 1 waiting" }), "Bad leads", "/admin?show=bad-leads"],
  ] as const) {
    await link.click();
    await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
    await page.goBack();
  }
  expect(errors).toEqual([]);
});

test("each number of the calls opens its leads, for the provider and for admins", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db, { companyName: "Wombat Lawns" });
  const at = addCallTime(startOfSydneyDay(addDays(sydneyDay(Date.now()), -8))!, 2 * HOUR_MS);
  // Twelve leads: six called in time, one late, and one passed on.
  const rescued: CallClock = { state: "rescued", answer: "not_yet", answeredAt: at, rescuedAt: at };
  for (let i = 0; i < 12; i += 1)
    await insertClockedSale(
      db,
      owner,
      {
        purchasedAt: at,
        ...(i < 6 && { calledAt: at + 40 * MINUTE_MS, jobBookedAt: i < 2 ? at + HOUR_MS : null }),
        ...(i === 6 && { calledAt: at + 90 * HOUR_MS }),
        ...(i === 7 && { callClock: rescued }),
      },
      { region: "macarthur" },
    );
  const page = await openWindowAs(fixture, owner.id);
  const errors = collectPageErrors(page);
  await page.goto("/figures");
  await page.getByText("You called 6 of 12 customers in time in the last 90 days.").waitFor();
  const cell = (row: string) =>
    page
      .getByRole("row", { name: new RegExp(`^${row}`) })
      .getByRole("cell")
      .first();
  expect(await cell("Called in time").textContent()).toBe("6 (50%)");
  expect(await cell("Median time to call").textContent()).toBe("40 min");
  await cell("Called late").getByRole("link").click();
  const list = page.getByRole("region", { name: "Called late, last 90 days" });
  await list.getByText(/^Called \d+ .*, after \d+ h/).waitFor();
  expect(await list.getByRole("listitem").count()).toBe(1);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectFits(page, `/figures at ${width}`);
    await expectAccessible(page, `/figures at ${width}`);
  }
  await list.getByRole("link", { name: "Anna Brown" }).click();
  await page.waitForURL(/\/dashboard\?tab=leads&lead=pur_/);
  await page.getByRole("heading", { name: "Anna Brown" }).first().waitFor();
  expect(errors).toEqual([]);

  const admin = await insertUser(db, { isSuperAdmin: true });
  const desk = await openWindowAs(fixture, admin.id);
  await desk.goto("/admin/figures?week=all");
  const table = desk.getByRole("region", { name: "From request to job", exact: true });
  const region = table.getByRole("row", { name: /^Macarthur/ });
  await region.waitFor();
  expect(await region.getByRole("cell").allTextContents()).toEqual(["12", "12", "6", "1", "1", "2"]);
  await region.getByRole("link", { name: "6: Called in time, Macarthur" }).click();
  const leadsTable = desk.getByRole("table", { name: "Leads" });
  await leadsTable.waitFor();
  expect(await leadsTable.getByRole("row").count()).toBe(1 + 6);
  expect(await desk.getByLabel("Step").inputValue()).toBe("in_time");
  await desk.goto("/admin/providers");
  const row = desk.getByRole("row", { name: /Wombat Lawns/ });
  await row.getByText("6 of 12").waitFor();
  await row.getByRole("link", { name: "50%" }).click();
  await desk.getByRole("region", { name: "Leads in the percentage, last 90 days" }).waitFor();
  await expectSoon(() => desk.locator("#calls").getByRole("listitem").count(), 12);
  await desk.setViewportSize({ width: 360, height: 844 });
  await expectFits(desk, "the provider's calls");
});
