/** Users' browser windows: opening, signing in and filling in forms. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

import { STORED_PIPELINE } from "../../web/lib/clear-encrypted-store.ts";
import { waitLimitMs } from "../patience.ts";
import { PASSWORD, sessionCookie } from "../world.ts";
import { launchBrowser } from "./browser.ts";
import { type Product, startProduct } from "./product.ts";

export type BrowserFixture = { product: Product; browser: Browser };

let launched: Promise<Browser> | undefined;

/** Returns this process's browser. Files share it, and each test opens its own profiles. It ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  const browser = await launched;
  if (browser?.isConnected()) return browser;
  launched = launchBrowser();
  return launched;
}

/** Prints the text of a failed test's pages: a timeout alone does not say what they showed instead. */
async function printPages(pages: Page[]): Promise<void> {
  for (const page of pages) {
    const text = await page.locator("body").innerText({ timeout: 1000 }).catch(String);
    console.error(`${page.url()} showed:\n${text.slice(0, 3000)}`);
  }
}

/** Closes a profile. A browser that crashed has already closed it. */
async function closeContext(context: BrowserContext): Promise<void> {
  try {
    await context.close();
  } catch (error) {
    if (context.browser()?.isConnected()) throw error;
  }
}

let shared: Promise<Product> | undefined;

/** Returns this process's product. Its files share it and run one after the other. It ends with the process. */
function sharedProduct(): Promise<Product> {
  shared ??= startProduct();
  return shared;
}

/** For a file whose tests expect an empty product, count all rows or break something. */
export const OWN_PRODUCT = {};

/**
 * Gives a file's tests a product and the shared browser. Without settings, files share the product. So their tests use
 * their own users, names and leads, and `takeRegion` if they need an empty market. Each test opens its own profiles. If
 * the browser crashes during a test, Vitest runs the test once more in a new browser.
 *
 * @param vars overrides of wrangler.toml's vars, for a product that only this file uses; see also `OWN_PRODUCT`
 */
export function setUpFixture(vars?: Parameters<typeof startProduct>[0]): BrowserFixture {
  const fixture = {} as BrowserFixture;
  beforeAll(async () => {
    const product = vars ? startProduct(vars) : sharedProduct();
    [fixture.product, fixture.browser] = await Promise.all([product, sharedBrowser()]);
  });
  afterEach(async ({ task }) => {
    const contexts = fixture.browser.contexts();
    const isFailed = task.result?.state === "fail";
    if (isFailed) await printPages(contexts.flatMap((context) => context.pages()));
    await Promise.all(contexts.map(closeContext));
    if (fixture.browser.isConnected()) return;
    fixture.browser = await sharedBrowser();
    // Vitest runs the test again: vitest.config.ts lists this message.
    if (isFailed) throw new Error("The browser crashed");
  });
  if (vars) afterAll(() => fixture.product?.stop());
  return fixture;
}

let profileCount = 0;

/** Returns the next profile's IP address. Rate limits count by address, and the files of a product share them. */
function nextAddress(): string {
  profileCount += 1;
  return `2001:db8:${profileCount.toString(16)}::1`;
}

/**
 * Opens a new browser profile for the product's pages. Use a separate profile for every window: if a profile
 * has two pages, the browser draws the hidden one only once a second.
 */
export async function openContext(
  { browser, product }: BrowserFixture,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: product.url,
    locale: "en-AU",
    reducedMotion: "reduce",
    // Pages of the shared product load nothing from other hosts, which might reject the header.
    ...(product === (await shared) && { extraHTTPHeaders: { "CF-Connecting-IP": nextAddress() } }),
    ...options,
  });
  // Tests wait for conditions and never sleep. Navigation has the same limit.
  context.setDefaultTimeout(waitLimitMs());
  return context;
}

/** Opens a visitor's window. */
export async function openWindow(
  fixture: BrowserFixture,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return (await openContext(fixture, options)).newPage();
}

/** Signs a profile in with a new session. */
export async function signIn(
  context: BrowserContext,
  { product }: BrowserFixture,
  userId: string,
): Promise<void> {
  const cookie = await sessionCookie(product.db, userId);
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await context.addCookies([{ name: "session", value, url: product.url, httpOnly: true, sameSite: "Lax" }]);
}

/** Signs in on the login page, which also sets the device's cookie, and waits for the dashboard. */
export async function signInByForm(page: Page, username: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/dashboard*");
  await page.locator('.connection[data-state="live"]').waitFor();
}

/** Opens a signed-in user's window. */
export async function openWindowAs(
  fixture: BrowserFixture,
  userId: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await openContext(fixture, options);
  await signIn(context, fixture, userId);
  return context.newPage();
}

