/** The pipeline on a phone and a desktop, in each view and state: it fits and is accessible. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { leadPurchases, leads } from "../worker/tables.ts";
import { insertTeamMember, insertUser, sessionCookie } from "../testing/world.ts";
import { expectAccessible, expectFits, collectPageErrors } from "../testing/product/page-checks.ts";
import {
  addPurchase,
  chooseInMenu,
  openLead,
  purchaseOf,
  tile,
} from "../testing/product/pipeline-helpers.ts";
import { keepToasts, openDashboard, openWindowAs, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();
const HOUR_MS = 3_600_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Opens the pipeline of a provider with an overdue lead. Returns a function that checks its current state. */
async function openForChecks(options: Parameters<typeof openWindowAs>[2]) {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "called", "Ada Axe");
  await addPurchase(fixture, owner, "quote_sent", "Quinn Quoted");
  await fixture.product.db
    .update(leadPurchases)
    .set({
      nextActionAt: Date.now() - 50 * HOUR_MS,
      nextActionNote: "Ring about the hedge, twice if need be",
    })
    .where(eq(leadPurchases.id, id));
  const { leadId } = await purchaseOf(fixture, id);
  const serviceType = ["lawn_mowing", "hedge_trimming", "garden_cleanup"] as const;
  await fixture.product.db
    .update(leads)
    .set({ serviceType: [...serviceType] })
    .where(eq(leads.id, leadId));
  const page = await openWindowAs(fixture, owner.id, options);
  const errors = collectPageErrors(page);
  const checkView = async (where: string) => {
    await expectFits(page, where);
    await expectAccessible(page, where);
    expect(errors, where).toEqual([]);
  };
  return { page, checkView };
}

/** Checks the board and Today. `admin-overview.test.ts` checks the figures. */
async function checkOtherViews({ page, checkView }: Awaited<ReturnType<typeof openForChecks>>) {
  for (const [name, wait] of [
    ["Board", ".board-card"],
    ["Today", ".row"],
  ] as const) {
    await page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await page.locator(wait).first().waitFor();
    await checkView(name);
  }
}

test("every state and dialog of the list, the board and Today fits a phone and has no console errors or axe violations", async () => {
  const opened = await openForChecks(PHONE);
  const { page, checkView } = opened;
  await openDashboard(page, "?tab=called");
  const suburb = page.locator(".row__suburb").first();
  const isFullyVisible = await suburb.evaluate((place) => {
    const job = place.parentElement!;
    return job.scrollWidth <= job.clientWidth && place.getBoundingClientRect().right <= innerWidth;
  });
  expect(isFullyVisible, "a row says where the job is").toBe(true);
  await page.getByRole("button", { name: "Sort and filter" }).click();
  await checkView("list with filters");
  const lead = await openLead(page, "Ada Axe");
  // The details replace the list, so the user cannot reach the list's controls.
  expect(await page.getByRole("tab").count()).toBe(0);
  await lead.getByText("Added by hand").first().waitFor();
  await checkView("details");
  await lead.getByLabel("Day").fill("");
  await lead.getByRole("form", { name: "Next action" }).getByRole("button", { name: "Save" }).click();
  await lead.getByText("Please choose a day for it").waitFor();
  await checkView("details with an error");
  // A second tap in the same place hits the same button and must not select a result.
  const log = lead.getByRole("button", { name: "Log call" });
  await log.evaluate((button) => button.scrollIntoView({ block: "center" }));
  const before = await log.boundingBox();
  await log.tap();
  await lead.getByText("How did it go?").waitFor();
  expect(await log.boundingBox()).toEqual(before);
  await checkView("how a call went");
  await lead.getByRole("button", { name: "Dismiss" }).click();
  await lead.getByRole("button", { name: "More actions" }).click();
  await checkView("menu");
  await page.keyboard.press("Escape");
  await chooseInMenu(lead, "Archive");
  await checkView("archive prompt");
  await page.getByRole("button", { name: "Cancel" }).click();
  await chooseInMenu(lead, "Remove");
  await checkView("remove prompt");
  await page.getByRole("button", { name: "Cancel" }).click();
  await lead.getByRole("button", { name: "Close" }).click();
  await tile(page, "Called").waitFor();
  await checkOtherViews(opened);
});

test("the list, the board and Today also pass axe on a desktop, with an open lead beside the list and a held card", async () => {
  const opened = await openForChecks({ viewport: { width: 1280, height: 800 } });
  const { page, checkView } = opened;
  await openDashboard(page, "?tab=called");
  await checkView("list");
  const lead = await openLead(page, "Ada Axe");
  await checkView("list and details");
  await lead.getByRole("button", { name: "Close" }).click();
  await checkOtherViews(opened);
  await openDashboard(page, "?view=board");
  await page.getByRole("button", { name: "Move Ada Axe" }).focus();
  await page.keyboard.press("Space");
  await page.locator(".board-card--dragged").waitFor();
  expect(await page.locator("[data-dragging]").count()).toBe(1);
  await checkView("a card held");
});

/** Returns the position of an element on the page. */
const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!;

test.each([PHONE, { viewport: { width: 1280, height: 800 } }])(
  "rows are low, the team is one line, and a toast covers no phone number at $viewport.width",
  async (options) => {
    const owner = await insertUser(fixture.product.db);
    const mate = await insertTeamMember(fixture.product.db, owner);
    await addPurchase(fixture, owner, "called", "Lena Low");
    await addPurchase(fixture, owner, "called", "Rowan Low");
    const page = await openWindowAs(fixture, owner.id, options);
    await openDashboard(page, "?tab=called");
    expect((await boxOf(page, ".row")).height).toBeLessThanOrEqual(84);
    const team = page.locator("details.team");
    await team.getByText(mate.lastName).first().waitFor();
    expect((await team.boundingBox())!.height).toBeLessThanOrEqual(48);

    await keepToasts(page);
    const lead = await openLead(page, "Lena Low");
    await lead.getByLabel("Stage", { exact: true }).selectOption({ label: "Quote sent" });
    const toast = page.locator(".toasts .toast");
    await toast.waitFor();
    const { y, height } = (await toast.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    const head = await boxOf(page, options === PHONE ? ".detail__head" : ".head");
    expect(y + height).toBeLessThanOrEqual(head.y);
    expect(head.y).toBeLessThan((await boxOf(page, ".contact__lines")).y);
  },
);

test("charts without data say so and draw no axes", async () => {
  const { db, url } = fixture.product;
  const owner = await insertUser(db);
  const response = await fetch(`${url}/figures`, { headers: { Cookie: await sessionCookie(db, owner.id) } });
  const html = await response.text();
  expect(html).toContain("Nothing to show yet");
  expect(html).not.toMatch(/<svg[^>]*role="img"/);
});
