/** Passkeys as users handle them. Chromium's virtual authenticator is the phone. */
import { and, eq, isNull } from "drizzle-orm";
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";

import { oneTimeSecrets, passkeys, sessions, users } from "../worker/tables.ts";
import { insertUser, PASSWORD, sessionCookie } from "../testing/world.ts";
import { expectAccessible } from "../testing/product/page-checks.ts";
import {
  blockRequests,
  openContext,
  setUpFixture,
  waitForHistoryCleanup,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture({ ADMIN_PASSKEYS: "required" });

/** Passkeys need a host name. `localhost` counts as secure, but an IP address does not work. */
const localhostUrl = () => fixture.product.url.replace("127.0.0.1", "localhost");

const openWindow = async (options: BrowserContextOptions = {}) =>
  (await openContext(fixture, { baseURL: localhostUrl(), ...options })).newPage();

async function openWindowAs(userId: string): Promise<Page> {
  const page = await openWindow();
  const cookie = await sessionCookie(fixture.product.db, userId);
  await page
    .context()
    .addCookies([{ name: "session", value: cookie.slice("session=".length), url: localhostUrl() }]);
  return page;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Adds a virtual phone whose fingerprint reader always confirms. */
async function withPhone(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Sets whether the fingerprint matches. */
    recognise: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

async function openPasskeys(page: Page): Promise<void> {
  await page.goto("/settings?tab=password");
  await page.getByRole("button", { name: /^Add a/ }).waitFor();
}

/** Adds the first passkey in settings. @returns the recovery codes that the page shows */
async function addFirst(page: Page): Promise<string[]> {
  await press(page, "Add a passkey");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  const codes = await page.locator(".codes code").allInnerTexts();
  await press(page, "I've saved them");
  await waitForHistoryCleanup(page);
  return codes;
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/login");
}

async function enterPassword(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Moves all of a user's sign-ins an hour into the past. */
async function anHourAgo(userId: string): Promise<void> {
  const at = Date.now() - 60 * 60 * 1000;
  await fixture.product.db
    .update(sessions)
    .set({ signedInAt: at, confirmedAt: at })
    .where(eq(sessions.userId, userId));
}

test("a provider adds a passkey and signs in with it, after the password and alone, despite late code and a wrong fingerprint", async () => {
  const user = await insertUser(fixture.product.db);
  const page = await openWindowAs(user.id);
  const phone = await withPhone(page);
  await openPasskeys(page);
  await expectAccessible(page);
  await press(page, "Add a passkey");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  expect(await page.locator(".codes code").allInnerTexts()).toHaveLength(10);
  await expectAccessible(page);
  await press(page, "I've saved them");
  await page.getByText("not used yet").waitFor();
  await page.getByText("You have 10 left.").waitFor();
  await waitForHistoryCleanup(page);

  await signOut(page);
  await enterPassword(page, user.username);
  await page.getByRole("heading", { name: "Now your passkey" }).waitFor();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("session");
  await expectAccessible(page);
  await press(page, "Use your passkey");
  await page.waitForURL("**/dashboard");

  await signOut(page);
  await phone.recognise(false);
  const releaseCode = await blockRequests(page, /passkey-form\.island/);
  const link = page.getByRole("link", { name: "Sign in with a passkey" });
  await page.goto((await link.getAttribute("href"))!);
  await page.getByRole("heading", { name: "Sign in with a passkey" }).waitFor();
  // A tap before the page's code has loaded takes effect once it has.
  await press(page, "Use your passkey");
  expect(new URL(page.url()).pathname).toBe("/login/passkey");
  releaseCode();
  await page.getByRole("alert").filter({ hasText: "That didn't work. It was cancelled" }).waitFor();
  await expectAccessible(page);
  await phone.recognise(true);
  await press(page, "Use your passkey");
  await page.waitForURL("**/dashboard");
  await page.goto("/settings?tab=password");
  await page.getByText(/Chrome on Linux, passkey/).waitFor();
  await page.getByText(/Chrome on Linux, password and passkey/).waitFor();
});

test("a passkey can be named, confirms a new email address and can be removed; the same phone cannot add another", async () => {
  const user = await insertUser(fixture.product.db);
  const page = await openWindowAs(user.id);
  await withPhone(page);
  await openPasskeys(page);
  await addFirst(page);
  await press(page, "Rename Chrome on Linux");
  await page.getByRole("textbox", { name: "Name" }).fill("");
  await press(page, "Save name");
  await page.getByText("Give the passkey a name").waitFor();
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "Name" }).fill("Ute phone");
  await press(page, "Save name");
  await page.getByText("Ute phone").waitFor();
  await press(page, "Add another passkey");
  await page.getByText("This device already has a passkey for your account.").first().waitFor();

  await page.goto("/settings");
  await page.getByLabel("Email").fill("confirmed@example.com");
  await anHourAgo(user.id);
  await press(page, "Save changes");
  const dialog = page.getByRole("dialog", { name: "Please confirm it's you" });
  await dialog.getByRole("button", { name: "Use your passkey" }).click();
  await page.getByText("Personal information updated").first().waitFor();
  await waitForHistoryCleanup(page);
  await openPasskeys(page);
  await press(page, "Remove Ute phone");
  await page.getByText("It's your last one").waitFor();
  await expectAccessible(page);
  await press(page, "Remove passkey");
  await page.getByRole("button", { name: "Add a passkey" }).waitFor();
  expect(await fixture.product.db.select().from(passkeys).where(eq(passkeys.userId, user.id))).toEqual([]);
  const [row] = await fixture.product.db.select().from(users).where(eq(users.id, user.id));
  expect(row!.email).toBe("confirmed@example.com");
});

test("a recovery code signs in once, with JavaScript and without", async () => {
  const user = await insertUser(fixture.product.db);
  const page = await openWindowAs(user.id);
  await withPhone(page);
  await openPasskeys(page);
  const codes = await addFirst(page);
  for (const [i, javaScriptEnabled] of [true, false].entries()) {
    const lost = await openWindow({ javaScriptEnabled });
    await lost.goto("/login");
    await enterPassword(lost, user.username);
    await lost.getByRole("heading", { name: "Now your passkey" }).waitFor();
    await lost.getByText("Don’t have your passkey?").click();
    for (const [code, words] of [
      ["abcd", "A recovery code has 16 letters and digits"],
      ["aaaa-aaaa-aaaa-aaaa", "That isn't one of this account's codes"],
    ] as const) {
      await lost.getByLabel("Recovery code").fill(code);
      await press(lost, "Sign in with the code");
      await lost.getByText(words).waitFor();
    }
    if (javaScriptEnabled) await expectAccessible(lost);
    await lost.getByLabel("Recovery code").fill(codes[i]!.toUpperCase());
    await press(lost, "Sign in with the code");
    await lost.waitForURL("**/dashboard");
  }
  await page.reload();
  await page.getByText("You have 8 left.").waitFor();
  const isUnused = and(eq(oneTimeSecrets.userId, user.id), isNull(oneTimeSecrets.usedAt));
  expect(await fixture.product.db.$count(oneTimeSecrets, isUnused)).toBe(8);
});

test("a super admin without a passkey is redirected to add one, has no admin rights before, and later signs in with it", async () => {
  const admin = await insertUser(fixture.product.db, { isSuperAdmin: true });
  const page = await openWindow();
  await withPhone(page);
  await page.goto("/login");
  await enterPassword(page, admin.username);
  await page.waitForURL("**/settings?tab=password#passkeys");
  await page.getByText("Super admins sign in with a passkey.").waitFor();
  await page.goto("/admin/providers");
  await page.getByRole("heading", { name: "One step before the admin pages" }).waitFor();
  await expectAccessible(page);
  await page.goto("/dashboard");
  await page.getByText("Your admin pages need a passkey.").waitFor();
  await page.getByRole("link", { name: "Set it up" }).click();
  await page.getByText("Your admin pages need a passkey.").waitFor({ state: "detached" });
  await addFirst(page);
  await press(page, `${admin.firstName} ${admin.lastName}`);
  await page.getByRole("link", { name: "Manage Providers" }).click();
  await page.getByRole("navigation", { name: "Admin" }).waitFor();
  await page.goto("/settings?tab=password");
  await page.getByRole("button", { name: "Rename Chrome on Linux" }).waitFor();
  expect(await page.getByRole("button", { name: "Remove Chrome on Linux" }).count()).toBe(0);

  // As if the session were older than the passkey.
  await fixture.product.db
    .update(sessions)
    .set({ secondFactorAt: null })
    .where(eq(sessions.userId, admin.id));
  await page.reload();
  await page.getByText("Your admin pages need your passkey").waitFor();
  await expectAccessible(page);
  await press(page, "Use your passkey");
  await page.getByText("Your admin pages need your passkey").waitFor({ state: "detached" });
  await page.goto("/admin/providers");
  await page.getByRole("navigation", { name: "Admin" }).waitFor();
});

test("bank details ask for confirmation again, keep the input, and then save automatically", async () => {
  const user = await insertUser(fixture.product.db);
  const page = await openWindowAs(user.id);
  await page.goto("/settings?tab=bank");
  await page.getByLabel("Bank name").fill("Harbour Bank");
  await page.getByLabel("Account number").fill("12345678");
  await anHourAgo(user.id);
  await press(page, "Save bank details");
  const dialog = page.getByRole("dialog", { name: "Please confirm it's you" });
  await dialog.getByLabel("Your password").fill("not it");
  await expectAccessible(page);
  await press(page, "Confirm");
  await dialog.getByText("That password isn't right. Please try again.").waitFor();
  await press(page, "Cancel");
  await page.getByText("What you typed is still there.").first().waitFor();
  expect(await page.getByLabel("Bank name").inputValue()).toBe("Harbour Bank");
  await press(page, "Save bank details");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await press(page, "Confirm");
  await page.getByText("Bank details updated").first().waitFor();
  await page.getByText("ends in 678").waitFor();
});
