import type { Page, WebSocketRoute } from "playwright-core";
import { expect, test } from "vitest";

import {
  insertPendingLead,
  insertTeamMember,
  insertUser,
  PASSWORD,
  sessionCookie,
} from "../testing/world.ts";
import { takeRegion } from "../testing/product/unused-regions.ts";
import { expectAccessible } from "../testing/product/page-checks.ts";
import {
  addPurchase,
  chooseInMenu,
  count,
  openLead,
  purchaseOf,
  row,
  tile,
} from "../testing/product/pipeline-helpers.ts";
import {
  expectSoon,
  blockRequests,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
  signInByForm,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const makeUser = (overrides: Parameters<typeof insertUser>[1] = {}) =>
  insertUser(fixture.product.db, overrides);

/** Lists a lead, as the sweep does. */
async function listLead(words: string) {
  // Stored a minute ago: the sweep ignores newer leads, since the request that stored them lists them.
  const lead = await insertPendingLead(fixture.product.db, { specificRequests: words }, Date.now() - 60_000);
  await fixture.product.runSchedule();
  return lead;
}

/** Shows new leads in the list. */
const showNew = (page: Page) => page.getByRole("button", { name: /new leads?$/ }).click();
const chip = (page: Page) => page.locator(".connection").innerText();

/** Records which leads slide in. Call it before the page loads. */
async function watchSlides(page: Page) {
  await page.addInitScript(() => {
    const slid: string[] = [];
    addEventListener("transitionrun", ({ target, propertyName }) => {
      const { lead } = (target as HTMLElement).dataset;
      if (lead && propertyName === "transform") slid.push(lead);
    });
    Object.assign(globalThis, { slid });
  });
  return () => page.evaluate(() => (globalThis as unknown as { slid: string[] }).slid);
}

/** Opens the new leads of an owner with a team member, in the owner's window. */
async function openTeam(notes?: string) {
  const owner = await makeUser();
  const mate = await insertTeamMember(fixture.product.db, owner);
  const id = await addPurchase(fixture, owner, "accepted_lead", "Wendy Work", notes);
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, "?tab=leads");
  return { id, mate, page };
}

test("a new lead slides in beside a text that looks like markup, is counted, and shows when a rival buys it", async () => {
  const [user, rival] = [await makeUser(), await makeUser()];
  // A visitor's text must not break the dashboard.
  const markup = "Mow <select><iframe> the front </title>";
  const shown = await listLead(markup);
  const page = await openWindowAs(fixture, user.id, { reducedMotion: "no-preference" });
  const slid = await watchSlides(page);
  // The data that a window fetches when it navigates here from another page of the application.
  expect(await (await page.request.get("/dashboard.data")).text()).toContain("Mow <select><iframe>");
  await openDashboard(page);
  await page.getByText(markup).first().waitFor();
  const before = Number(await count(page, "Available"));
  expect(await slid()).toEqual([]);
  const lead = await listLead("Slide in, please");
  const item = page.getByRole("listitem").filter({ hasText: "Slide in, please" });
  await showNew(page);
  await item.waitFor();
  expect(await count(page, "Available")).toBe(String(before + 1));
  expect(await item.innerText()).toContain("Anna B.");
  await expect.poll(slid).toContain(lead.id);
  expect(await slid()).not.toContain(shown.id);

  const call = await fixture.product.callerFor(rival.id);
  const buyer = { buyerName: "Rival", buyerEmail: "rival@example.com", buyerPhone: "0491 570 006" };
  expect((await call("POST", `/api/leads/${lead.id}/purchase`, buyer)).status).toBe(201);
  await item.getByText("Sold", { exact: true }).waitFor();
  await expectSoon(() => count(page, "Available"), String(before));
  expect(await item.getByRole("button", { name: /^Buy/ }).count()).toBe(0);
});

