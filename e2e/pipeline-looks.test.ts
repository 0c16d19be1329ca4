/** The pipeline on a phone and a desktop, in every view and state: it fits and is accessible. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { leadPurchases, leads } from "../worker/platform/db/schema.ts";
import { insertTeamMember, insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits, listen } from "../testing/product/looks.ts";
import { addPurchase, openLead, purchaseOf, tile } from "../testing/product/pipeline-stage.ts";
import { openDashboard, openWindowOf, setStage } from "../testing/product/windows.ts";

const stage = setStage();
const HOUR_MS = 3_600_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Opens the pipeline of a provider with an overdue lead. Returns a function that checks its current state. */
async function openToLookAt(options: Parameters<typeof openWindowOf>[2]) {
  const owner = await insertUser(stage.product.db);
  const id = await addPurchase(stage, owner, "called", "Ada Axe");
  await addPurchase(stage, owner, "quote_sent", "Quinn Quoted");
  await stage.product.db
    .update(leadPurchases)
    .set({
      nextActionAt: Date.now() - 50 * HOUR_MS,
      nextActionNote: "Ring about the hedge, twice if need be",
    })
    .where(eq(leadPurchases.id, id));
  const { leadId } = await purchaseOf(stage, id);
  const serviceType = ["lawn_mowing", "hedge_trimming", "garden_cleanup"] as const;
  await stage.product.db
    .update(leads)
    .set({ serviceType: [...serviceType] })
    .where(eq(leads.id, leadId));
  const page = await openWindowOf(stage, owner.id, options);
  const complaints = listen(page);
  const look = async (where: string) => {
    await expectFits(page, where);
    await expectAccessible(page, where);
    expect(complaints, where).toEqual([]);
  };
  return { page, look };
}

/** Checks every view except the list. */
async function lookAround({ page, look }: Awaited<ReturnType<typeof openToLookAt>>) {
  for (const [name, wait] of [
    ["Board", ".board-card"],
    ["Today", ".row"],
    ["Figures", ".chart"],
  ] as const) {
    await page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await page.locator(wait).first().waitFor();
    await look(name);
  }
}

test("every view, state and dialog of the pipeline fits a phone and has no console errors or axe violations", async () => {
  const opened = await openToLookAt(PHONE);
  const { page, look } = opened;
  await openDashboard(page, "?tab=called");
  const suburb = page.locator(".row__suburb").first();
  const isWhole = await suburb.evaluate((place) => {
    const job = place.parentElement!;
    return job.scrollWidth <= job.clientWidth && place.getBoundingClientRect().right <= innerWidth;
  });
  expect(isWhole, "a row says where the job is").toBe(true);
  await page.getByRole("button", { name: "Sort and filter" }).click();
  await look("list with filters");
  const lead = await openLead(page, "Ada Axe");
  // The details replace the list, so the user cannot reach the list's controls.
  expect(await page.getByRole("tab").count()).toBe(0);
  await lead.getByText("Added by hand").first().waitFor();
  await look("details");
  await lead.getByLabel("Day").fill("");
  await lead.getByRole("button", { name: "Save" }).nth(1).click();
  await lead.getByText("Please choose a day for it").waitFor();
  await look("details with an error");
  // A second tap in the same place hits the same button and must not select a result.
  const log = lead.getByRole("button", { name: "Log call" });
  await log.evaluate((button) => button.scrollIntoView({ block: "center" }));
  const before = await log.boundingBox();
  await log.tap();
  await lead.getByText("How did it go?").waitFor();
  expect(await log.boundingBox()).toEqual(before);
  await look("how a call went");
  await lead.getByRole("button", { name: "Dismiss" }).click();
  await lead.getByRole("button", { name: "Archive" }).click();
  await look("archive prompt");
  await page.getByRole("button", { name: "Cancel" }).click();
  await lead.getByRole("button", { name: "Remove" }).click();
  await look("remove prompt");
  await page.getByRole("button", { name: "Cancel" }).click();
  await lead.getByRole("button", { name: "Close" }).click();
  await tile(page, "Called").waitFor();
  await lookAround(opened);
});

test("every view of the pipeline also passes axe on a desktop, with an open lead beside the list and a held card", async () => {
  const opened = await openToLookAt({ viewport: { width: 1280, height: 800 } });
  const { page, look } = opened;
  await openDashboard(page, "?tab=called");
  await look("list");
  const lead = await openLead(page, "Ada Axe");
  await look("list and details");
  await lead.getByRole("button", { name: "Archive" }).click();
  await look("archive prompt");
  await page.getByRole("button", { name: "Cancel" }).click();
  await lead.getByRole("button", { name: "Close" }).click();
  await lookAround(opened);
  await openDashboard(page, "?view=board");
  await page.getByRole("button", { name: "Move Ada Axe" }).focus();
  await page.keyboard.press("Space");
  await page.locator(".board-card--dragged").waitFor();
  expect(await page.locator("[data-dragging]").count()).toBe(1);
  await look("a card held");
});

/** Returns the position of an element on the page. */
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!;

test.each([PHONE, { viewport: { width: 1280, height: 800 } }])(
  "rows are low, the team is one line, and a toast covers no phone number at $viewport.width",
  async (options) => {
    const owner = await insertUser(stage.product.db);
    const mate = await insertTeamMember(stage.product.db, owner);
    await addPurchase(stage, owner, "called", "Lena Low");
    await addPurchase(stage, owner, "called", "Rowan Low");
    const page = await openWindowOf(stage, owner.id, options);
    await openDashboard(page, "?tab=called");
    expect((await boxOf(page, ".row")).height).toBeLessThanOrEqual(84);
    const team = page.locator("details.team");
    await team.getByText(mate.lastName).first().waitFor();
    expect((await team.boundingBox())!.height).toBeLessThanOrEqual(48);

    const lead = await openLead(page, "Lena Low");
    await lead.getByLabel("Stage", { exact: true }).selectOption({ label: "Quote sent" });
    const toast = page.locator(".toasts .toast");
    await toast.waitFor();
    // A focused toast stays open.
    await page.keyboard.press("F8");
    const { y, height } = (await toast.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    const head = await boxOf(page, options === PHONE ? ".detail__head" : ".head");
    expect(y + height).toBeLessThanOrEqual(head.y);
    expect(head.y).toBeLessThan((await boxOf(page, ".contact__lines")).y);
  },
);

test("charts without data say so and draw no axes", async () => {
  const page = await openWindowOf(stage, (await insertUser(stage.product.db)).id, PHONE);
  await page.goto("/figures");
  await page.getByText("Nothing to show yet").first().waitFor();
  expect(await page.locator(".chart svg").count()).toBe(0);
});
