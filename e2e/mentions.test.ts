/**
 * A provider mentions a team member in a lead's notes. `worker/messages/team.test.ts` proves the notification, and
 * `notifications.test.ts` the tap on one.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { addPurchase, detail, openLead, purchaseOf, row } from "../testing/product/pipeline-helpers.ts";
import {
  expectSoon,
  openDashboard,
  openWindowAs,
  setUpFixture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";
import { insertTeamMember, insertUser } from "../testing/world.ts";

const fixture = setUpFixture();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Creates Pat Green's business, with two people named Sam and a lead in its pipeline. */
async function business() {
  const { db } = fixture.product;
  const pat = await insertUser(db, { firstName: "Pat", lastName: "Green" });
  await insertTeamMember(db, pat, { firstName: "Sam", lastName: "Lee" });
  await insertTeamMember(db, pat, { firstName: "Sam", lastName: "Ray" });
  await insertTeamMember(db, pat, { firstName: "Zoë", lastName: "O’Brien" });
  const purchaseId = await addPurchase(fixture, pat, "called", "Nora Notes");
  return { pat, purchaseId };
}

const options = (page: Page) => page.getByRole("listbox", { name: "Mention someone" }).getByRole("option");

test("the owner mentions a team member with a tap on the name, and the notes are saved", async () => {
  const { pat, purchaseId } = await business();
  const page = await openWindowAs(fixture, pat.id, PHONE);
  await openDashboard(page, "?tab=called");
  const lead = await openLead(page, "Nora Notes");
  const notes = lead.getByLabel("Notes");
  await notes.click();
  await page.keyboard.type("Gate code 4711. @sa");
  await expectSoon(() => options(page).allInnerTexts(), ["Sam Lee", "Sam Ray"]);
  const note = "There's more than one Sam, so the last name goes in too.";
  await lead.getByText(note, { exact: true }).waitFor();
  for (const option of await options(page).all())
    expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await expectFits(page, "the names");
  await expectAccessible(page, "the names");
  await options(page).first().tap();
  // Playwright returns before the page receives the tap's click event.
  await expectSoon(() => notes.inputValue(), "Gate code 4711. @Sam Lee ");
  expect(await notes.evaluate((field) => document.activeElement === field)).toBe(true);
  await options(page).first().waitFor({ state: "hidden" });
  await page.keyboard.type("can you quote?");
  await expectSoon(
    async () => (await purchaseOf(fixture, purchaseId)).salesNotes,
    "Gate code 4711. @Sam Lee can you quote?",
  );
});

test("by keyboard: arrows and Enter choose a name, Escape closes the list and leaves the lead open", async () => {
  const { pat } = await business();
  const page = await openWindowAs(fixture, pat.id);
  await openDashboard(page, "?tab=called");
  const lead = await openLead(page, "Nora Notes");
  const notes = lead.getByLabel("Notes");
  await notes.click();
  await page.keyboard.type("@");
  await expectSoon(() => options(page).count(), 3);
  await page.keyboard.press("Escape");
  await options(page).first().waitFor({ state: "hidden" });
  expect(await detail(page).isVisible()).toBe(true);
  // The list does not open for the rest of the same name, but it opens for the next name.
  await page.keyboard.type("zo");
  expect(await options(page).count()).toBe(0);
  await page.keyboard.press("Enter");
  await page.keyboard.type("@zoe");
  await expectSoon(() => options(page).count(), 1);
  const active = () =>
    notes.evaluate(
      (field) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.innerText,
    );
  expect(await active()).toBeUndefined();
  await page.keyboard.press("ArrowDown");
  await expectSoon(active, "Zoë O’Brien");
  await page.keyboard.press("Enter");
  expect(await notes.inputValue()).toBe("@zo\n@Zoë ");
  await page.keyboard.press("Enter");
  expect(await notes.inputValue()).toBe("@zo\n@Zoë \n");
});

test("an owner chooses a member's alerts, and a tick that fails to save reverts", async () => {
  const { pat } = await business();
  const page = await openWindowAs(fixture, pat.id, PHONE);
  await openDashboard(page);
  await page.getByRole("button", { name: "Team", exact: true }).click();
  const theirs = page.getByRole("dialog").getByRole("group", { name: "Notifications for Sam Lee" });
  const sales = theirs.getByRole("checkbox", { name: "When the business gets a lead" });
  expect(await sales.isChecked()).toBe(false);
  expect(await theirs.getByRole("checkbox", { name: "When someone mentions them" }).isChecked()).toBe(true);
  await expectFits(page, "the team");
  await expectAccessible(page, "the team");
  const saved = page.waitForResponse(/\/alerts$/);
  // Read the tick immediately: if it reverted for a moment, a second tap would send the wrong value.
  const ticked = await sales.evaluate((box: HTMLInputElement) => {
    box.click();
    return box.checked;
  });
  expect(ticked, "the tick stands with the tap").toBe(true);
  expect(await (await saved).json()).toEqual({ sales: true, mentions: true });
  await page.route("**/alerts", (route) => route.abort());
  await sales.click();
  await page.getByText("Notifications weren't saved").waitFor();
  await expectSoon(() => sales.isChecked(), true);
  // The server rejects two quick taps, and the page shows the server's state.
  const mentionCheckbox = theirs.getByRole("checkbox", { name: "When someone mentions them" });
  const release = Promise.withResolvers<void>();
  await page.unroute("**/alerts");
  await page.route("**/alerts", async (route) => {
    await release.promise;
    await route.abort();
  });
  const refused: string[] = [];
  page.on("requestfailed", (request) => refused.push(request.postData() ?? ""));
  await sales.click();
  await mentionCheckbox.click();
  expect(await Promise.all([sales.isChecked(), mentionCheckbox.isChecked()])).toEqual([false, false]);
  release.resolve();
  await expectSoon(() => refused.length, 2);
  await expectSoon(() => Promise.all([sales.isChecked(), mentionCheckbox.isChecked()]), [true, true]);
  // The server saves a change but its response is lost. The page shows the saved state.
  await page.unroute("**/alerts");
  await page.route("**/alerts", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sales.click();
  await expectSoon(() => refused.length, 3);
  await expectSoon(() => sales.isChecked(), false);
});

test("a new member can be mentioned at once, and a former one is no longer offered", async () => {
  const { pat } = await business();
  const page = await openWindowAs(fixture, pat.id, PHONE);
  await openDashboard(page, "?tab=called");
  const expectNames = async (names: string[]) => {
    const lead = await openLead(page, "Nora Notes");
    await lead.getByLabel("Notes").click();
    await page.keyboard.type("@");
    await expectSoon(async () => (await options(page).allInnerTexts()).toSorted(), names);
    await page.keyboard.press("Backspace");
    await page.goBack();
    await row(page, "Nora Notes").waitFor();
  };
  await expectNames(["Sam Lee", "Sam Ray", "Zoë O’Brien"]);
  await page.getByRole("button", { name: "Team", exact: true }).click();
  const team = page.getByRole("dialog", { name: "Team" });
  for (const [label, value] of [
    ["First name", "Ada"],
    ["Last name", "New"],
    ["Email", "ada.new@example.com"],
    ["Temporary password", "a-temporary-one"],
  ] as const)
    await team.getByLabel(label).fill(value);
  await team.getByRole("button", { name: "Add team member" }).click();
  await team.waitFor({ state: "detached" });
  await waitForHistoryCleanup(page);
  await page.locator("details.team summary").click();
  await page.getByRole("button", { name: "Remove Sam Ray" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await waitForHistoryCleanup(page);
  await expectNames(["Ada New", "Sam Lee", "Zoë O’Brien"]);
});
