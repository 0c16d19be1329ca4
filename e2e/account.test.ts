/** Settings, the team, a provider's own leads and forgotten passwords, as users handle them. */
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { hashToken } from "../worker/identity/auth/rules.ts";
import { oneTimeSecrets, users } from "../worker/tables.ts";
import { newId } from "../worker/platform/ids.ts";
import { insertTeamMember, insertUser, PASSWORD, sessionCookie } from "../testing/world.ts";
import { expectAccessible } from "../testing/product/page-checks.ts";
import {
  expectSoon,
  keepToasts,
  openDashboard,
  openWindow,
  openWindowAs,
  setUpFixture,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const makeUser = (overrides: Parameters<typeof insertUser>[1] = {}) =>
  insertUser(fixture.product.db, overrides);

const pathOf = (page: Page) => new URL(page.url()).pathname;

async function openSettings(page: Page, tab?: string): Promise<void> {
  await page.goto(tab ? `/settings?tab=${tab}` : "/settings");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await hydrated(page);
}

/** Waits until React has hydrated the tabs. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("[role=tablist]") ?? {}).some((key) => key.startsWith("__react")),
  );
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Select by name, since the label of the field below also matches. */
const newPassword = (page: Page) => page.locator("[name=newPassword]");

async function storedUser(id: string) {
  const [row] = await fixture.product.db.select().from(users).where(eq(users.id, id));
  return row!;
}

/** Requests a page without a browser and follows its redirects. */
async function requestPage(path: string, userId?: string) {
  const { url, db } = fixture.product;
  const headers = { Cookie: userId ? await sessionCookie(db, userId) : "" };
  const response = await fetch(url + path, { headers });
  return { html: await response.text(), path: new URL(response.url).pathname };
}

test("visitors and customers are redirected from the settings, and providers from all but the settings and legal pages", async () => {
  const customer = await makeUser({ userType: "customer" });
  const provider = await makeUser();
  expect((await requestPage("/settings")).path).toBe("/login");
  // The login page recognises a customer and redirects to the home page.
  expect((await requestPage("/settings", customer.id)).path).toBe("/");
  for (const path of ["/", "/no-such-page", "/services", "/login"])
    expect((await requestPage(path, provider.id)).path, path).toBe("/dashboard");
  for (const path of ["/settings", "/privacy-policy", "/terms-conditions", "/how-it-works"])
    expect((await requestPage(path, provider.id)).path, path).toBe(path);
});

test("a provider corrects and saves personal information, which the menu shows, and then regions and services", async () => {
  const user = await makeUser();
  await makeUser({ email: "settled@example.com" });
  expect(user.businessAddress).toBe("To be updated after signup");
  const page = await openWindowAs(fixture, user.id);
  await openSettings(page);
  expect(await page.getByLabel("Business address").inputValue()).toBe("");
  await page.getByLabel("Phone").fill("123");
  await press(page, "Save changes");
  await page.getByText("Phone number required").waitFor();
  await expectAccessible(page);
  await page.getByLabel("Phone").fill("0491 570 801");
  await page.getByLabel("Email").fill("settled@example.com");
  await press(page, "Save changes");
  await page.getByText("Failed to update personal information. Please try again.").first().waitFor();
  await page.getByText("Email already registered").waitFor();
  await page.getByLabel("Email").fill("own@example.com");
  await page.getByLabel("First name").fill("Dana");
  await page.getByRole("textbox", { name: /^ABN/ }).fill("51 824 753 556");
  await press(page, "Save changes");
  await page.getByText("Personal information updated").first().waitFor();
  await page.getByRole("button", { name: `Dana ${user.lastName}` }).waitFor();
  await page.getByLabel("Parramatta").check();
  await press(page, "Save regions");
  await page.getByText("Regions updated").first().waitFor();
  await page.getByLabel("Lawn mowing").check();
  await press(page, "Save services");
  await page.getByText("Services updated").first().waitFor();
  expect(await storedUser(user.id)).toMatchObject({
    email: "own@example.com",
    abn: "51 824 753 556",
    watchedRegions: ["inner-west", "parramatta"],
    services: ["lawn_mowing"],
  });
});

test("a team member's settings do not show business or bank details", async () => {
  const owner = await makeUser();
  const member = await insertTeamMember(fixture.product.db, owner, { email: "terry-settings@example.com" });
  const parts = ["Personal Info", ">ABN<", "Bank Details", "Close your account"];
  const shown = ({ html }: { html: string }) => parts.filter((part) => html.includes(part));
  expect(shown(await requestPage("/settings", owner.id))).toEqual(parts);
  for (const path of ["/settings", "/settings?tab=bank"])
    expect(shown(await requestPage(path, member.id)), path).toEqual(["Personal Info"]);
});

test("the lists above a part that links lead to come with the page", async () => {
  const owner = await makeUser();
  const { html } = await requestPage("/settings", owner.id);
  expect(html).toContain("Your business isn’t verified yet.");
  expect((await requestPage("/settings?tab=password", owner.id)).html).toContain("Add a passkey");
});

test("an owner closes the account in the settings, after a wrong password", async () => {
  const user = await makeUser({ username: "closes-account" });
  const member = await insertTeamMember(fixture.product.db, user);
  const page = await openWindowAs(fixture, user.id);
  await openSettings(page);
  const part = page.locator("#close");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    part.getByRole("link", { name: "download your leads" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^pipeline-.*\.csv$/);
  await part.getByText("as the law requires", { exact: false }).waitFor();
  await press(page, "Close your account");
  const dialog = page.getByRole("dialog", { name: "Close your account?" });
  await dialog.getByLabel("Your password").fill("not it");
  await press(page, "Close account");
  await dialog.getByText("That password isn't right. Please try again.").waitFor();
  await expectAccessible(page);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await press(page, "Close account");
  await page.getByText("Your account is closed.").waitFor();
  await expectAccessible(page);
  await page.getByLabel("Username").fill("closes-account");
  await page.getByLabel("Password").fill(PASSWORD);
  await press(page, "Sign In");
  await page.getByText("Invalid username or password").first().waitFor();
  expect((await requestPage("/settings", member.id)).path).toBe("/login");
  await fixture.product.runSchedule();
  expect(await storedUser(user.id)).toMatchObject({ firstName: "Erased", username: `erased-${user.id}` });
});

test("a user sees a mistake beside its field, signs a lost phone out and saves a new password, which empties the form", async () => {
  const user = await makeUser();
  const phone = await fixture.product.callerFor(user.id);
  const page = await openWindowAs(fixture, user.id);
  await openSettings(page, "password");
  const fill = async (current: string, fresh: string, again: string) => {
    await page.getByLabel("Current password").fill(current);
    await newPassword(page).fill(fresh);
    await page.getByLabel("Type it again").fill(again);
    await press(page, "Update password");
  };
  await fill(PASSWORD, "three plain words", "three plane words");
  await page.getByText("Passwords don't match").waitFor();
  await page.getByText("This device").waitFor();
  await expectAccessible(page);
  await press(page, "Sign out everywhere else");
  await page.getByText("You're signed in here and nowhere else.").waitFor();
  expect((await phone("GET", "/api/auth/me")).status).toBe(401);
  await fill("not it", "three plain words", "three plain words");
  await page.getByText("Current password is incorrect").first().waitFor();
  await page.getByText("Update failed").first().waitFor();
  await fill(PASSWORD, "three plain words", "three plain words");
  await page.getByText("Password updated").first().waitFor();
  expect(await page.getByLabel("Current password").inputValue()).toBe("");
});

/** Opens the list of team members at the bottom of the dashboard. */
const openTeam = (page: Page) => page.locator("details.team > summary").click();

test("a new team member must choose a password before working; removing them closes their window", async () => {
  const owner = await makeUser();
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page);
  await press(page, "Team");
  await press(page, "Add team member");
  await page.getByText("First name is required").waitFor();
  await expectAccessible(page);
  await page.getByLabel("First name").fill("Tess");
  await page.getByLabel("Last name").fill("Kelly");
  await page.getByLabel("Email").fill("tess-e2e@example.com");
  await page.getByLabel("Temporary password").fill("for-one-time");
  await press(page, "Add team member");
  await page.getByText("Team member added successfully").first().waitFor();
  await openTeam(page);
  await page.getByText("Hasn't signed in yet").waitFor();

  const mate = await openWindow(fixture);
  await mate.goto("/login");
  await mate.getByLabel("Username").fill("tess-e2e@example.com");
  await mate.getByLabel("Password").fill("for-one-time");
  await mate.getByRole("button", { name: "Sign In" }).click();
  await mate.waitForURL("**/choose-password");
  const refused = await mate.request.get("/settings");
  expect(new URL(refused.url()).pathname).toBe("/choose-password");
  await expectAccessible(mate);
  await mate.getByLabel("Temporary password").fill("for-one-time");
  await newPassword(mate).fill("three plain words");
  await mate.getByLabel("Type it again").fill("three plain wards");
  await press(mate, "Save password");
  await mate.getByText("Passwords don't match").waitFor();
  await mate.getByLabel("Type it again").fill("three plain words");
  await press(mate, "Save password");
  await mate.getByRole("heading", { name: "CRM Dashboard" }).waitFor();
  await mate.getByText("Password updated").first().waitFor();
  await mate.locator('.connection[data-state="live"]').waitFor();

  await press(page, "Remove Tess Kelly");
  await page.getByText("signed out everywhere and").waitFor();
  await expectAccessible(page);
  await press(page, "Remove");
  await page.getByText("Team member removed").first().waitFor();
  await mate.waitForURL("**/login?ended=*");
  await expectSoon(() => page.getByText("Tess Kelly").count(), 0);
});

test("a provider adds their own lead in a dialog, and it appears in the pipeline", async () => {
  const owner = await makeUser();
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page, "?tab=leads");
  await keepToasts(page);
  await press(page, "Add Lead");
  const dialog = page.getByRole("dialog", { name: "Add Lead" });
  await dialog.getByRole("button", { name: "Add Lead" }).click();
  for (const words of ["Customer name is required", "Phone number is required", "Service type is required"]) {
    await dialog.getByText(words).waitFor();
  }
  await expectAccessible(page);
  await dialog.getByLabel("Customer name").fill("Walter Wiese");
  await dialog.getByLabel("Phone").fill("0491 570 006");
  await dialog.getByLabel("Service").selectOption("garden_cleanup");
  // The other fields are folded until they are wanted, or one of them is wrong.
  const address = dialog.getByLabel("Street address");
  expect(await address.isVisible()).toBe(false);
  await dialog.getByText("More about the job").click();
  await address.fill("3 Boronia Place, Manly NSW 2095");
  await dialog.getByLabel("Email").fill("walter@");
  await dialog.getByText("More about the job").click();
  await dialog.getByRole("button", { name: "Add Lead" }).click();
  await dialog.getByText("Valid email is required").waitFor();
  await expectAccessible(page);
  await dialog.getByLabel("Email").fill("");
  // The first request fails.
  await page.route("**/api/leads/manual", (route) => route.abort(), { times: 1 });
  await dialog.getByRole("button", { name: "Add Lead" }).click();
  await page.getByText("Failed to add manual lead.").first().waitFor();
  await dialog.getByRole("button", { name: "Add Lead" }).click();
  await page.getByText("Lead added successfully").first().waitFor();
  await page.locator(".toasts").getByRole("button", { name: "Open" }).click();
  await page.locator(".detail").getByText("Walter Wiese").first().waitFor();
});

