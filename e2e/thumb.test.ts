/** A provider uses a phone with one hand: nothing moves under the thumb, and no tap hits another lead. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { insertPendingLead, insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  openDashboard,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

/** Each test has its own region, without leads from other tests. */
const ADDRESSES = {
  blacktown: "4 Main Street, Blacktown NSW 2148",
  "riverina-and-murray": "4 Main Street, Wagga Wagga NSW 2650",
  "central-coast": "4 Main Street, Gosford NSW 2250",
  parramatta: "4 Main Street, Parramatta NSW 2150",
  "penrith-and-blue-mountains": "4 Main Street, Penrith NSW 2750",
} as const;
type Region = keyof typeof ADDRESSES;

/** Lists leads, as the sweep does. The last one is the newest. */
async function listLeads(region: Region, words: readonly string[]) {
  // Stored a minute ago: the sweep ignores newer leads, since the request that stored them lists them.
  const storedAt = Date.now() - 60_000;
  const leads = [];
  for (const [index, specificRequests] of words.entries()) {
    const request = { specificRequests, customerAddress: ADDRESSES[region] };
    leads.push(await insertPendingLead(fixture.product.db, request, storedAt - words.length + index));
  }
  await fixture.product.runSchedule();
  return leads;
}

const listLead = async (region: Region, words: string) => (await listLeads(region, [words]))[0]!;

async function sell(leadId: string) {
  const call = await fixture.product.callerFor((await insertUser(fixture.product.db)).id);
  const buyer = { buyerName: "Rival", buyerEmail: "rival@example.com", buyerPhone: "0491 570 006" };
  expect((await call("POST", `/api/leads/${leadId}/purchase`, buyer)).status).toBe(201);
}

/** Opens a phone with a list long enough to scroll. */
async function openPhone(region: Region, leads: readonly string[], viewport = { width: 390, height: 664 }) {
  await listLeads(region, leads);
  const phone = { viewport, hasTouch: true, isMobile: true };
  const businessAddress = "1 Church Street, Parramatta NSW 2150";
  const user = await insertUser(fixture.product.db, { watchedRegions: [region], businessAddress });
  const page = await openWindowAs(fixture, user.id, phone);
  await openDashboard(page);
  await card(page, leads.at(-1)!).waitFor();
  return page;
}

/** Shows new leads in the list. */
const showNew = (page: Page) => page.getByRole("button", { name: /new leads?$/ }).click();
const card = (page: Page, words: string) => page.locator(".leads > li").filter({ hasText: words });
const topOf = async (page: Page, words: string) => Math.round((await card(page, words).boundingBox())!.y);
const FIVE = ["First", "Second", "Third", "Fourth", "Fifth"].map((which) => `${which} in the list`);

test("after a purchase the sheet shows the customer's name and number first", async () => {
  const words = `Bought at the end. ${"Please mind the roses. ".repeat(60)}`;
  const page = await openPhone("penrith-and-blue-mountains", [words]);
  await card(page, words)
    .getByRole("button", { name: /^Buy for/ })
    .click();
  const buy = page.getByRole("dialog").getByRole("button", { name: "Buy for $50" });
  await page.getByLabel("Email").fill("pat@lawns.example");
  const scrollTop = () => page.locator("dialog").evaluate((sheet) => Math.round(sheet.scrollTop));
  await page.locator("dialog").evaluate((sheet) => sheet.scrollTo(0, 9999));
  expect(await scrollTop()).toBeGreaterThan(100);
  await buy.click();
  await page.getByRole("dialog", { name: "It's yours" }).getByText("Lead Purchased Successfully!").waitFor();
  expect(await scrollTop()).toBe(0);
  expect(await page.locator(".toasts .toast").count()).toBe(0);
});

