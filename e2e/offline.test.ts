/** A backyard without reception: a business uses its open leads on an offline phone. */
import { and, eq } from "drizzle-orm";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect, test } from "vitest";

import { auditLog, photos, sessions } from "../worker/tables.ts";
import { addPurchase, count, openLead, purchaseOf, row, tile } from "../testing/product/pipeline-helpers.ts";
import { expectAccessible, expectFits } from "../testing/product/page-checks.ts";
import {
  countStoredEntries,
  dropResponses,
  expectSoon,
  isPipelineStored,
  openContext,
  openDashboard,
  setUpFixture,
  signIn,
  signInByForm,
  takePicture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";
import { pngPhoto } from "../testing/photos.ts";
import { insertTeamMember, insertUser } from "../testing/world.ts";

const fixture = setUpFixture();

const PHONE = { viewport: { width: 390, height: 844 } };

/**
 * Waits until the page is online again, when it links to the dashboard. An earlier message also mentions
 * being back online.
 */
async function waitUntilOnline(page: Page) {
  await page.getByRole("link", { name: "Open your dashboard" }).waitFor();
  expect(await page.locator(".offline-note").innerText()).toBe("You're back online. Open your dashboard");
}

async function fillAmount(lead: Locator, amount: string) {
  await lead.getByLabel("Customer payment").fill(amount);
  await lead.locator(".amount").getByRole("button", { name: "Save" }).click();
}

/** Opens a business's phone, with a lead that the business has called. */
async function openPhone(customerName: string) {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "called", customerName);
  const context = await openContext(fixture, PHONE);
  await signIn(context, fixture, owner.id);
  return { owner, id, context, page: await context.newPage() };
}

async function openStored(page: Page) {
  await openDashboard(page);
  await expectSoon(() => isPipelineStored(page), true);
}

test("the build's list for offline use contains each file that the offline page names", async () => {
  const { url } = fixture.product;
  const [page, list] = await Promise.all([
    fetch(`${url}/dashboard/offline`),
    fetch(`${url}/offline-files.json`),
  ]);
  const files = (await list.json()) as string[];
  const named = (await page.text()).match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? [];
  expect(named).toContain(files.find((file) => file.includes("/offline-page-") && file.endsWith(".js")));
  // The manifest of all routes is made after the list. The service worker reads its name from the page.
  expect(named.filter((file) => !files.includes(file) && !file.startsWith("/assets/manifest-"))).toEqual([]);
});

test("three leads are opened and changed offline; each change arrives once, and a conflict is shown", async () => {
  const owner = await insertUser(fixture.product.db);
  const names = ["Yara Yard", "Gil Gate", "Pam Pool"];
  const ids = await Promise.all(names.map((name) => addPurchase(fixture, owner, "called", name)));
  const call = await fixture.product.callerFor(owner.id);
  const closed = await addPurchase(fixture, owner, "called", "Carl Closed");
  expect((await call("POST", `/api/lead-purchases/${closed}/archive`)).status).toBe(200);
  const context = await openContext(fixture, PHONE);
  await signIn(context, fixture, owner.id);
  const page = await context.newPage();
  await openStored(page);
  // Routing disables the browser's own cache. The effect is as if a phone had evicted it overnight.
  await page.route("**/nothing", (route) => route.continue());

  await context.setOffline(true);
  await page.goto("/dashboard?tab=called");
  await page.getByRole("heading", { name: "Your leads, offline" }).waitFor();
  const sign = page.locator(".bar__logo img");
  await expectSoon(() => sign.evaluate((image: HTMLImageElement) => image.naturalWidth > 0), true);
  expect(new URL(page.url()).pathname).toBe("/dashboard/offline");
  await page.getByText("We can't reach Naturestrip right now. These are your open leads as of").waitFor();
  expect(await tile(page, "Called").innerText()).toContain("3");
  expect(await page.content()).not.toContain(closed);
  await expectFits(page, "offline");
  await expectAccessible(page, "offline");
  for (const name of names) {
    const lead = await openLead(page, name);
    expect(await lead.locator('a[href^="tel:"]').count()).toBeGreaterThan(0);
    await lead.getByLabel("Notes").fill(`Written beside the shed of ${name}`);
    await lead.getByText("Not saved").waitFor();
    if (name === names[0]) await fillAmount(lead, "240");
    await lead.getByRole("button", { name: "Close" }).click();
    await row(page, name).waitFor();
  }

  // A team member with reception edits the last lead.
  const response = await call("PATCH", `/api/lead-purchases/${ids[2]}/sales-stage`, {
    salesNotes: "Dog in the yard",
    notesVersion: (await purchaseOf(fixture, ids[2]!)).notesVersion,
  });
  expect(response.status).toBe(200);

  await context.setOffline(false);
  await waitUntilOnline(page);
  for (const [at, name] of [...names.entries()].slice(0, 2))
    await expectSoon(
      async () => (await purchaseOf(fixture, ids[at]!)).salesNotes,
      `Written beside the shed of ${name}`,
    );
  // Each change arrived once: every change increments the version.
  const versions = ids.map(async (id) => (await purchaseOf(fixture, id)).notesVersion);
  expect(await Promise.all(versions)).toEqual([1, 1, 1]);
  // The page must not offer a saved change again over a team member's later edit.
  const [paid] = ids;
  await expectSoon(async () => (await purchaseOf(fixture, paid!)).customerPaymentAmountCents, 24_000);
  const update = { customerPaymentAmount: "300" };
  const mate = await insertTeamMember(fixture.product.db, owner);
  const mates = await fixture.product.callerFor(mate.id);
  expect((await mates("PATCH", `/api/lead-purchases/${paid}/sales-stage`, update)).status).toBe(200);
  await row(page, names[0]!).getByText("$300").waitFor();
  const lead = await openLead(page, names[0]!);
  expect(await lead.getByLabel("Customer payment").inputValue()).toBe("300.00");
  await lead.getByRole("button", { name: "Close" }).click();
  await openLead(page, names[2]!);
  await page.getByText("changed these notes while you were writing").waitFor();
  expect((await purchaseOf(fixture, ids[2]!)).salesNotes).toBe("Dog in the yard");

  await page.locator(".detail").getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Open your dashboard" }).click();
  // The previous page also has a live connection.
  await page.getByRole("heading", { name: "Lead Dashboard" }).waitFor();
  await page.locator('.connection[data-state="live"]').waitFor();
  expect(new URL(page.url()).pathname).toBe("/dashboard");
});

