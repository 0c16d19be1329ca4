/** Helpers for pipeline tests: initial purchases, and where to find them on screen. */
import { HOUR_MS } from "../../contract/durations.ts";
import { eq } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";

import { leadPurchases } from "../../worker/tables.ts";
import { insertManualPurchase, type insertUser } from "../world.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

/** Adds a business's own lead, an hour old. Returns the purchase's ID. */
export function addPurchase(
  { product }: BrowserFixture,
  owner: Awaited<ReturnType<typeof insertUser>>,
  stageName: Parameters<typeof insertManualPurchase>[2]["stage"],
  customerName: string,
  notes?: string,
): Promise<string> {
  return insertManualPurchase(product.db, owner, {
    stage: stageName,
    startedAt: Date.now() - HOUR_MS,
    request: { customerName },
    ...(notes !== undefined && { notes }),
  });
}

/** Returns a purchase as currently stored. */
export async function purchaseOf({ product }: BrowserFixture, id: string) {
  const [row] = await product.db.select().from(leadPurchases).where(eq(leadPurchases.id, id));
  return row!;
}

export const tile = (page: Page, label: string) => page.getByRole("tab", { name: new RegExp(`^${label}`) });
export const count = (page: Page, label: string) => tile(page, label).locator(".tile__count").innerText();
export const row = (page: Page, name: string) => page.locator(".work__list").getByRole("article", { name });
export const detail = (page: Page) => page.locator(".detail");
export const column = (page: Page, name: string) =>
  page.getByRole("region", { name: new RegExp(`^${name},`) });

/** Opens a lead's details from the list. */
export async function openLead(page: Page, name: string) {
  await row(page, name).getByRole("link", { name, exact: true }).click();
  await detail(page).getByRole("heading", { name }).waitFor();
  return detail(page);
}

/** Chooses an action from the menu of an open lead. */
export async function chooseInMenu(lead: Locator, action: string) {
  await lead.getByRole("button", { name: "More actions" }).click();
  await lead.getByRole("button", { name: action }).click();
}
