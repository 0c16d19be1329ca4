/** An open lead: what a provider needs first comes first, and rare actions are in a menu. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { HOUR_MS } from "../contract/durations.ts";
import { insertClockedSale } from "../testing/clocked-sales.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { chooseInMenu, detail, openLead } from "../testing/product/pipeline-helpers.ts";
import {
  openDashboard,
  openWindowAs,
  setUpFixture,
  takePicture,
} from "../testing/product/browser-fixture.ts";
import { insertUser } from "../testing/world.ts";
import { leads } from "../worker/tables.ts";

const fixture = setUpFixture();
const PHONE = { viewport: { width: 360, height: 740 } };

/** Opens a lead that was bought an hour ago. */
async function openBought(customerName: string) {
  const { db } = fixture.product;
  const owner = await insertUser(db, { isVerified: true });
  const now = Date.now();
  await insertClockedSale(
    db,
    owner,
    { purchasedAt: now - HOUR_MS, clockEndsAt: now + HOUR_MS },
    { customerName, specificRequests: "The hedge along the drive, please." },
  );
  const page = await openWindowAs(fixture, owner.id, PHONE);
  await openDashboard(page, "?tab=leads");
  return { page, lead: await openLead(page, customerName) };
}

test("an open lead shows the contact, the wishes, the notes and the next step, in order, and no contact of an erased customer", async () => {
  const { page, lead } = await openBought("Olga Order");
  const parts = [
    lead.getByRole("heading", { name: "Olga Order" }),
    lead.getByRole("link", { name: "Call Olga Order" }),
    lead.getByText("The hedge along the drive, please."),
    lead.getByLabel("Notes"),
    lead.getByRole("form", { name: "Next action" }),
    lead.getByLabel("Stage", { exact: true }),
  ];
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())!.y));
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await takePicture(page, "lead-top-360");
  await lead.getByLabel("Stage", { exact: true }).evaluate((field) => field.scrollIntoView());
  await takePicture(page, "lead-work-360");

  const erased = { customerPhone: "", customerEmail: "", erasedAt: Date.now() };
  await fixture.product.db.update(leads).set(erased).where(eq(leads.customerName, "Olga Order"));
  await page.reload();
  await lead.getByText("We erased this customer's details at their request.", { exact: false }).waitFor();
  expect(await lead.getByRole("link", { name: /^(Call|SMS|Email|Map)/ }).count()).toBe(0);
});

test("a lead's menu closes by Escape or a tap outside, and the lead stays open with the focus on the menu's button", async () => {
  const { page, lead } = await openBought("Mena Menu");
  const button = lead.getByRole("button", { name: "More actions" });
  const item = lead.getByRole("button", { name: "Archive" });
  expect(await item.isVisible()).toBe(false);
  await button.press("Enter");
  await item.waitFor();
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Tab");
  await takePicture(page, "lead-menu-360");
  await expectFits(page, "a lead's menu");
  await expectAccessible(page, "a lead's menu");
  await page.keyboard.press("Escape");
  await item.waitFor({ state: "hidden" });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

  await button.click();
  await item.waitFor();
  await page.mouse.click(180, 600);
  await item.waitFor({ state: "hidden" });

  // The prompt is part of the lead for React, but Escape closes only the prompt.
  await chooseInMenu(lead, "Archive");
  const prompt = page.getByRole("dialog", { name: "Archive this lead?" });
  await prompt.waitFor();
  await page.keyboard.press("Escape");
  await prompt.waitFor({ state: "detached" });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await chooseInMenu(lead, "Report a bad lead");
  await page.getByRole("dialog", { name: "Report a bad lead" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await detail(page).waitFor({ state: "detached" });
});