test("while the list scrolls, new leads wait behind a button, and sold leads leave a gap", async () => {
  const page = await openPhone("blacktown", FIVE, { width: 360, height: 664 });
  const above = await listLead("blacktown", "Newest so far");
  await showNew(page);
  await card(page, "Newest so far").waitFor();
  await card(page, FIVE[2]!).evaluate((element) => element.scrollIntoView({ block: "center" }));
  const before = await topOf(page, FIVE[2]!);

  await listLead("blacktown", "Came while scrolling");
  await page.getByRole("button", { name: "1 new lead" }).waitFor();
  await listLead("blacktown", "Came a little later");
  const pill = page.getByRole("button", { name: "2 new leads" });
  await pill.waitFor();
  expect(Math.abs((await topOf(page, FIVE[2]!)) - before)).toBeLessThanOrEqual(1);
  await expectAccessible(page, "new leads wait");
  // The button stands in the top bar, so it covers no card.
  await expectFits(page, "new leads wait");
  const [bar, button] = [(await page.locator(".bar").boundingBox())!, (await pill.boundingBox())!];
  expect(button.y).toBeGreaterThanOrEqual(bar.y);
  expect(button.y + button.height).toBeLessThanOrEqual(bar.y + bar.height);
  await sell(above.id);
  await card(page, "Newest so far").getByText("Sold", { exact: true }).waitFor();
  // Scroll positions are whole pixels.
  expect(Math.abs((await topOf(page, FIVE[2]!)) - before)).toBeLessThanOrEqual(1);

  await pill.click();
  await pill.waitFor({ state: "detached" });
  await card(page, "Came while scrolling").waitFor();
  expect(await card(page, "Newest so far").count()).toBe(0);
  expect(await topOf(page, "Came a little later")).toBeGreaterThan(0);
});

test("on a desktop at rest, leads come and go without moving a card", async () => {
  const region = "parramatta";
  const page = await openPhone(region, FIVE, { width: 1280, height: 800 });
  const gone = await listLead(region, "Sold in a moment");
  await showNew(page);
  await card(page, "Sold in a moment").waitFor();
  const aimed = card(page, FIVE[4]!).getByRole("button", { name: /^Buy for/ });
  const before = (await aimed.boundingBox())!;
  await listLead(region, "Came untouched");
  await page.getByRole("button", { name: "1 new lead" }).waitFor();
  await sell(gone.id);
  await card(page, "Sold in a moment").getByText("Sold", { exact: true }).waitFor();
  expect(await aimed.boundingBox()).toEqual(before);
  // Where cards are in columns, opening the card above does not move it either.
  await card(page, "Sold in a moment").locator("summary").click();
  await card(page, "Sold in a moment").locator(".facts").waitFor();
  expect(await aimed.boundingBox()).toEqual(before);
  await card(page, "Sold in a moment").locator("summary").click();
  await page.mouse.click(before.x + before.width / 2, before.y + before.height / 2);
  await page.getByRole("dialog").getByText(FIVE[4]!).waitFor();
});

test("a pressed card keeps its place, and the tap buys the lead under it", async () => {
  const page = await openPhone("riverina-and-murray", FIVE);
  const top = await listLead("riverina-and-murray", "On top for now");
  await showNew(page);
  await card(page, "On top for now").waitFor();
  await card(page, "On top for now")
    .getByRole("button", { name: /^Buy for/ })
    .hover();
  const before = await topOf(page, FIVE[4]!);
  await page.mouse.down();
  await listLead("riverina-and-murray", "Came under the thumb");
  await page.getByRole("button", { name: "1 new lead" }).waitFor();
  await sell(top.id);
  await page.getByRole("tab", { name: /^Available\s*6$/ }).waitFor();
  expect(await topOf(page, FIVE[4]!)).toBe(before);
  await page.mouse.up();
  await card(page, "On top for now").getByText("Sold", { exact: true }).waitFor();
  // Another provider bought the lead during the press. No other lead may open in its place.
  expect(await page.getByRole("dialog").count()).toBe(0);
  await showNew(page);
  await card(page, "Came under the thumb").waitFor();
  expect(await card(page, "On top for now").count()).toBe(0);
});

/** Refreshes from the menu, as on a phone. */
async function refreshByMenu(page: Page) {
  await page.locator(".account__button").tap();
  await page.getByRole("button", { name: "Refresh leads" }).tap();
}