test("what the owner changes also changes in a team member's window: notes, next action, stage and archive", async () => {
  const { id, mate, page } = await openTeam();
  const matePage = await openWindowAs(fixture, mate.id);
  await openDashboard(matePage, "?tab=leads");
  await matePage.getByRole("heading", { name: "CRM Dashboard" }).waitFor();
  await matePage.getByText("CRM Access Only").waitFor();
  const lead = await openLead(page, "Wendy Work");
  const theirs = await openLead(matePage, "Wendy Work");
  for (const name of ["More actions", "Add Lead", "Team", /^Buy/])
    expect(await matePage.getByRole("button", { name }).count(), String(name)).toBe(0);
  for (const name of ["Figures", "CSV"])
    expect(await matePage.getByRole("link", { name }).count(), name).toBe(0);
  const notes = lead.getByLabel("Notes");
  await notes.fill("Bring the long ladder");
  await lead.getByText("Saved", { exact: true }).waitFor();
  expect((await purchaseOf(fixture, id)).salesNotes).toBe("Bring the long ladder");
  await expectSoon(() => theirs.getByLabel("Notes").inputValue(), "Bring the long ladder");
  await page.reload();
  expect(await notes.inputValue()).toBe("Bring the long ladder");

  await openDashboard(page, "?tab=leads");
  await row(page, "Wendy Work").getByLabel("Stage").selectOption({ label: "Called" });
  await page.getByText("Sales stage updated").first().waitFor();
  for (const window of [page, matePage]) {
    await expectSoon(() => count(window, "Called"), "1");
    await expectSoon(() => count(window, "Leads"), "0");
    await row(window, "Wendy Work").waitFor({ state: "detached" });
  }
  expect(await purchaseOf(fixture, id)).toMatchObject({ salesStage: "called" });

  await tile(page, "Called").click();
  await openLead(page, "Wendy Work");
  await openDashboard(matePage, "?view=today");
  await lead.getByRole("button", { name: "Today" }).click();
  await openLead(matePage, "Wendy Work");
  await chooseInMenu(lead, "Archive");
  await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
  await theirs.getByText("Called, archived").waitFor();
  await matePage.getByText("Nothing due today.").waitFor();
  await openDashboard(matePage);
  await expectSoon(() => count(matePage, "Final"), "1");
});

test("a user who signs in in another tab sees their own leads in this one, and none of the previous user's", async () => {
  const [ada, bob] = [await makeUser(), await makeUser()];
  await addPurchase(fixture, ada, "called", "Ada's Customer");
  await addPurchase(fixture, bob, "called", "Bob's Customer");
  const page = await openWindowAs(fixture, ada.id);
  await openDashboard(page, "?tab=called");
  await row(page, "Ada's Customer").waitFor();
  const fromMenu = async (name: string) => {
    await page.locator(".account__button").click();
    await page.getByRole("link", { name, exact: true }).last().click();
    await page
      .getByRole("heading", { name: name === "Dashboard" ? "Lead Dashboard" : name, level: 1 })
      .waitFor();
  };
  // The settings page ignores a change of session.
  await fromMenu("Settings");
  const cookie = await sessionCookie(fixture.product.db, bob.id);
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await page
    .context()
    .addCookies([{ name: "session", value, url: fixture.product.url, httpOnly: true, sameSite: "Lax" }]);
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  await fromMenu("Dashboard");
  await expect.poll(() => page.evaluate(() => "isOld" in window)).toBe(false);
  await openDashboard(page, "?tab=called");
  await row(page, "Bob's Customer").waitFor();
  expect(await row(page, "Ada's Customer").count()).toBe(0);
});

