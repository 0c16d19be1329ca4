import { eq } from "drizzle-orm";
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";

import { signInFailures, users } from "../worker/tables.ts";
import { insertUser, PASSWORD } from "../testing/world.ts";
import { takeRegion } from "../testing/product/unused-regions.ts";
import { expectAccessible } from "../testing/product/page-checks.ts";
import {
  keepToasts,
  openContext,
  openDashboard,
  openWindow,
  setUpFixture,
  signIn,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture();

const makeUser = (overrides: Parameters<typeof insertUser>[1] = {}) =>
  insertUser(fixture.product.db, overrides);

const pathOf = (page: Page) => new URL(page.url()).pathname;

async function fillLogin(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

async function fillSignup(page: Page, username: string): Promise<void> {
  const fields = {
    "First name": "Nora",
    "Last name": "Newcomer",
    Username: username,
    Phone: "02 5550 0177",
    "Company name": "Newcomer Lawns",
    Password: "three plain words",
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByRole("button", { name: "Create Account" }).click();
}

const USERNAME_TAKEN = "This username is already taken. Please choose a different username.";

async function hasSession(page: Page): Promise<boolean> {
  return (await page.context().cookies()).some(({ name }) => name === "session");
}

/** Sets every account's count of wrong passwords, the last of them some time ago. */
async function setFailures(failures: number, agoMs: number): Promise<void> {
  await fixture.product.db.update(signInFailures).set({ failures, lastAt: Date.now() - agoMs });
}

test("a wrong password shows an alert, after many the page says how long to wait, and the right one signs in, with and without JavaScript", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const user = await makeUser();
    const page = await openWindow(fixture, { javaScriptEnabled, viewport: { width: 360, height: 740 } });
    await page.goto("/login");
    await fillLogin(page, user.username, "not it");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toBe("Invalid username or password");
    expect(await page.getByLabel("Username").inputValue()).toBe(user.username);
    expect(await page.getByRole("button", { name: "Sign In" }).isEnabled()).toBe(true);
    expect(await hasSession(page)).toBe(false);
    if (javaScriptEnabled) {
      await page.getByLabel("Username").fill("");
      await page.getByRole("button", { name: "Sign In" }).click();
      await page.getByText("Username is required").waitFor();
      // The earlier attempt's error message is gone.
      expect(await alert.count()).toBe(0);
    }
    // The last failure is ten minutes in the future, so the delay also lasts on a slow machine.
    await setFailures(20, -10 * 60_000);
    await fillLogin(page, user.username);
    const limited = alert.filter({ hasText: "Please try again in" });
    await limited.waitFor();
    expect(await limited.innerText()).toMatch(
      /^Someone typed a wrong password for this account\. Please try again in \d+ seconds\.$/,
    );
    expect(await page.getByLabel("Username").inputValue()).toBe(user.username);
    if (javaScriptEnabled) await expectAccessible(page);
    await setFailures(20, 60_000);
    await fillLogin(page, user.username);
    await page.waitForURL("**/dashboard");
    if (javaScriptEnabled) await page.getByText("Login successful").first().waitFor();
    await page.getByRole("heading", { name: "Lead Dashboard" }).waitFor();
    await page.context().close();
  }
});

test("without JavaScript a customer signs in and out", async () => {
  const user = await makeUser({ userType: "customer", firstName: "Cora", lastName: "Customer" });
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  await page.goto("/login");
  await fillLogin(page, user.username);
  await page.getByText("Welcome back!").waitFor();
  expect(pathOf(page)).toBe("/");
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("button", { name: "Logout" }).first().click();
  await page.getByText("Logged out successfully").waitFor();
  expect(await hasSession(page)).toBe(false);
});

test("a toast can be focused with F8, left with Escape and swiped away", async () => {
  const page = await openWindow(fixture);
  await page.goto("/");
  await keepToasts(page);
  const say = async () => {
    await page.context().addCookies([{ name: "flash", value: "logout", url: fixture.product.url }]);
    await page.reload();
    await waitForPaint(page);
  };
  const note = page.getByRole("status").filter({ hasText: "Logged out successfully" });
  await say();
  await page.keyboard.press("F8");
  expect(await note.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  expect(await note.isVisible()).toBe(false);
  await say();
  const box = (await note.boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 80, box.y + 20);
  await page.mouse.up();
  expect(await note.isVisible()).toBe(true);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 20, { steps: 3 });
  await page.mouse.up();
  expect(await note.isVisible()).toBe(false);
});

/** Runs in the page: whether nothing covers the middle of an element. */
const isOnTop = (element: Element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
};

test("a new provider chooses another username than a taken one, signs up and is asked for their regions", async () => {
  const taken = await makeUser();
  const page = await openWindow(fixture);
  await page.goto("/signup");
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.getByText("First name is required").waitFor();
  await fillSignup(page, taken.username);
  // Once, beside the field. Playwright finds no single element if the text is there twice.
  await page.getByText(USERNAME_TAKEN).waitFor();
  expect(await page.getByLabel("Company name").inputValue()).toBe("Newcomer Lawns");
  await fillSignup(page, "nora-new");
  await page.waitForURL("**/dashboard");
  await page.getByText("Registration Successful!").first().waitFor();
  await page.getByText("Provider account created successfully").first().waitFor();
  const showLeads = page.getByRole("button", { name: "Show me the leads" });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByText("Where do you work?").scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  await showLeads.click();
  const problem = page.getByText("Please select at least one region");
  await problem.waitFor();
  const { y, height } = (await problem.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual((await showLeads.boundingBox())!.y);
  expect(await problem.evaluate(isOnTop)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await page.getByLabel(takeRegion().name, { exact: true }).check();
  await showLeads.click();
  await page.getByText("No leads in your regions right now.").waitFor();
  const [user] = await fixture.product.db.select().from(users).where(eq(users.username, "nora-new"));
  expect(user).toMatchObject({
    userType: "provider",
    companyName: "Newcomer Lawns",
    isSuperAdmin: false,
    businessAddress: "To be updated after signup",
  });
});

test("a form script that loads late does not take focus while the user types", async () => {
  const page = await openWindow(fixture);
  const code = Promise.withResolvers<void>();
  await page.route("**/assets/signup-form.island-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto("/signup");
  // The browser submits the form. The returned page has errors, and its script is still loading.
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.getByText("First name is required").waitFor();
  const lastName = page.getByLabel("Last name");
  await lastName.pressSequentially("New");
  code.resolve();
  await page.locator("[data-island][data-hydrated]").waitFor();
  await page.keyboard.type("comer", { delay: 60 });
  expect(await lastName.inputValue()).toBe("Newcomer");
  expect(await page.getByLabel("First name").inputValue()).toBe("");
});

test("without JavaScript, a taken username or email shows an error and keeps the input", async () => {
  const email = "taken-e2e@example.com";
  const { username } = await makeUser({ email });
  const page = await openWindow(fixture, { javaScriptEnabled: false });
  await page.goto("/provider-signup");
  await page.getByLabel("Email").fill(email);
  await fillSignup(page, username);
  const retry = async () => {
    await page.getByLabel("Password").fill("three plain words");
    await page.getByRole("button", { name: "Create Account" }).click();
  };
  await page.getByText(USERNAME_TAKEN).waitFor();
  expect(await page.getByLabel("Company name").inputValue()).toBe("Newcomer Lawns");
  await page.getByLabel("Username").fill(`${username}-other`);
  await retry();
  await page
    .getByText("This email is already registered. Please use a different email or try logging in.")
    .waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe(email);
  expect(await hasSession(page)).toBe(false);
  await page.getByLabel("Email").fill("");
  await retry();
  await page.getByRole("heading", { name: "Lead Dashboard" }).waitFor();
  expect(await hasSession(page)).toBe(true);
});

const failCall = (route: Route) => route.fulfill({ status: 500, body: "" });

test("a failed sign-out shows an error; the next ends the session in all its windows immediately", async () => {
  const user = await makeUser();
  const context = await openContext(fixture);
  await signIn(context, fixture, user.id);
  const first = await context.newPage();
  await openDashboard(first);
  // A second window with the same session.
  const second = await openWindow(fixture);
  await second.context().addCookies(await context.cookies());
  await openDashboard(second);

  const requests: string[] = [];
  second.on("request", (request) => requests.push(new URL(request.url()).pathname));
  const signOut = async () => {
    await first.getByRole("button", { name: `${user.firstName} ${user.lastName}` }).click();
    await first.getByRole("button", { name: "Logout" }).click();
  };
  await first.route("**/api/auth/logout", failCall, { times: 1 });
  await signOut();
  await first.getByText("There was an error logging out. Please try again.").first().waitFor();
  expect(pathOf(first)).toBe("/dashboard");
  await openDashboard(first);
  await signOut();
  await first.getByText("Logged out successfully").waitFor();
  expect(pathOf(first)).toBe("/");
  expect(await hasSession(first)).toBe(false);
  await second.waitForURL("**/login?ended=*");
  // All sockets close, but the page sends one request and redirects once.
  expect(requests.filter((path) => path === "/api/auth/me" || path === "/login")).toEqual([
    "/api/auth/me",
    "/login",
  ]);
});
