/** A team's other actions on leads: correct, assign, move several, sort. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";

import { leadPurchases, leads } from "../worker/tables.ts";
import { insertManualPurchase, insertTeamMember, insertUser } from "../testing/world.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  addPurchase,
  count,
  detail,
  openLead,
  purchaseOf,
  row,
} from "../testing/product/pipeline-helpers.ts";
import {
  expectSoon,
  keepToasts,
  openDashboard,
  openWindowAs,
  setUpFixture,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();
const DAY_MS = 86_400_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

test("a corrected number is used immediately by a team member, and its previous value stays readable", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db, { firstName: "Olive", lastName: "Owner" });
  const mate = await insertTeamMember(db, owner, { firstName: "Sam", lastName: "Lee" });
  const id = await insertManualPurchase(db, owner, {
    stage: "called",
    startedAt: Date.now() - DAY_MS,
    request: { customerName: "Jon Smit", customerPhone: "0491 570 006", customerEmail: "" },
  });
  const other = await openWindowAs(fixture, owner.id);
  await openDashboard(other, `?tab=called&lead=${id}`);
  await detail(other).getByRole("heading", { name: "Jon Smit" }).waitFor();
  const page = await openWindowAs(fixture, mate.id, PHONE);
  await openDashboard(page, `?tab=called&lead=${id}`);
  await detail(page).getByRole("button", { name: "Correct details" }).click();
  const dialog = page.getByRole("dialog", { name: "Correct details" });
  await dialog.getByLabel("Customer name").fill("John Smith");
  await dialog.getByLabel("Phone").fill("12345");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Phone number is required").waitFor();
  await dialog.getByLabel("Phone").fill("0491 570 156");
  await expectFits(page, "correct details");
  await expectAccessible(page, "correct details");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  for (const window of [page, other]) {
    await detail(window).getByRole("heading", { name: "John Smith" }).waitFor();
    const call = detail(window).getByRole("link", { name: "Call John Smith" });
    expect(await call.getAttribute("href")).toBe("tel:+61491570156");
    await detail(window).getByText("Phone corrected. It was 0491 570 006").waitFor();
    await detail(window).getByText("Name corrected. It was Jon Smit").waitFor();
    await detail(window).getByText(", Sam Lee").first().waitFor();
  }
  const { leadId } = await purchaseOf(fixture, id);
  const [request] = await db.select().from(leads).where(eq(leads.id, leadId));
  expect(request).toMatchObject({ customerName: "Jon Smit", customerPhone: "0491 570 006" });
});

test("a lead is assigned to a team member, who finds it under Mine", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db);
  const mate = await insertTeamMember(db, owner, { firstName: "Sam", lastName: "Lee" });
  const id = await addPurchase(fixture, owner, "called", "Anna Assigned");
  await addPurchase(fixture, owner, "called", "Una Assigned");
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, "?tab=called");
  const lead = await openLead(page, "Anna Assigned");
  await lead.getByLabel("Assigned to").selectOption("Sam Lee");
  await expectSoon(async () => (await purchaseOf(fixture, id)).assignedToUserId, mate.id);
  await row(page, "Anna Assigned").getByText("Assigned to Sam").waitFor();
  const theirs = await openWindowAs(fixture, mate.id);
  await openDashboard(theirs, "?tab=called");
  await row(theirs, "Una Assigned").waitFor();
  await theirs.getByRole("button", { name: "Mine" }).click();
  await row(theirs, "Una Assigned").waitFor({ state: "detached" });
  await row(theirs, "Anna Assigned").getByText("Assigned to You").waitFor();
  expect(new URL(theirs.url()).searchParams.get("mine")).toBe("yes");
});

test("several leads are found by next action and moved at once, with one message and one undo", async () => {
  const { db } = fixture.product;
  const owner = await insertUser(db);
  const names = ["Mia One", "Mia Two", "Mia Three"];
  const ids = await Promise.all(names.map((name) => addPurchase(fixture, owner, "called", name)));
  for (const [at, days] of [
    [0, 3],
    [1, 1],
  ] as const)
    await db
      .update(leadPurchases)
      .set({ nextActionAt: Date.now() + days * DAY_MS })
      .where(eq(leadPurchases.id, ids[at]!));
  const page = await openWindowAs(fixture, owner.id, PHONE);
  await openDashboard(page, "?tab=called");
  await keepToasts(page);
  await row(page, "Mia One").waitFor();
  await page.getByRole("button", { name: "Sort and filter" }).click();
  await page.getByLabel("Order").selectOption("Next action first");
  // Leads without a next action come last.
  const shown = () =>
    page
      .locator(".work__list article")
      .evaluateAll((rows) => rows.map((found) => found.getAttribute("aria-label")).join());
  await expectSoon(shown, "Mia Two,Mia One,Mia Three");
  await page.getByRole("button", { name: "Select several" }).click();
  const bar = page.getByRole("region", { name: "Selected leads" });
  for (const name of names.slice(0, 2)) await page.getByLabel(`Select ${name}`).check();
  await bar.getByText("2 selected").waitFor();
  await expectFits(page, "several leads");
  await expectAccessible(page, "several leads");
  await bar.getByLabel("Move selected leads to").selectOption("Quote sent");
  await page.getByText("2 leads moved to Quote sent").waitFor();
  expect(await page.getByText("Sales stage updated").count()).toBe(0);
  await expectSoon(() => count(page, "Quoted"), "2");
  const stages = async () =>
    (await Promise.all(ids.map((id) => purchaseOf(fixture, id)))).map(({ salesStage }) => salesStage);
  expect(await stages()).toEqual(["quote_sent", "quote_sent", "called"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectSoon(async () => (await stages()).join(), "called,called,called");
});