test("an ended session shows a message, unsaved text survives, and signing in leads back to the lead", async () => {
  const owner = await makeUser();
  const id = await addPurchase(fixture, owner, "called", "Sid Signedout");
  // The device stores notes for the user who last signed in on it by the form.
  const page = await openWindow(fixture);
  await signInByForm(page, owner.username);
  await openDashboard(page, "?tab=called");
  const detail = await openLead(page, "Sid Signedout");
  const place = page.url();
  // Every save before the session ends fails.
  await page.route("**/api/lead-purchases/*/sales-stage", (route) => route.abort());
  await detail.getByLabel("Notes").fill("Gate code 12");
  await detail.getByText("Retry").waitFor();
  const call = await fixture.product.callerFor(owner.id);
  expect((await call("DELETE", "/api/user/sessions")).ok).toBe(true);

  await page.getByText("You've been signed out.").waitFor();
  await expectAccessible(page, "signed out");
  await page.unroute("**/api/lead-purchases/*/sales-stage");
  await page.getByLabel("Username").fill(owner.username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL(place);
  await expectSoon(() => detail.getByLabel("Notes").inputValue(), "Gate code 12");
  await expectSoon(async () => (await purchaseOf(fixture, id)).salesNotes, "Gate code 12");
});

test("when two users write notes at once, both texts are shown and both can be saved", async () => {
  const { id, mate, page } = await openTeam("As it was");
  const { notesVersion } = await purchaseOf(fixture, id);
  const detail = await openLead(page, "Wendy Work");
  const call = await fixture.product.callerFor(mate.id);
  // The team member's save arrives while the owner's save is in flight.
  await page.route(
    "**/sales-stage",
    async (route) => {
      const theirs = { salesNotes: "Their note: gate code 12", notesVersion };
      await call("PATCH", `/api/lead-purchases/${id}/sales-stage`, theirs);
      await route.continue();
    },
    { times: 1 },
  );
  const [dataText] = await Promise.all([
    page.waitForResponse("**/sales-stage"),
    detail.getByLabel("Notes").fill("Ours: dog bites"),
  ]);
  expect(dataText.status()).toBe(409);
  const conflict = detail.getByRole("group", {
    name: `${mate.firstName} ${mate.lastName} changed these notes`,
  });
  await conflict.waitFor();
  await expectAccessible(page, "notes in conflict");
  const shown = await conflict.innerText();
  expect(shown).toContain("Their note: gate code 12");
  expect(shown).toContain("Ours: dog bites");
  await conflict.getByRole("button", { name: "Save both" }).click();
  await detail.getByText("Saved", { exact: true }).waitFor();
  expect((await purchaseOf(fixture, id)).salesNotes).toBe("Their note: gate code 12\n\nOurs: dog bites");
});

test("the customer's payment is saved by its button, to the cent, and the next action can be typed while its date is saved", async () => {
  const owner = await makeUser();
  const id = await addPurchase(fixture, owner, "job_complete", "Penny Paid");
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, "?tab=complete");
  const detail = await openLead(page, "Penny Paid");
  const amount = detail.getByLabel("Customer payment");
  const save = detail.getByRole("button", { name: "Save" });
  expect(await save.isDisabled()).toBe(true);
  await amount.fill("120.555");
  await save.click();
  await detail.getByText("Please enter an amount, such as 120.50").waitFor();
  expect(await amount.inputValue()).toBe("120.555");
  await amount.fill("120.5");
  await save.click();
  await page.getByText("Payment amount saved").first().waitFor();
  expect((await purchaseOf(fixture, id)).customerPaymentAmountCents).toBe(12_050);
  await expectSoon(() => save.isDisabled(), true);
  await amount.fill("1200,50");
  await save.click();
  await detail.getByText("Did you mean 1200.50?").waitFor();
  expect((await purchaseOf(fixture, id)).customerPaymentAmountCents).toBe(12_050);
  await detail.getByRole("button", { name: "Yes, $1,200.50" }).click();
  await amount.hover();
  await page.mouse.wheel(0, 300);
  expect(await amount.inputValue()).toBe("1200.50");
  await save.click();
  await expectSoon(async () => (await purchaseOf(fixture, id)).customerPaymentAmountCents, 120_050);
  await expectSoon(() => save.isDisabled(), true);
  await amount.fill("");
  await save.click();
  await expectSoon(async () => (await purchaseOf(fixture, id)).customerPaymentAmountCents, null);

  const releaseDate = await blockRequests(page, "**/api/lead-purchases/*/sales-stage");
  await detail.getByRole("button", { name: "Today" }).click();
  const form = detail.getByRole("form", { name: "Next action" });
  await form.getByLabel("What to do").fill("Send the invoice");
  releaseDate();
  await page.getByText("Next action saved").first().waitFor();
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByRole("button", { name: "Done" }).waitFor();
  await expectSoon(async () => (await purchaseOf(fixture, id)).nextActionNote, "Send the invoice");
});

