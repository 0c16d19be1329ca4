/** D1 fails for every signed-in user. Checks the error page, the offline leads and the recovery. */
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import { addPurchase, row } from "../testing/product/pipeline-helpers.ts";
import {
  OWN_PRODUCT,
  expectSoon,
  isPipelineStored,
  openContext,
  openDashboard,
  openWindow,
  setUpFixture,
  signIn,
} from "../testing/product/browser-fixture.ts";
import { insertUser } from "../testing/world.ts";

const fixture = setUpFixture(OWN_PRODUCT);

test("while D1 fails a page says so, the stored leads still open, and Try again returns", async () => {
  const owner = await insertUser(fixture.product.db);
  await addPurchase(fixture, owner, "called", "Kay Kept");
  const context = await openContext(fixture, { viewport: { width: 360, height: 740 } });
  await signIn(context, fixture, owner.id);
  const page = await context.newPage();
  await openDashboard(page);
  await expectSoon(() => isPipelineStored(page), true);

  await fixture.product.db.run(sql`ALTER TABLE sessions RENAME TO sessions_away`);
  const failed = await page.goto("/dashboard?tab=called");
  expect(failed!.status()).toBe(500);
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  await expectFits(page, "trouble");
  await expectAccessible(page, "trouble");
  await page.getByRole("link", { name: "Leads on this device" }).click();
  await page.getByRole("heading", { name: "Your leads, offline" }).waitFor();
  await page.getByText("We can't reach Naturestrip right now. These are your open leads as of").waitFor();
  await row(page, "Kay Kept").waitFor();

  await page.goBack();
  await page.getByRole("link", { name: "Try again" }).waitFor();
  await fixture.product.db.run(sql`ALTER TABLE sessions_away RENAME TO sessions`);
  await page.getByRole("link", { name: "Try again" }).click();
  await row(page, "Kay Kept").waitFor();
  expect(new URL(page.url()).search).toContain("tab=called");
});

test("a form sent without script while D1 fails returns with its input, and can be sent once D1 works", async () => {
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  await page.goto("/service/hedge-trimming");
  const typed = {
    customerName: "Una Script",
    customerPhone: "02 5550 0123",
    customerAddress: "12 Banksia Street, Leichhardt NSW 2040",
    serviceNeed: "The hedge along the drive",
  };
  for (const [name, value] of Object.entries(typed)) await page.locator(`[name=${name}]`).fill(value);
  const send = page.getByRole("button", { name: "Get Free Quote" });
  await fixture.product.db.run(sql`ALTER TABLE leads RENAME COLUMN submission_id TO submission_id_away`);
  await send.click();
  await page.getByRole("alert").waitFor();
  for (const [name, value] of Object.entries(typed))
    expect(await page.locator(`[name=${name}]`).inputValue()).toBe(value);
  await fixture.product.db.run(sql`ALTER TABLE leads RENAME COLUMN submission_id_away TO submission_id`);
  await send.click();
  await page.getByRole("heading", { name: "Request Submitted Successfully!" }).waitFor();
});
