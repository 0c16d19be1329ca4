/** Size limits for a first visit, measured with the browser's network log, and for suburb pages on a phone. */
import { brotliCompressSync } from "node:zlib";

import { inArray } from "drizzle-orm";
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";

import { startTrickle } from "./trickle.ts";
import { MAX_LOCAL_PROVIDERS, MAX_SERVICE_JOBS } from "../contract/profiles.ts";
import { SERVICE_LIST } from "../web/services/services.ts";
import { suburbs } from "../worker/tables.ts";
import { IS_LONG } from "../testing/long.ts";
import { PUBLIC_ADDRESSES } from "../testing/routes/pages.ts";
import { insertJob, insertLocalProviders } from "../testing/shown-records.ts";
import { insertUser } from "../testing/world.ts";
import {
  blockRequests,
  openWindow,
  openWindowAs,
  OWN_PRODUCT,
  setUpFixture,
  waitForHydration,
  waitForPaint,
} from "../testing/product/browser-fixture.ts";

const fixture = setUpFixture(OWN_PRODUCT);

const KB = 1000;

const PHONE = { width: 360, height: 740 };

/** Coast, far west, snow country, city, tablelands, and a tiny place. */
const PLACES = ["byron-bay", "broken-hill", "jindabyne", "parramatta", "orange", "tilpa"];

// Service pages are heaviest with all the jobs they can show, and suburb pages with all providers.
beforeAll(async () => {
  const { db } = fixture.product;
  const places = await db.select().from(suburbs).where(inArray(suburbs.slug, PLACES));
  const councils = new Set(places.map(({ council }) => council));
  await insertLocalProviders(db, [...councils], "sub_parramatta");
  for (const { id } of SERVICE_LIST)
    for (let i = 0; i < MAX_SERVICE_JOBS; i++)
      await insertJob(db, { serviceType: [id], agreedAt: Date.now() });
});

/** Compressed bytes transferred, without headers, by kind. */
type Weight = {
  /** Without the font, like `urls`. */
  requests: number;
  script: number;
  document: number;
  fonts: number[];
  hosts: string[];
  urls: string[];
};

/** Measures everything a window fetches from now on, except images: the icon and photos. */
async function measureWeight(page: Page): Promise<() => Weight> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const seen = new Map<string, { type: string; url: string; bytes: number; headers: number }>();
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (type === "Image") return;
    seen.set(requestId, { type: type ?? "Other", url: request.url, bytes: 0, headers: 0 });
  });
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.mimeType.startsWith("image/")) seen.delete(requestId);
    const entry = seen.get(requestId);
    // At this point only the headers have arrived.
    if (entry) entry.headers = response.encodedDataLength;
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const entry = seen.get(requestId);
    if (entry) entry.bytes = encodedDataLength - entry.headers;
  });
  return () => {
    const all = [...seen.values()];
    const sum = (kind: string) =>
      all.filter(({ type }) => type === kind).reduce((bytes, entry) => bytes + entry.bytes, 0);
    const rest = all.filter(({ type }) => type !== "Font");
    return {
      requests: rest.length,
      fonts: all.filter(({ type }) => type === "Font").map(({ bytes }) => bytes),
      script: sum("Script"),
      document: sum("Document"),
      hosts: [...new Set(all.map(({ url }) => new URL(url).host))],
      urls: rest.map(({ url }) => new URL(url).pathname),
    };
  };
}

/** Opens a page as a first visit on a phone, and waits until the network is idle. */
async function visit(path: string) {
  const page = await openWindow(fixture, { viewport: PHONE });
  const weight = await measureWeight(page);
  await page.goto(path, { waitUntil: "networkidle" });
  return { page, weight };
}

/** Returns the layout shift during page load, in thousandths, and the elements that moved. */
function layoutShift(page: Page): Promise<{ thousandths: number; moved: string[] }> {
  type Shift = PerformanceEntry & { value: number; sources: { node: Element | null }[] };
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let total = 0;
        const moved: string[] = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) {
            total += entry.value;
            moved.push(...entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? "text"));
          }
        }).observe({ type: "layout-shift", buffered: true });
        // Wait two frames, so that the browser has delivered the buffered entries.
        const end = () => resolve({ thousandths: Math.round(total * 1000), moved });
        requestAnimationFrame(() => requestAnimationFrame(end));
      }),
  );
}

/** Documents have only inline scripts. */
const NO_SCRIPT_BYTES = 0;
const APP_SCRIPT_BYTES = 50 * KB;
const FONT_BYTES = 35 * KB;