/** Matches a tile in a page's HTML: its opening tag, its label and its count. */
const TILE = /(<a [^>]*role="tab"[^>]*>)<span[^>]*>(\w+)<\/span><span[^>]*>([^<]*)</g;
const tilesIn = (html: string) => [...html.matchAll(TILE)];
const quotedTag = (html: string) => tilesIn(html).find(([, , label]) => label === "Quoted")![1];

test("tiles count their purchases, and each is a link that shows its leads without a script", async () => {
  const owner = await makeUser({ watchedRegions: [takeRegion().slug] });
  for (const [stageName, name] of [
    ["accepted_lead", "Una One"],
    ["accepted_lead", "Dua Two"],
    ["quote_sent", "Quentin Quoted"],
    ["declined", "Della Declined"],
  ] as const) {
    await addPurchase(fixture, owner, stageName, name);
  }
  const call = await fixture.product.callerFor(owner.id);
  const requestPage = async (path: string) => (await call("GET", path)).text();
  const market = await requestPage("/dashboard");
  expect(tilesIn(market).map(([, , label, shown]) => `${label} ${shown}`)).toEqual([
    "Available 0",
    "Leads 2",
    "Called 0",
    "Quoted 1",
    "Booked 0",
    "Complete 0",
    "Invoiced 0",
    "Paid 0",
    "Final 0",
    "Declined 1",
  ]);
  expect(quotedTag(market)).toContain('href="/dashboard?tab=quoted"');
  expect(quotedTag(market)).toContain('aria-selected="false"');
  const quoted = await requestPage("/dashboard?tab=quoted");
  expect(quotedTag(quoted)).toContain('aria-selected="true"');
  expect(quoted).toContain("<bdi>Quentin Quoted</bdi>");
  expect(quoted).not.toContain("<bdi>Una One</bdi>");
});

test("a new owner sees the setup steps below the leads until they dismiss them", async () => {
  const user = await makeUser({ watchedRegions: [takeRegion().slug], services: [] });
  const page = await openWindowAs(fixture, user.id);
  await openDashboard(page);
  const list = page.getByRole("region", { name: "Set up in five minutes" });
  await list.getByText("1 of 3 done").waitFor();
  expect(await list.getByRole("link", { name: "Choose your services" }).getAttribute("href")).toBe(
    "/settings#work",
  );
  await expectAccessible(page, "what a new owner sets up");
  await list.getByRole("button", { name: "Add your team" }).click();
  await page.getByRole("dialog", { name: "Team" }).waitFor();
  await page.keyboard.press("Escape");
  await list.getByRole("button", { name: "Hide" }).click();
  await list.waitFor({ state: "detached" });
  await openDashboard(page);
  // The page has fetched its late parts.
  await page.locator('.connection[data-state="live"]').waitFor();
  await page.waitForLoadState("networkidle");
  expect(await list.count()).toBe(0);
});