/** Whether nothing covers the middle of an element in the window. */
const isInWindow = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top, left, width, height } = element.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return top >= 0 && top + height <= innerHeight && element.contains(shown);
  });

/** Opens a lead, changes it, and checks that the lead and its row are marked as not saved yet. */
async function changeOffline(page: Page, name: string, change: (lead: Locator) => Promise<unknown>) {
  const lead = await openLead(page, name);
  await change(lead);
  await lead.locator(".detail__head").getByText("Not saved yet").waitFor();
  // No toast appears, since the mark in the lead's header is visible.
  expect(await page.locator(".toasts").getByText("Not saved yet").count()).toBe(0);
  await lead.getByRole("button", { name: "Close" }).click();
}

/** Dispatches "online" repeatedly until all changes are sent, since notes in flight ignore the event. */
const expectSentOnline = (page: Page, id: string) =>
  expectSoon(
    async () => {
      await page.evaluate(() => dispatchEvent(new Event("online")));
      const { salesStage, salesNotes } = await purchaseOf(fixture, id);
      return { salesStage, salesNotes };
    },
    { salesStage: "quote_sent", salesNotes: "The gate sticks" },
  );

/** Counts the unsent changes on this device. */
const countStoredChanges = (page: Page) => countStoredEntries(page, "change:");