test("an owner's link lets a team member choose a new password once", async () => {
  const owner = await makeUser();
  const member = await insertTeamMember(fixture.product.db, owner, { email: "forgot-e2e@example.com" });
  const page = await openWindowAs(fixture, owner.id);
  await openDashboard(page);
  await openTeam(page);
  await press(page, `Password link for ${member.firstName} ${member.lastName}`);
  await press(page, "Create link");
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  await expectAccessible(page);

  const mate = await openWindow(fixture);
  await mate.goto("/login");
  await mate.getByRole("link", { name: "Forgot password?" }).click();
  await mate.getByText("Ask the owner of the business").waitFor();
  await mate.goto(link);
  await expectAccessible(mate);
  await newPassword(mate).fill("short");
  await mate.getByLabel("Type it again").fill("short");
  await press(mate, "Save password");
  await mate.getByText("Password must be at least 6 characters").first().waitFor();
  // The link also works without JavaScript.
  const plain = await openWindow(fixture, { javaScriptEnabled: false });
  await plain.goto(link);
  await newPassword(plain).fill("three plain words");
  await plain.getByLabel("Type it again").fill("three plane words");
  await press(plain, "Save password");
  await plain.getByText("Passwords don't match").waitFor();
  await newPassword(plain).fill("three plain words");
  await plain.getByLabel("Type it again").fill("three plain words");
  await press(plain, "Save password");
  await expectSoon(() => pathOf(plain), "/login");
  await plain.getByText("Sign in with your new password.").waitFor();
  expect(await (await fetch(link)).text()).toContain("This link no longer works");
});