/** Limits on a first visit, for a page's scripts and for its HTML with inline styles. */
const DOCUMENT_BYTES = 20 * KB;
/** Pages with higher limits than `NO_SCRIPT_BYTES` and `DOCUMENT_BYTES`. */
const HIGHER: Record<string, { script?: number; document?: number }> = {
  "/locations": { document: 60 * KB },
  "/get-quote": { script: APP_SCRIPT_BYTES },
  "/login": { script: APP_SCRIPT_BYTES },
  "/signup": { script: APP_SCRIPT_BYTES },
  "/provider-signup": { script: APP_SCRIPT_BYTES },
};
const PAGES = [...PUBLIC_ADDRESSES, "/location/atlantis", "/no-such-page"];

/** Pages that share a template with another one. Only the long tests measure these and the small ones. */
const SAME_TEMPLATE = /^\/(service\/(?!lawn-mowing$)|provider-signup$|terms-conditions$)/;
/** Pages with little content of their own. */
const SMALL =
  /^\/(how-it-works|reviews|success|forgot-password|my-requests|location\/atlantis|no-such-page)$/;

/** Forms that load their script at the first touch. The form of /services has the island of the service pages. */
const FORMS = ["/location/parramatta", "/service/lawn-mowing", "/get-quote", "/login", "/signup"];
const TOUCHED = new Set(IS_LONG ? [...FORMS, "/services"] : FORMS);
const SIGN_IN_FORMS = new Set(["/login", "/signup"]);

test.each(PAGES.filter((path) => IS_LONG || !(SAME_TEMPLATE.test(path) || SMALL.test(path))))(
  "%s stays within its size budget, as does its touched form; it calls no other host and does not shift while loading",
  async (path) => {
    const { script: scriptLimit = NO_SCRIPT_BYTES, document: documentLimit = DOCUMENT_BYTES } =
      HIGHER[path] ?? {};
    const { page, weight } = await visit(path);
    await expect
      .poll(() => weight().fonts.filter((bytes) => bytes > 0).length, { message: "one font" })
      .toBe(1);
    const { requests, script, document, fonts, hosts, urls } = weight();
    expect(fonts[0]).toBeLessThanOrEqual(FONT_BYTES);
    console.log(`${path}: ${requests} requests, ${script} B of script, ${document} B of HTML`);
    expect(document, "the log saw the page").toBeGreaterThan(KB);
    expect(script, `script: ${urls.join(" ")}`).toBeLessThanOrEqual(scriptLimit);
    expect(document, "HTML").toBeLessThanOrEqual(documentLimit);
    expect(requests, urls.join(" ")).toBeLessThanOrEqual(scriptLimit > 0 ? 4 : 2);
    expect(hosts).toEqual([new URL(fixture.product.url).host]);
    const { thousandths, moved } = await layoutShift(page);
    expect(thousandths, moved.join("\n")).toBe(0);
    if (!TOUCHED.has(path)) return;
    await page.locator("[data-island] input:visible").first().focus();
    await waitForHydration(page);
    await page.waitForLoadState("networkidle");
    const touched = weight();
    console.log(`${path}, touched: ${touched.script} B of script`);
    // The measurement includes scripts that a script loads later.
    expect(touched.script, touched.urls.join(" ")).toBeGreaterThan(5 * KB);
    const touchedLimit = (SIGN_IN_FORMS.has(path) ? 16 : 26) * KB;
    expect(touched.script, touched.urls.join(" ")).toBeLessThanOrEqual(touchedLimit);
    expect(touched.hosts).toHaveLength(1);
  },
);

/** Layout shift, in thousandths, that the font may cause when it arrives late. */
const MAX_FONT_SHIFT = 50;

/** Only three at a time: with more, the browser is too busy to paint each chunk. */
const LAYOUTS = [
  ["/", "/locations", "/location/parramatta"],
  ["/service/lawn-mowing", "/get-quote", "/login"],
  ...(IS_LONG ? [["/services", "/providers", "/signup"]] : []),
];

test.each((IS_LONG ? [360, 1280] : [360]).flatMap((width) => LAYOUTS.map((paths) => ({ width, paths }))))(
  "$paths.0, $paths.1 and $paths.2 do not shift while they load in chunks, $width px wide",
  async ({ width, paths }) => {
    const trickle = await startTrickle(fixture.product.url, 60);
    onTestFinished(trickle.stop);
    async function measureShifts(path: string): Promise<string[]> {
      const page = await openWindow(fixture, { viewport: { width, height: 740 } });
      await page.goto(`${trickle.url}${path}`, { waitUntil: "networkidle" });
      const { thousandths, moved } = await layoutShift(page);
      return thousandths > 0 ? [path, ...moved] : [];
    }
    const moves = await Promise.all(paths.map(measureShifts));
    expect(moves.flat()).toEqual([]);
  },
);

const HEADINGS = ["/", "/location/parramatta", "/get-quote"];
const MORE_HEADINGS = ["/locations", "/service/lawn-mowing", "/how-it-works"];