test("a stage, an amount and a next action changed offline survive a closed page, and each arrives once", async () => {
  const { owner, id: moved, context, page } = await openPhone("Stan Stage");
  const add = (name: string) => addPurchase(fixture, owner, "called", name);
  const [paid, planned, theirs] = [
    await add("Ada Amount"),
    await add("Nell Next"),
    await add("Cora Conflict"),
  ];
  const call = await fixture.product.callerFor(owner.id);
  await openStored(page);

  await context.setOffline(true);
  await page.goto("/dashboard?tab=called");
  await changeOffline(page, "Ada Amount", (lead) => fillAmount(lead, "240"));
  // After a call, one tap sets the next action, even offline.
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
  // The device also stores the call, and sends it before the changes that depend on it.
  await expectSoon(() => countStoredChanges(page), 5);
  // Close and reopen the page, still offline.
  await page.goto("/dashboard?tab=called");
  await row(page, "Ada Amount").getByText("Not saved yet").waitFor();
  await row(page, "Ada Amount").getByText("$240").waitFor();
  await row(page, "Nell Next").getByText("Tomorrow").waitFor();
  await expectSoon(() => count(page, "Quoted"), "2");
  await expectAccessible(page, "changes that wait");
  const other = await call("PATCH", `/api/lead-purchases/${theirs}/sales-stage`, { salesStage: "declined" });
  expect(other.status).toBe(200);

  // The user has not touched the page, so it returns to the one that was opened.
  await context.setOffline(false);
  await page.waitForURL("**/dashboard?tab=called");
  // The alert names the lead and stays until the user dismisses it, even after later saves.
  const conflictAlert = page.getByRole("alert").filter({ hasText: "A change wasn't saved" });
  await conflictAlert.getByText("Cora Conflict", { exact: true }).waitFor();
  await conflictAlert
    .getByText("Stage “Quote sent”: Someone has already moved this lead, so we left it where it is.")
    .waitFor();
  await expectSoon(() => countStoredChanges(page), 0);
  await expectAccessible(page, "a change that was refused");
  await expectFits(page, "a change that was refused");
  await takePicture(page, "refused-list");
  // It is shown where the user is: above a scrolled list, and in an open lead.
  await page.setViewportSize({ width: 390, height: 420 });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  expect(await isInWindow(conflictAlert)).toBe(true);
  const ada = await openLead(page, "Ada Amount");
  await ada.evaluate((lead) => lead.scrollTo(0, lead.scrollHeight));
  expect(await conflictAlert.count()).toBe(1);
  expect(await isInWindow(conflictAlert)).toBe(true);
  await page.setViewportSize(PHONE.viewport);
  await expectAccessible(page, "a change that was refused, in a lead");
  await expectFits(page, "a change that was refused, in a lead");
  await takePicture(page, "refused-lead");
  // The alert survives the page, such as when a phone discards a background page.
  await page.goto("/dashboard");
  await conflictAlert.getByText("Cora Conflict", { exact: true }).waitFor();
  await expectFits(page, "a change that was refused before");
  // Signing out asks first, since it would delete the alert.
  await page.getByRole("button", { name: `${owner.firstName} ${owner.lastName}` }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign out anyway?" });
  await dialog
    .getByText("1 change wasn't saved. Stay signed in, and your dashboard will tell you why.")
    .waitFor();
  expect(await dialog.getByText("you'll lose").count()).toBe(0);
  await dialog.getByRole("button", { name: "Stay signed in" }).click();
  const next = await context.newPage();
  await next.goto("/dashboard");
  const toldNext = next.getByRole("alert").filter({ hasText: "A change wasn't saved" });
  await toldNext.getByText("Cora Conflict", { exact: true }).waitFor();
  await conflictAlert.getByRole("button", { name: "Dismiss" }).click();
  await conflictAlert.waitFor({ state: "detached" });
  // A dismissed alert does not return, and it disappears in other windows.
  await toldNext.waitFor({ state: "detached" });
  await expectSoon(() => countStoredEntries(page, "refused:"), 0);
  expect(await purchaseOf(fixture, moved)).toMatchObject({ salesStage: "quote_sent" });
  expect(await purchaseOf(fixture, paid)).toMatchObject({ customerPaymentAmountCents: 24_000 });
  expect((await purchaseOf(fixture, planned)).nextActionAt).toBeGreaterThan(Date.now());
  expect(await purchaseOf(fixture, planned)).toMatchObject({ tries: 1 });
  expect(await purchaseOf(fixture, theirs)).toMatchObject({ salesStage: "declined" });
  for (const id of [moved, paid, planned, theirs]) {
    const written = and(eq(auditLog.subjectId, id), eq(auditLog.action, "purchase.update"));
    expect(await fixture.product.db.select().from(auditLog).where(written), id).toHaveLength(1);
  }
  await expectSoon(() => page.getByText("Not saved yet").count(), 0);
  await expectSoon(() => count(page, "Quoted"), "1");
});

/** Opens a signed-in phone, then changes a stage and notes offline. */
async function changedPhone(name: string) {
  const owner = await insertUser(fixture.product.db);
  const id = await addPurchase(fixture, owner, "called", name);
  const context = await openContext(fixture, PHONE);
  const page = await context.newPage();
  await signInByForm(page, owner.username);
  await expectSoon(() => isPipelineStored(page), true);
  await context.setOffline(true);
  await page.goto("/dashboard?tab=called");
  await changeOffline(page, name, async (lead) => {
    await lead.getByLabel("Notes").fill("The gate sticks");
    await lead.getByLabel("Stage", { exact: true }).selectOption({ label: "Quote sent" });
  });
  await expectSoon(() => countStoredChanges(page), 1);
  return { owner, id, context, page };
}

/** Ends all of a user's sessions, as if the user had removed this device from another one. */
const endSessions = (userId: string) =>
  fixture.product.db.delete(sessions).where(eq(sessions.userId, userId));

/** Everything this device stores in IndexedDB, as text. */
const storedText = (page: Page) =>
  page.evaluate(async () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page runs it, without this file's scope
    const toPromise = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => request.addEventListener("success", () => resolve(request.result)));
    const texts: string[] = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await toPromise(indexedDB.open(name!));
      for (const store of database.objectStoreNames) {
        const values = await toPromise(database.transaction(store).objectStore(store).getAll());
        texts.push(
          JSON.stringify(values, (_, value: unknown) =>
            value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value,
          ),
        );
      }
      database.close();
    }
    return texts.join("\n");
  });

