import { expect, test } from "vitest";

import { fillPipeline } from "../testing/pipeline.ts";
import { insertManualPurchase, insertUser } from "../testing/world.ts";
import { addPurchase, column, purchaseOf } from "../testing/product/pipeline-helpers.ts";
import { expectSoon, openDashboard, openWindowAs, setUpFixture } from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();
const HOUR_MS = 3_600_000;

test("a lead on the board can be moved by keyboard, mouse and stage list, and each move is announced", async () => {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "accepted_lead", "Bo Board");
  const page = await openWindowAs(fixture, owner.id, { viewport: { width: 1400, height: 900 } });
  await openDashboard(page, "?view=board");
  const card = (name: string) => column(page, name).getByRole("article", { name: "Bo Board" });
  await card("Accepted lead").getByRole("button", { name: "Move Bo Board" }).focus();
  const spoken = page.locator("[id^=DndLiveRegion]");
  await page.keyboard.press("Space");
  await expectSoon(() => spoken.innerText(), "Bo Board is over Accepted lead.");
  await page.keyboard.press("ArrowRight");
  await expectSoon(() => spoken.innerText(), "Bo Board is over Called.");
  await page.keyboard.press("ArrowRight");
  await expectSoon(() => spoken.innerText(), "Bo Board is over Quote sent.");
  await page.keyboard.press("Space");
  await card("Quote sent").waitFor();
  await expectSoon(async () => (await purchaseOf(fixture, id)).salesStage, "quote_sent");

  await page.keyboard.press("Escape");
  const target = await column(page, "Called").boundingBox();
  await card("Quote sent").getByRole("link", { name: "Bo Board" }).hover();
  await page.mouse.down();
  await page.mouse.move(target!.x + 60, target!.y + 120, { steps: 12 });
  await expectSoon(() => spoken.innerText(), "Bo Board is over Called.");
  await page.mouse.up();
  await card("Called").waitFor();
  await expectSoon(async () => (await purchaseOf(fixture, id)).salesStage, "called");

  await card("Called").getByLabel("Stage of Bo Board").selectOption({ label: "Job booked" });
  await card("Job booked").waitFor();
  await page.getByRole("region", { name: "Job booked, 1" }).waitFor();
});

test("a lead moved by keyboard or stage list in a long column keeps the focus", async () => {
  const owner = await insertUser(fixture.product.db);
  const { d1: DB } = fixture.product;
  await fillPipeline(DB, owner, 400);
  // The oldest lead comes last in any column.
  const id = await insertManualPurchase(fixture.product.db, owner, {
    stage: "declined",
    startedAt: Date.now() - 500 * HOUR_MS,
    request: { customerName: "Olga Old" },
  });
  const page = await openWindowAs(fixture, owner.id, { viewport: { width: 1400, height: 900 } });
  await openDashboard(page, "?view=board");
  const card = (name: string) => column(page, name).getByRole("article", { name: "Olga Old" });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  const spoken = page.locator("[id^=DndLiveRegion]");
  // The column grows while the rest of the pipeline loads.
  await expectSoon(async () => {
    await column(page, "Declined")
      .locator(".column__cards")
      .evaluate((cards) => cards.scrollTo(0, cards.scrollHeight));
    return card("Declined").count();
  }, 1);
  // Delay the responses, so that both moves are in flight at the same time.
  const answers = Promise.withResolvers<void>();
  await page.route("**/api/lead-purchases/*/sales-stage", async (route) => {
    await answers.promise;
    await route.continue();
  });
  await card("Declined").getByRole("button", { name: "Move Olga Old" }).focus();
  await page.keyboard.press("Space");
  await expectSoon(() => spoken.innerText(), "Olga Old is over Declined.");
  await page.keyboard.press("ArrowLeft");
  await expectSoon(() => spoken.innerText(), "Olga Old is over Invoice paid.");
  await page.keyboard.press("Space");
  await expectSoon(focused, "Move Olga Old");
  await card("Invoice paid").getByLabel("Stage of Olga Old").selectOption({ label: "Called" });
  const list = card("Called").getByLabel("Stage of Olga Old");
  const isFocused = () => list.evaluate((select) => select === document.activeElement);
  await expectSoon(isFocused, true);
  answers.resolve();
  await expectSoon(async () => (await purchaseOf(fixture, id)).salesStage, "called");
  const told = page.locator(".toast");
  await told.getByText("Sales stage updated").waitFor();
  expect(await isFocused()).toBe(true);
  // The focus also survives the end of the toast. Skip its eight seconds.
  await expectSoon(async () => {
    await told.evaluateAll((toasts) => {
      for (const toast of toasts) for (const stay of toast.getAnimations()) stay.finish();
    });
    return told.count();
  }, 0);
  expect(await isFocused()).toBe(true);
});