/** Waits until a closed dialog has removed its history entry. Otherwise that would cancel the next page load. */
export async function waitForHistoryCleanup(page: Page): Promise<void> {
  await page.waitForFunction(() => !history.state?.layer || document.querySelector("dialog[open]"));
}

/** Opens the dashboard and waits for the first message on its sockets. */
export async function openDashboard(page: Page, query = ""): Promise<void> {
  await waitForHistoryCleanup(page);
  await page.goto(`/dashboard${query}`);
  await page.locator('.connection[data-state="live"]').waitFor();
}

/** Waits until the browser has drawn a document and its script has run afterwards. */
export async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve)))),
  );
}

function stopToastAnimation() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".toast { animation: none !important }");
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Keeps toasts until they are closed, in this page and in later page loads. Otherwise they disappear after a few seconds,
 * maybe before the test checks them.
 */
export async function keepToasts(page: Page): Promise<void> {
  await page.addInitScript(stopToastAnimation);
  await page.evaluate(stopToastAnimation);
}

/** Touches a document's island and waits until it has hydrated. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await waitForPaint(page);
  await page.locator("[data-island]").first().dispatchEvent("pointerover");
  await page.locator("[data-island][data-hydrated]").waitFor();
}

/** Waits until the form would submit its start token. The request for it may still be in flight. */
export async function waitForStartToken(page: Page): Promise<void> {
  const start = () =>
    page
      .locator("[name=startToken]")
      .evaluate((field: HTMLInputElement) => new FormData(field.form!).get("startToken"));
  await expect.poll(start).not.toBe("");
}

/** Waits until `read` returns the expected value. */
export async function expectSoon<T>(read: () => Promise<T> | T, expected: T): Promise<void> {
  await expect.poll(read).toEqual(expected);
}

/**
 * Fills in the three steps of the quote form, but does not submit it.
 *
 * @param values by label
 */
export async function fillQuote(
  page: Page,
  values: { address: string; requests?: string; name: string; phone: string; email?: string },
): Promise<void> {
  await page.getByLabel("Property address").fill(values.address);
  await continueQuote(page, 2);
  if (values.requests) await page.getByLabel("Specific requests").fill(values.requests);
  await continueQuote(page, 3);
  await page.locator("[name=customerName]").fill(values.name);
  await page.getByLabel("Phone").fill(values.phone);
  if (values.email) await page.getByLabel("Email").fill(values.email);
}

/** Presses Continue and waits for the next step. */
export async function continueQuote(page: Page, nextStep: 2 | 3): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
  await expectStep(page, nextStep);
}

/** Waits until the quote form shows a step. */
export async function expectStep(page: Page, step: 1 | 2 | 3): Promise<void> {
  await page.locator(`[role="progressbar"][aria-valuenow="${step}"]`).waitFor();
}

/** Disables `AbortSignal.timeout` in the page, so that a slow machine fails no test. Call it before the page opens. */
export async function disableTimeouts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
}

/** Drops every response to the page's calls of `path`, until the caller calls the returned function. */
export async function dropResponses(page: Page, path: string): Promise<() => void> {
  let isDropping = true;
  await page.route(path, async (route) => {
    if (!isDropping) return route.continue();
    await route.fetch();
    await route.abort();
  });
  return () => {
    isDropping = false;
  };
}

/** Drops the response to the page's next call of `path`. The server still receives the call. */
export async function dropNextResponse(page: Page, path: string): Promise<void> {
  await page.route(
    path,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

/** Blocks the code at `path` until the caller calls the returned function. */
export async function blockRequests(page: Page, path: Parameters<Page["route"]>[0]): Promise<() => void> {
  const code = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await code.promise;
    await route.continue();
  });
  return code.resolve;
}

/** Counts the entries stored on this device whose names start with a prefix. */
export const countStoredEntries = (page: Page, prefix: string) =>
  page.evaluate(
    (begin) =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open("naturestrip-offline");
        open.addEventListener("success", () => {
          const all = open.result.transaction("kept").objectStore("kept").getAllKeys();
          all.addEventListener("success", () =>
            resolve(all.result.filter((name) => String(name).startsWith(begin)).length),
          );
        });
      }),
    prefix,
  );

/** Whether the phone has stored the offline page, its files and the pipeline. */
export const isPipelineStored = async (page: Page) =>
  (await page.evaluate(async () => (await caches.match("/dashboard/offline")) !== undefined)) &&
  (await countStoredEntries(page, STORED_PIPELINE)) > 0;

/** Stores a screenshot for people to look at, if the environment names a folder. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
