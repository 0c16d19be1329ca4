/** A back yard without reception: the open work of a business, on a phone that lost its connection. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { addPurchase, openLead, purchaseOf, row, tile } from "../testing/product/pipeline-stage.ts";
import { expectAccessible, expectFits } from "../testing/product/looks.ts";
import { expectSoon, openContext, openDashboard, setStage, signIn } from "../testing/product/windows.ts";
import { insertUser } from "../testing/world.ts";

const stage = setStage();

const PHONE = { viewport: { width: 390, height: 844 } };

/** Whether the page and its files are put by, and leads with them. */
const isKept = (page: Page) =>
  page.evaluate(
    async () =>
      (await caches.match("/dashboard/offline")) !== undefined && document.cookie.includes("offline_key="),
  );

async function openKept(page: Page) {
  await openDashboard(page);
  await expectSoon(() => isKept(page), true);
}

test("three leads are opened and changed without a connection; each change arrives once, and a conflict is shown", async () => {
  const owner = await insertUser(stage.product.db);
  const names = ["Yara Yard", "Gil Gate", "Pam Pool"];
  const ids = await Promise.all(names.map((name) => addPurchase(stage, owner, "called", name)));
  const call = await stage.product.callerFor(owner.id);
  const closed = await addPurchase(stage, owner, "called", "Carl Closed");
  expect((await call("POST", `/api/lead-purchases/${closed}/archive`)).status).toBe(200);
  const context = await openContext(stage, PHONE);
  await signIn(context, stage, owner.id);
  const page = await context.newPage();
  await openKept(page);

  await context.setOffline(true);
  await page.goto("/dashboard?tab=called");
  await page.getByRole("heading", { name: "Your leads, offline" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard/offline");
  await page.getByText("No connection. These are your open leads as of").waitFor();
  expect(await tile(page, "Called").innerText()).toContain("3");
  expect(await page.content()).not.toContain(closed);
  await expectFits(page, "offline");
  await expectAccessible(page, "offline");
  for (const name of names) {
    const lead = await openLead(page, name);
    expect(await lead.locator('a[href^="tel:"]').count()).toBeGreaterThan(0);
    await lead.getByLabel("Notes").fill(`Written beside the shed of ${name}`);
    await lead.getByText("Not saved").waitFor();
    await lead.getByRole("button", { name: "Close" }).click();
    await row(page, name).waitFor();
  }

  // Meanwhile somebody with reception writes about the last of them.
  const answer = await call("PATCH", `/api/lead-purchases/${ids[2]}/sales-stage`, {
    salesNotes: "Dog in the yard",
    notesVersion: (await purchaseOf(stage, ids[2]!)).notesVersion,
  });
  expect(answer.status).toBe(200);

  await context.setOffline(false);
  await page.getByText("You're back online.").waitFor({ timeout: 40_000 });
  for (const [at, name] of [...names.entries()].slice(0, 2))
    await expectSoon(
      async () => (await purchaseOf(stage, ids[at]!)).salesNotes,
      `Written beside the shed of ${name}`,
    );
  // Once each: a change raises the version by one.
  const versions = ids.map(async (id) => (await purchaseOf(stage, id)).notesVersion);
  expect(await Promise.all(versions)).toEqual([1, 1, 1]);
  await openLead(page, names[2]!);
  await page.getByText("changed these notes while you were writing").waitFor();
  expect((await purchaseOf(stage, ids[2]!)).salesNotes).toBe("Dog in the yard");

  await page.locator(".detail").getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Open your dashboard" }).click();
  await page.locator('.connection[data-state="live"]').waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard");
});

test("whoever signed out, on a visitor's page too, left nothing behind that a phone without a connection shows", async () => {
  const owner = await insertUser(stage.product.db);
  await addPurchase(stage, owner, "called", "Sal Secret");
  const context = await openContext(stage, PHONE);
  await signIn(context, stage, owner.id);
  const page = await context.newPage();
  await openKept(page);
  await page.goto("/privacy-policy");
  await page
    .locator("form[action='/logout'] button")
    .first()
    .evaluate((button: HTMLElement) => button.click());
  await page.getByText("Logged out successfully").first().waitFor();

  await context.setOffline(true);
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "You're offline" }).waitFor();
  expect(await page.content()).not.toContain("Sal Secret");
  const left = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open("naturestrip-offline");
        open.addEventListener("success", () => {
          const all = open.result.transaction("kept").objectStore("kept").count();
          all.addEventListener("success", () => resolve(all.result));
        });
      }),
  );
  expect(left).toBe(0);
});
