/** A back yard without reception: the open work of a business, on a phone that lost its connection. */
import { and, eq } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { auditLog } from "../worker/db/schema.ts";
import { addPurchase, count, openLead, purchaseOf, row, tile } from "../testing/product/pipeline-stage.ts";
import { expectAccessible, expectFits } from "../testing/product/looks.ts";
import { expectSoon, openContext, openDashboard, setStage, signIn } from "../testing/product/windows.ts";
import { insertTeamMember, insertUser } from "../testing/world.ts";

const stage = setStage();

const PHONE = { viewport: { width: 390, height: 844 } };

/** Whether the page and its files are put by, and leads with them. */
const isKept = (page: Page) =>
  page.evaluate(
    async () =>
      (await caches.match("/dashboard/offline")) !== undefined && document.cookie.includes("offline_key="),
  );

async function payOf(lead: Locator, amount: string) {
  await lead.getByLabel("Customer payment").fill(amount);
  await lead.getByRole("button", { name: "Save" }).first().click();
}

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
    if (name === names[0]) await payOf(lead, "240");
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
  // What was saved is not offered again over what somebody else has saved since.
  const [paid] = ids;
  await expectSoon(async () => (await purchaseOf(stage, paid!)).customerPaymentAmountCents, 24_000);
  const update = { customerPaymentAmount: "300" };
  const mate = await insertTeamMember(stage.product.db, owner);
  const mates = await stage.product.callerFor(mate.id);
  expect((await mates("PATCH", `/api/lead-purchases/${paid}/sales-stage`, update)).status).toBe(200);
  await row(page, names[0]!).getByText("$300").waitFor();
  const lead = await openLead(page, names[0]!);
  expect(await lead.getByLabel("Customer payment").inputValue()).toBe("300.00");
  await lead.getByRole("button", { name: "Close" }).click();
  await openLead(page, names[2]!);
  await page.getByText("changed these notes while you were writing").waitFor();
  expect((await purchaseOf(stage, ids[2]!)).salesNotes).toBe("Dog in the yard");

  await page.locator(".detail").getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Open your dashboard" }).click();
  await page.locator('.connection[data-state="live"]').waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard");
});

/** Opens a lead, changes something of it, and sees on it and on its row that it is not saved yet. */
async function changeOffline(page: Page, name: string, change: (lead: Locator) => Promise<unknown>) {
  const lead = await openLead(page, name);
  await change(lead);
  await lead.locator(".detail__head").getByText("Not saved yet").waitFor();
  await lead.getByRole("button", { name: "Close" }).click();
}

/** How many changes wait on this device. */
const keptChanges = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open("naturestrip-offline");
        open.addEventListener("success", () => {
          const all = open.result.transaction("kept").objectStore("kept").getAllKeys();
          all.addEventListener("success", () =>
            resolve(all.result.filter((name) => String(name).startsWith("change:")).length),
          );
        });
      }),
  );

test("a stage, an amount and a next action set without a connection outlive the page and arrive once each", async () => {
  const owner = await insertUser(stage.product.db);
  const add = (name: string) => addPurchase(stage, owner, "called", name);
  const [moved, paid, planned, theirs] = [
    await add("Stan Stage"),
    await add("Ada Amount"),
    await add("Nell Next"),
    await add("Cora Conflict"),
  ];
  const call = await stage.product.callerFor(owner.id);
  const context = await openContext(stage, PHONE);
  await signIn(context, stage, owner.id);
  const page = await context.newPage();
  await openKept(page);

  await context.setOffline(true);
  await page.goto("/dashboard?tab=called");
  await changeOffline(page, "Ada Amount", (lead) => payOf(lead, "240"));
  // One tap answers what comes after a call: the question does not wait for a connection.
  await changeOffline(page, "Nell Next", async (lead) => {
    await lead.getByRole("button", { name: "Log call" }).click();
    await lead.getByRole("button", { name: "No answer" }).click();
    const set = lead.getByRole("button", { name: "Set next action" });
    await set.click();
    await set.waitFor({ state: "detached" });
  });
  for (const name of ["Stan Stage", "Cora Conflict"]) {
    await changeOffline(page, name, (lead) =>
      lead.getByLabel("Stage", { exact: true }).selectOption({ label: "Quote sent" }),
    );
  }
  await expectSoon(() => keptChanges(page), 4);
  // The page is closed and opened again, still without a connection.
  await page.goto("/dashboard?tab=called");
  await row(page, "Ada Amount").getByText("Not saved yet").waitFor();
  await row(page, "Ada Amount").getByText("$240").waitFor();
  await row(page, "Nell Next").getByText("Tomorrow").waitFor();
  await expectSoon(() => count(page, "Quoted"), "2");
  await expectAccessible(page, "changes that wait");
  const other = await call("PATCH", `/api/lead-purchases/${theirs}/sales-stage`, { salesStage: "declined" });
  expect(other.status).toBe(200);

  await context.setOffline(false);
  await page.getByRole("link", { name: "Open your dashboard" }).waitFor({ timeout: 40_000 });
  await page.getByText("Somebody has moved this lead since. It stays where it is.").waitFor();
  await expectSoon(() => keptChanges(page), 0);
  expect(await purchaseOf(stage, moved)).toMatchObject({ salesStage: "quote_sent" });
  expect(await purchaseOf(stage, paid)).toMatchObject({ customerPaymentAmountCents: 24_000 });
  expect((await purchaseOf(stage, planned)).nextActionAt).toBeGreaterThan(Date.now());
  expect(await purchaseOf(stage, theirs)).toMatchObject({ salesStage: "declined" });
  for (const id of [moved, paid, planned, theirs]) {
    const written = and(eq(auditLog.subjectId, id), eq(auditLog.action, "purchase.update"));
    expect(await stage.product.db.select().from(auditLog).where(written), id).toHaveLength(1);
  }
  await expectSoon(() => page.getByText("Not saved yet").count(), 0);
  await expectSoon(() => count(page, "Quoted"), "1");
});

test("whoever signed out, on a visitor's page too, left nothing behind that a phone without a connection shows", async () => {
  const owner = await insertUser(stage.product.db);
  await addPurchase(stage, owner, "called", "Sal Secret");
  const context = await openContext(stage, PHONE);
  await signIn(context, stage, owner.id);
  const page = await context.newPage();
  await openKept(page);
  // In the dashboard, whose changes would be lost is asked first.
  const changes = "**/api/lead-purchases/*/sales-stage";
  await page.route(changes, (route) => route.abort());
  await page.getByRole("tab", { name: /^Called/ }).click();
  await row(page, "Sal Secret").getByLabel("Stage").selectOption({ label: "Quote sent" });
  await page.getByText("It's kept on this device, and we'll keep trying.").first().waitFor();
  await page.getByRole("button", { name: `${owner.firstName} ${owner.lastName}` }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign out anyway?" });
  await dialog.getByText("1 change isn't saved yet, and would be lost.").waitFor();
  await expectAccessible(page, "sign out anyway");
  await dialog.getByRole("button", { name: "Stay signed in" }).click();
  await page.unroute(changes);
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
