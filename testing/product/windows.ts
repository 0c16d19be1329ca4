/** Windows of people: opened, signed in, filled in and listened to. */
import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

import { sessionCookie } from "../world.ts";
import { launchBrowser } from "./browser.ts";
import { type Product, startProduct } from "./product.ts";

/** How long a window may take for anything; everything is waited for, nothing is slept for. */
const PATIENCE_MS = 10_000;

export type Stage = { product: Product; browser: Browser };

/**
 * One product and one browser for the tests of a file; every test opens its own profiles.
 * @param vars settings other than wrangler.toml's
 */
export function setStage(vars: Parameters<typeof startProduct>[0] = {}): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    [stage.product, stage.browser] = await Promise.all([startProduct(vars), launchBrowser()]);
  });
  afterEach(() => Promise.all(stage.browser.contexts().map((context) => context.close())));
  afterAll(async () => {
    await stage.browser?.close();
    await stage.product?.stop();
  });
  return stage;
}

/**
 * A browser profile of its own, whose pages stand on the product. Give every window one: of two pages in
 * a profile one is hidden, and drawn once a second.
 */
export async function openContext(
  { browser, product }: Stage,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: product.url,
    locale: "en-AU",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  // The first page of a product that has just started waits until its code is compiled.
  context.setDefaultNavigationTimeout(3 * PATIENCE_MS);
  return context;
}

/** A window of a visitor. */
export async function openWindow(stage: Stage, options: BrowserContextOptions = {}): Promise<Page> {
  return (await openContext(stage, options)).newPage();
}

/** Signs a profile in, in a new session. */
export async function signIn(context: BrowserContext, { product }: Stage, userId: string): Promise<void> {
  const cookie = await sessionCookie(product.db, userId);
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await context.addCookies([{ name: "session", value, url: product.url, httpOnly: true, sameSite: "Lax" }]);
}

/** A window of somebody who is signed in. */
export async function openWindowOf(
  stage: Stage,
  userId: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await openContext(stage, options);
  await signIn(context, stage, userId);
  return context.newPage();
}

/**
 * Waits until a dialog that has just closed has given back its entry in the history: that takes a moment longer, and
 * calls off the loading of a page that begins meanwhile.
 */
export async function untilGivenBack(page: Page): Promise<void> {
  await page.waitForFunction(() => !history.state?.layer || document.querySelector("dialog[open]"));
}

/** Opens the dashboard and waits until its sockets have greeted it. */
export async function openDashboard(page: Page, query = ""): Promise<void> {
  await untilGivenBack(page);
  await page.goto(`/dashboard${query}`);
  await page.locator('.connection[data-state="live"]').waitFor();
}

/** Waits until a document is drawn and its script, which comes after that, has run. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve)))),
  );
}

/** Touches a document's island and waits until it has come alive. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  await untilDrawn(page);
  await page.locator("[data-island]").first().dispatchEvent("pointerover");
  await page.locator("[data-island][data-alive]").waitFor();
}

/** Waits until `read` gives what is expected. */
export async function expectSoon<T>(read: () => Promise<T> | T, expected: T): Promise<void> {
  await expect.poll(read, { timeout: PATIENCE_MS }).toEqual(expected);
}

export type Recording = {
  /** All bytes of every answer and every frame so far, as text. */
  text: () => Promise<string>;
  frames: () => number;
};

async function bodyOf(response: Response): Promise<string> {
  try {
    return (await response.body()).toString("utf8");
  } catch (error) {
    const url = new URL(response.url());
    if (!url.pathname.startsWith("/assets/")) throw error;
    // Code that is fetched while there is nothing else to do may still be coming when the page is left. A file named
    // by its content is the same for whoever asks.
    return (await fetch(url)).text();
  }
}

/** Records every byte a profile's windows receive: answers with their headers, and WebSocket frames. */
export function record(context: BrowserContext): Recording {
  const answers: Promise<string>[] = [];
  const frames: string[] = [];
  context.on("response", (response) => {
    const read = async () => {
      const headers = JSON.stringify(await response.allHeaders());
      // Redirects have no body; a body that cannot be read otherwise fails the test.
      const isRedirect = response.status() >= 300 && response.status() < 400;
      const body = isRedirect ? "" : await bodyOf(response);
      return `${response.url()}\n${headers}\n${body}`;
    };
    const answer = read();
    // Looked at in `text`.
    answer.catch(() => {});
    answers.push(answer);
  });
  context.on("page", (page) => {
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => frames.push(payload.toString("utf8")));
    });
  });
  return {
    text: async () => [...(await Promise.all(answers)), ...frames].join("\n"),
    frames: () => frames.length,
  };
}

/**
 * Fills in the quote form's three steps by hand and stops before it is sent.
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

/** Waits until a step of the quote form is the one shown. */
export async function expectStep(page: Page, step: 1 | 2 | 3): Promise<void> {
  await page.locator(`[role="progressbar"][aria-valuenow="${step}"]`).waitFor();
}

/** The page never hears the answer to its next call of `path`, which arrives all the same. */
export async function loseNextAnswer(page: Page, path: string): Promise<void> {
  await page.route(
    path,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

/** Keeps the code at `path` from the page until the returned function is called. */
export async function holdBack(page: Page, path: Parameters<Page["route"]>[0]): Promise<() => void> {
  const code = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await code.promise;
    await route.continue();
  });
  return code.resolve;
}