test("on two sizes of phone the first lead is fully visible above the bar, and compact, below the regions' filter", async () => {
  const words = "Please bring the big mower, the grass is up to the knees and there is a slope";
  const page = await openPhone("central-coast", [words]);
  const boxOf = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
  for (const viewport of [
    { width: 360, height: 640 },
    { width: 390, height: 664 },
  ]) {
    await page.setViewportSize(viewport);
    await waitForPaint(page);
    const where = `${viewport.width} px wide`;
    const [bar, lead, buy, views, tiles, regions] = [
      await boxOf(".bar"),
      await boxOf(".leads > li"),
      await boxOf(".leads .button--main"),
      await boxOf(".views"),
      await boxOf(".tiles"),
      await boxOf(".filter-open"),
    ];
    expect(lead.height, where).toBeLessThanOrEqual(190);
    expect(lead.y - bar.y - bar.height, where).toBeLessThanOrEqual(190);
    expect(buy.y + buy.height, where).toBeLessThan(views.y);
    // Every stage is visible with its full name.
    expect(tiles.height, where).toBeLessThanOrEqual(84);
    expect(regions.height, where).toBeLessThanOrEqual(36);
    const cut = await page
      .locator(".tile")
      .evaluateAll((all) =>
        all.filter(
          (one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth,
        ),
      );
    expect(cut, where).toHaveLength(0);
    await expectFits(page, where);
  }
  await page.getByRole("button", { name: "Region: Central Coast" }).tap();
  const region = page.getByRole("button", { name: /^Central Coast/ });
  await region.waitFor();
  await expectAccessible(page, "the choice of regions");
  await region.tap();
  await page.getByRole("button", { name: "Region: Central Coast" }).waitFor();
  await page.getByRole("tab", { name: /^Final/ }).tap();
  await page.getByRole("tab", { name: /^Available/ }).tap();
  await card(page, words).waitFor();
  // The distance from Parramatta to Gosford.
  expect(await card(page, words).locator(".lead__distance").innerText()).toMatch(/^5\d km/);
  await refreshByMenu(page);
  await page.getByText("Refreshed", { exact: true }).waitFor();
  const facts = card(page, words).locator(".facts");
  expect(await facts.isVisible()).toBe(false);
  await expectAccessible(page, "a small lead");
  await page.locator(".lead__more > summary").first().click();
  await facts.waitFor();
  expect(await facts.innerText()).not.toContain("Anytime");
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 664 });
    await expectFits(page, `an opened lead, ${width} px wide`);
  }

  // The filter names the chosen region, and says when it shows several.
  const filter = page.locator(".filter-open");
  expect(await filter.textContent()).toBe("Region: Central Coast");
  await filter.click();
  await page.getByRole("button", { name: "Change regions" }).click();
  await page.getByLabel("Parramatta").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expectSoon(() => filter.textContent(), "Region: Central Coast");
  await filter.click();
  await page.getByRole("button", { name: "All your regions", exact: true }).click();
  await filter.getByText("All your regions").waitFor();
});

/** Delays the page's own history.back() calls until the test releases them. In a browser each takes a moment. */
async function delayHistoryBack(page: Page) {
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    const back = history.back.bind(history);
    history.back = () => void held.push(back);
    const steps = { held, taken: 0 };
    addEventListener("popstate", () => setTimeout(() => (steps.taken += 1)), { capture: true });
    Object.assign(globalThis, { steps });
  });
  type Steps = { steps: { held: (() => void)[]; taken: number } };
  return {
    held: () => page.evaluate(() => (globalThis as unknown as Steps).steps.held.length),
    taken: () => page.evaluate(() => (globalThis as unknown as Steps).steps.taken),
    takeOne: () => page.evaluate(() => (globalThis as unknown as Steps).steps.held.shift()!()),
  };
}

/** Opens the dashboard on a phone with delayed history.back() calls. */
async function openWithDelayedHistory() {
  const user = await insertUser(fixture.product.db);
  const page = await openWindowAs(fixture, user.id, {
    viewport: { width: 390, height: 664 },
    hasTouch: true,
  });
  const steps = await delayHistoryBack(page);
  await openDashboard(page);
  const team = page.getByRole("button", { name: "Team", exact: true });
  const dialog = page.getByRole("dialog");
  return { page, steps, team, dialog };
}