test.each(IS_LONG ? [...HEADINGS, ...MORE_HEADINGS] : HEADINGS)(
  "on %s the heading is readable before the font arrives, and nothing shifts when it does",
  async (path) => {
    const page = await openWindow(fixture, { viewport: PHONE });
    const sendFont = await blockRequests(page, "**/*.woff2");
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await waitForPaint(page);
    const session = await page.context().newCDPSession(page);
    // Playwright's own screenshots wait for fonts.
    const takeScreenshot = async () => (await session.send("Page.captureScreenshot")).data;
    const readable = await takeScreenshot();
    await page.addStyleTag({ content: "h1 { color: transparent !important }" });
    expect(await takeScreenshot()).not.toBe(readable);
    sendFont();
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => document.fonts.check("1em Bricolage"))).toBe(true);
    const { thousandths, moved } = await layoutShift(page);
    expect(thousandths, moved.join("\n")).toBeLessThan(MAX_FONT_SHIFT);
  },
);

/** Bytes that a provider's phone fetches before the dashboard responds to a tap. */
const FIRST_LOAD = 150 * KB;
const FIRST_FILES = 25;

test("the dashboard hydrates with the scripts its page lists, and loads the rest afterwards", async () => {
  const user = await insertUser(fixture.product.db, { watchedRegions: ["blacktown"] });
  const page = await openWindowAs(fixture, user.id, { viewport: { width: 390, height: 664 } });
  const html = await (await page.request.get("/dashboard")).text();
  const named = new Set([...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path!));
  const preloads = html.match(/<link[^>]* rel="modulepreload"[^>]*>|<link rel="modulepreload"[^>]*>/g) ?? [];
  expect(preloads.length).toBeGreaterThan(2);
  // Without low priority, a tap would wait for all of them.
  expect(preloads.filter((link) => !link.includes('fetchpriority="low"'))).toEqual([]);
  const late = new Set<string>();
  // Block every other script: the page must respond without them.
  await page.route("**/assets/*.js", (route) => {
    const { pathname } = new URL(route.request().url());
    if (named.has(pathname)) return route.continue();
    late.add(pathname);
    return route.abort();
  });
  const hydrated = Promise.withResolvers<PerformanceResourceTiming[]>();
  await page.exposeFunction("reportEntries", hydrated.resolve);
  // Read the entries now: a second after a part fails to load, the page may reload itself.
  await page.addInitScript(() =>
    document.addEventListener("hydrated", () => {
      const { reportEntries } = globalThis as unknown as { reportEntries: (entries: unknown[]) => void };
      reportEntries(performance.getEntriesByType("resource").map((entry) => entry.toJSON()));
    }),
  );
  await page.goto("/dashboard", { waitUntil: "commit" });
  const fetched = await hydrated.promise;
  await expect.poll(() => late.size).toBeGreaterThan(0);
  const loaded = new Set(
    fetched.filter(({ encodedBodySize }) => encodedBodySize > 0).map(({ name }) => new URL(name).pathname),
  );
  expect([...named].filter((path) => !loaded.has(path))).toEqual([]);
  const scripts = await Promise.all([...named].map(async (path) => (await page.request.get(path)).text()));
  // zod writes this key. Forms load it with their schemas.
  expect(scripts.filter((code) => code.includes("~standard"))).toEqual([]);
  const first = scripts.reduce((total, code) => total + brotliCompressSync(code).length, 0);
  console.log(`/dashboard: ${first} B of script with Brotli until it has hydrated, in ${named.size} files`);
  expect(first).toBeGreaterThan(50 * KB);
  expect(first).toBeLessThanOrEqual(FIRST_LOAD);
  expect(named.size).toBeLessThanOrEqual(FIRST_FILES);
  // The failed parts load when the connection returns, without user action.
  await page.unroute("**/assets/*.js");
  await page.locator('.connection[data-state="live"]').waitFor();
});

const MAX_PAGE_PX = 6000;
const MAX_FORM_SCREENS = 1.5;

test("on a phone, a suburb's page is short with all providers, and its form begins within a screen and a half", async () => {
  const page = await openWindow(fixture, { viewport: PHONE });
  for (const slug of PLACES) {
    await page.goto(`/location/${slug}`);
    expect(await page.locator(".local-provider").count(), slug).toBe(MAX_LOCAL_PROVIDERS);
    // One answer at a time is open, so the questions stay closed.
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>("main details:not([name=faq])"))
        fold.open = true;
    });
    const [height, formTop] = await page.evaluate(() => [
      document.documentElement.scrollHeight,
      document.querySelector("#book")!.getBoundingClientRect().top + window.scrollY,
    ]);
    expect(height, slug).toBeLessThanOrEqual(MAX_PAGE_PX);
    expect(formTop, slug).toBeLessThanOrEqual(MAX_FORM_SCREENS * PHONE.height);
  }
});