test("changes are stored encrypted, and those pending when a session ends are sent after the same user signs in again", async () => {
  const { owner, id, context, page } = await changedPhone("Ed Ended");
  await expectSoon(() => countStoredEntries(page, "notes:"), 1);
  const text = await storedText(page);
  for (const secret of ["Ed Ended", "The gate sticks", "quote_sent"]) expect(text).not.toContain(secret);
  await endSessions(owner.id);
  await context.setOffline(false);
  await page.waitForURL("**/login?ended=*");
  expect(await purchaseOf(fixture, id)).toMatchObject({ salesStage: "called", salesNotes: null });
  // The device deletes the leads. The changes stay, encrypted for their author.
  await page.goto("/dashboard/offline");
  await page.getByRole("heading", { name: "You're offline" }).waitFor();
  await signInByForm(page, owner.username);
  await expectSoon(
    async () => {
      const { salesStage, salesNotes } = await purchaseOf(fixture, id);
      return { salesStage, salesNotes };
    },
    { salesStage: "quote_sent", salesNotes: "The gate sticks" },
  );
  await expectSoon(() => countStoredChanges(page), 0);
});

test("changes pending when a session ends are not sent or shown to the next user, and are deleted", async () => {
  const { owner, id, context, page } = await changedPhone("Ed Else");
  // A team member can see and change the lead.
  const mate = await insertTeamMember(fixture.product.db, owner);
  await endSessions(owner.id);
  await context.setOffline(false);
  await page.waitForURL("**/login?ended=*");
  await signInByForm(page, mate.username);
  await expectSoon(() => countStoredChanges(page), 0);
  await expectSoon(() => count(page, "Quoted"), "0");
  await tile(page, "Called").click();
  await row(page, "Ed Else").waitFor();
  expect(await page.getByText(/Not saved/).count()).toBe(0);
  const lead = await openLead(page, "Ed Else");
  expect(await lead.getByLabel("Notes").inputValue()).toBe("");
  expect(await purchaseOf(fixture, id)).toMatchObject({ salesStage: "called", salesNotes: null });
});

/** Whether the browser would ask before the user closes or leaves this page. */
const asksBeforeLeaving = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

/** Makes storage fail on pages opened from now on, as on a full disk. */
const fillDisk = (context: BrowserContext) =>
  context.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("No room", "QuotaExceededError");
    };
  });

const jobPhoto = {
  name: "after.png",
  mimeType: "image/png",
  buffer: Buffer.from(pngPhoto(1200, 900)),
};

const photosOf = (purchaseId: string) =>
  fixture.product.db.select().from(photos).where(eq(photos.purchaseId, purchaseId));

test("a job's photo taken offline waits on the device, survives a closed page, and arrives once", async () => {
  const { id, context, page } = await openPhone("Phil Photo");
  await openStored(page);
  await context.setOffline(true);
  await page.goto("/dashboard?tab=called");
  const lead = await openLead(page, "Phil Photo");
  await lead.getByLabel("Add “After”").setInputFiles(jobPhoto);
  const waiting = page.getByRole("list", { name: "Photos that aren’t sent yet" });
  await waiting.getByText("Not sent yet. We’ll keep trying.").waitFor();
  await expectSoon(() => countStoredEntries(page, "photo:"), 1);
  expect(await storedText(page)).not.toContain("image/jpeg");
  await takePicture(page, "photo-waits");
  await expectFits(page, "a photo that waits");
  await expectAccessible(page, "a photo that waits");
  // Close and reopen the page, still offline.
  await page.goto("/dashboard?tab=called");
  await row(page, "Phil Photo").getByText("Not saved yet").waitFor();
  await openLead(page, "Phil Photo");
  await waiting.locator("canvas").waitFor();
  await context.setOffline(false);
  await expectSoon(async () => (await photosOf(id)).map(({ kind }) => kind), ["after"]);
  await waiting.waitFor({ state: "detached" });
  await expectSoon(() => countStoredEntries(page, "photo:"), 0);
});