test("dialogs that open and close before history.back() completes stay open, and do not leave the page", async () => {
  const { page, steps, team, dialog } = await openWithDelayedHistory();
  await team.tap();
  await dialog.getByRole("button", { name: "Close" }).tap();
  await expectSoon(steps.held, 1);
  await team.tap();
  await dialog.waitFor();
  await steps.takeOne();
  await expectSoon(steps.taken, 1);
  expect(await dialog.count()).toBe(1);
  await page.goBack();
  await dialog.waitFor({ state: "hidden" });
  expect(new URL(page.url()).pathname).toBe("/dashboard");

  for (let i = 0; i < 2; i++) {
    await team.tap();
    await dialog.getByRole("button", { name: "Close" }).tap();
    await dialog.waitFor({ state: "detached" });
    await expectSoon(async () => (await steps.held()) > 0, true);
  }
  for (let taken = (await steps.taken()) + 1; (await steps.held()) > 0; taken++) {
    await steps.takeOne();
    await expectSoon(steps.taken, taken);
  }
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  expect(await historyLayer(page)()).toBe(null);
});

const shortcuts = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

/** Types into the pipeline's search and opens a dialog before the URL has the text. */
const searchAndOpenShortcuts = (page: Page, text: string) =>
  page.getByLabel("Search the pipeline").evaluate((field: HTMLInputElement, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
  }, text);

/** Opens the dashboard, then the bought leads. Going back returns to the dashboard's own URL. */
async function openLeadsTab(page: Page) {
  await openDashboard(page);
  await page.getByRole("tab", { name: /^Leads/ }).click();
  await page.getByLabel("Search the pipeline").waitFor();
}

const urlSearch = (page: Page) => () => new URL(page.url()).search;
const historyLayer = (page: Page) => () => page.evaluate(() => history.state?.layer ?? null);

/** Checks that a closed dialog leaves this query in the URL, and that Back leaves the list at once. */
async function expectBackLeavesList(page: Page, search: string) {
  await expectSoon(historyLayer(page), null);
  expect(urlSearch(page)()).toBe(search);
  await page.goBack();
  await expectSoon(urlSearch(page), "");
}

test("a dialog and a search that start before history.back() completes both stay", async () => {
  const page = await openWindowAs(fixture, (await insertUser(fixture.product.db)).id);
  const steps = await delayHistoryBack(page);
  await openLeadsTab(page);
  await page.keyboard.press("?");
  await shortcuts(page).waitFor();
  await page.keyboard.press("Escape");
  await expectSoon(steps.held, 1);
  await page.getByLabel("Search the pipeline").fill("hedges");
  await expectSoon(urlSearch(page), "?tab=leads&q=hedges");
  await page.getByRole("tab", { name: /^Leads/ }).focus();
  await page.keyboard.press("?");
  await shortcuts(page).waitFor();
  await steps.takeOne();
  await expectSoon(steps.taken, 1);
  expect(await shortcuts(page).count()).toBe(1);
  expect(urlSearch(page)()).toBe("?tab=leads&q=hedges");

  await page.keyboard.press("Escape");
  await expectSoon(steps.held, 1);
  await steps.takeOne();
  await expectBackLeavesList(page, "?tab=leads&q=hedges");
});

test("a search typed before a dialog opens stays in the URL, and Back leaves the list at once, also after a reload", async () => {
  const page = await openWindowAs(fixture, (await insertUser(fixture.product.db)).id);
  await openLeadsTab(page);
  await searchAndOpenShortcuts(page, "hedges");
  await shortcuts(page).waitFor();
  await expectSoon(urlSearch(page), "?tab=leads&q=hedges");
  await page.keyboard.press("Escape");
  await expectBackLeavesList(page, "?tab=leads&q=hedges");

  await openLeadsTab(page);
  await page.keyboard.press("?");
  await shortcuts(page).waitFor();
  await page.reload();
  await expectBackLeavesList(page, "?tab=leads");
});