test("a lead that an admin moves appears in its new region, and disappears once the admin withdraws it", async () => {
  const words = "Moved, then withdrawn";
  const region = takeRegion();
  const lead = await listLead(words);
  const admin = await openWindowAs(fixture, (await makeUser({ isSuperAdmin: true })).id);
  const [dialog, toasts] = [admin.getByRole("dialog"), admin.locator(".toasts")];
  const press = (action: string) => admin.getByRole("button", { name: action, exact: true }).click();
  const confirm = (action: string) => dialog.getByRole("button", { name: action }).click();
  await admin.goto(`/admin/leads?q=${lead.id}`);
  await press("Move");
  await dialog.getByLabel("New region").selectOption(region.slug);
  await confirm("Move");
  await toasts.getByText("Lead moved").waitFor();
  await waitForHistoryCleanup(admin);
  const provider = await openWindowAs(fixture, (await makeUser({ watchedRegions: [region.slug] })).id);
  await openDashboard(provider);
  const item = provider.getByRole("listitem").filter({ hasText: words });
  const buy = item.getByRole("button", { name: /^Buy/ });
  await buy.waitFor();

  await admin.reload();
  await press("Withdraw");
  await confirm("Withdraw");
  await dialog.getByText("Please say why").waitFor();
  await dialog.getByLabel("Why").fill("Asked us to stop");
  await confirm("Withdraw");
  await toasts.getByText("Lead withdrawn").waitFor();
  await expectSoon(() => buy.count(), 0);
});

/** Matches a link in a page's HTML. */
const link = (to: string, text: string) => new RegExp(`<a [^>]*href="${to}"[^>]*>${text}`);

test("the dashboard refuses visitors and customers, the figures refuse team members, and each page links to the next step", async () => {
  const { url, db } = fixture.product;
  const requestPage = async (path: string, userId?: string) => {
    const headers = { Cookie: userId ? await sessionCookie(db, userId) : "" };
    const response = await fetch(url + path, { headers });
    return { status: response.status, html: await response.text() };
  };
  const customer = await makeUser({ userType: "customer" });
  for (const [userId, expected] of [
    [undefined, 401],
    [customer.id, 403],
  ] as const) {
    const { status, html } = await requestPage("/dashboard", userId);
    expect(status).toBe(expected);
    expect(html).toContain("Provider Access Required");
    expect(html).toMatch(link(userId ? "/login" : "/login\\?next=%2Fdashboard", "Sign in"));
    expect(html).toMatch(link("/signup", "Join as a provider"));
  }
  const mate = await insertTeamMember(db, await makeUser());
  const { html } = await requestPage("/figures", mate.id);
  expect(html).toContain("Figures are for the owner");
  expect(html).not.toContain("customer");
  expect(html).toMatch(link("/dashboard", "Back to the dashboard"));
});

test("the chip shows a dropped socket, then a lost connection, and reconnecting delivers missed changes", async () => {
  const user = await makeUser();
  const page = await openWindowAs(fixture, user.id);
  const open = new Set<WebSocketRoute>();
  let isDown = false;
  await page.routeWebSocket(/\/live/, (socket) => {
    if (!isDown) socket.connectToServer();
    open.add(socket);
  });
  const drop = async () => {
    const dropped = [...open];
    open.clear();
    for (const socket of dropped) await socket.close({ code: 1012 });
  };
  await openDashboard(page);
  isDown = true;
  await drop();
  await expectSoon(() => chip(page), "Reconnecting");
  // However long the server takes, an unanswered attempt counts once and the backoff does not grow.
  await listLead("Missed while the server restarted");
  isDown = false;
  await drop();
  await expectSoon(() => chip(page), "Live");
  await showNew(page);
  await page.getByRole("listitem").filter({ hasText: "Missed while the server restarted" }).waitFor();

  await page.context().setOffline(true);
  await expectSoon(() => chip(page), "Offline");
  await listLead("Missed while offline");
  await page.context().setOffline(false);
  await expectSoon(() => chip(page), "Live");
  await showNew(page);
  await page.getByRole("listitem").filter({ hasText: "Missed while offline" }).waitFor();
});