/** Creates an account with an unconfirmed email address. Returns it with the confirmation link. */
async function waitingFor(email: string, overrides: Parameters<typeof insertUser>[1] = {}) {
  const user = await makeUser({ pendingEmail: email, ...overrides });
  const token = `e2e-${user.id}`.padEnd(43, "x").slice(0, 43);
  const now = Date.now();
  await fixture.product.db.insert(oneTimeSecrets).values({
    id: newId("link"),
    purpose: "email",
    hash: hashToken(token),
    userId: user.id,
    email,
    createdAt: now,
    expiresAt: now + 60_000,
  });
  return { user, path: `/confirm-email/${token}` };
}

test("a new email address stays pending until the user opens its link and presses the button", async () => {
  const { user, path } = await waitingFor("new-home@example.com", { email: "old-home@example.com" });
  const page = await openWindowAs(fixture, user.id);
  await openSettings(page);
  await page.getByText("Waiting for you to confirm new-home@example.com").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe("old-home@example.com");
  await expectAccessible(page);

  // A mail scanner opens the link but does not press the button.
  const scanned = await fetch(`${fixture.product.url}${path}`);
  expect(scanned.headers.get("Cache-Control")).toBe("no-store");
  expect(await scanned.text()).toContain('<meta name="robots" content="noindex"');
  const mail = await openWindow(fixture, { javaScriptEnabled: false });
  await mail.goto(path);
  await mail.getByText("new-home@example.com").waitFor();
  await press(mail, "Confirm this email");
  await mail.getByText("Email confirmed").waitFor();
  expect(pathOf(mail)).toBe("/login");
  expect((await requestPage(path)).html).toContain("This link no longer works");

  const settings = (await requestPage("/settings", user.id)).html;
  expect(settings).toContain('value="new-home@example.com"');
  expect(settings).not.toContain("Waiting for you to confirm");
  const token = path.split("/").at(-1)!;
  expect(fixture.product.logs().filter(({ message }) => message.includes(token))).toEqual([]);
});

test("a user can cancel a pending email address, and an address taken in the meantime shows an explanation", async () => {
  const { user, path } = await waitingFor("wanted@example.com", { email: "stays-here@example.com" });
  const page = await openWindowAs(fixture, user.id);
  await makeUser({ email: "wanted@example.com" });
  await page.goto(path);
  await expectAccessible(page);
  await press(page, "Confirm this email");
  await page.getByText("This email now belongs to another account.").waitFor();
  await expectAccessible(page);
  await openSettings(page);
  await press(page, "Cancel");
  await page.getByText("Your email is still stays-here@example.com.").first().waitFor();
  await expectSoon(() => page.getByText("Waiting for you to confirm").count(), 0);
});