test("a full device says so before any change, and a job's photo then arrives once although its response is lost", async () => {
  const { id, context, page } = await openPhone("Fran Full");
  await openStored(page);
  await context.setOffline(true);
  await page.goto("/dashboard?tab=called");
  await page.getByText("We'll save any changes on this device and send them as soon as we can.").waitFor();
  await fillDisk(context);
  await page.goto("/dashboard?tab=called");
  await row(page, "Fran Full").waitFor();
  await page
    .getByText("This device can't save changes right now. Keep this page open, and we'll send them")
    .waitFor();
  expect(await page.getByText("We'll save any changes").count()).toBe(0);
  await expectFits(page, "offline, without room");

  const stopDropping = await dropResponses(page, "**/api/photos/purchases/*/after");
  await context.setOffline(false);
  await page.waitForURL("**/dashboard?tab=called");
  await page.locator('.connection[data-state="live"]').waitFor();
  const lead = await openLead(page, "Fran Full");
  await lead.getByLabel("Add “After”").setInputFiles(jobPhoto);
  await lead.getByText("Keep this page open. We couldn't save this photo on your device.").waitFor();
  expect(await asksBeforeLeaving(page)).toBe(true);
  await expectSoon(async () => (await photosOf(id)).length, 1);
  stopDropping();
  await lead.getByRole("img", { name: "After", exact: true }).waitFor();
  await lead.getByRole("list", { name: "Photos that aren’t sent yet" }).waitFor({ state: "detached" });
  expect(await photosOf(id)).toHaveLength(1);
  await expectSoon(() => asksBeforeLeaving(page), false);
});

test("if nothing can be stored, the page does not claim otherwise, and asks before leaving or signing out", async () => {
  const { owner, id, context, page } = await openPhone("Fay Full");
  await fillDisk(context);
  await openDashboard(page);
  const changes = "**/api/lead-purchases/*/sales-stage";
  await page.route(changes, (route) => route.abort());
  await page.getByRole("tab", { name: /^Called/ }).click();
  const lead = await openLead(page, "Fay Full");
  await lead.getByLabel("Stage", { exact: true }).selectOption({ label: "Quote sent" });
  await page.getByText("Keep this page open. We couldn't save this on your device").first().waitFor();
  expect(await page.getByText("It's saved on this device").count()).toBe(0);
  expect(await asksBeforeLeaving(page)).toBe(true);
  // Notes count as well, although the device stores none of them.
  await lead.getByLabel("Notes").fill("The gate sticks");
  await lead.getByText("Not saved", { exact: true }).waitFor();
  await lead.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: `${owner.firstName} ${owner.lastName}` }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign out anyway?" });
  await dialog.getByText("2 changes aren't saved yet. If you sign out now, you'll lose them.").waitFor();
  await dialog.getByRole("button", { name: "Stay signed in" }).click();
  await page.unroute(changes);
  await expectSentOnline(page, id);
  // Everything is saved, so the page no longer asks.
  await expectSoon(() => asksBeforeLeaving(page), false);
  // The page does not promise offline leads either.
  await page.goto("/dashboard/offline");
  await page.getByText("This device can't save any right now").waitFor();
});

test("after signing out, even on a visitor page, an offline phone shows no data of the user", async () => {
  const { owner, context, page } = await openPhone("Sal Secret");
  await openStored(page);
  // The dashboard asks before signing out, since changes would be lost.
  const changes = "**/api/lead-purchases/*/sales-stage";
  await page.route(changes, (route) => route.abort());
  await page.getByRole("tab", { name: /^Called/ }).click();
  await row(page, "Sal Secret").getByLabel("Stage").selectOption({ label: "Quote sent" });
  await page.getByText("It's saved on this device. We'll keep trying to send it.").first().waitFor();
  await page.getByRole("button", { name: `${owner.firstName} ${owner.lastName}` }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign out anyway?" });
  await dialog.getByText("1 change isn't saved yet. If you sign out now, you'll lose it.").waitFor();
  await expectAccessible(page, "sign out anyway");
  await dialog.getByRole("button", { name: "Stay signed in" }).click();
  await page.unroute(changes);
  await waitForHistoryCleanup(page);
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
  // The page briefly writes to storage to test it.
  await expectSoon(() => countStoredEntries(page, ""), 0);
});
