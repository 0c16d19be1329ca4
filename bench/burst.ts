/**
 * Burst: one message brings many leads at once, such as after the page was offline. Measures how long a page
 * with the lead list freezes.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";

import { launchBrowser } from "../testing/product/browser.ts";
import { startProduct } from "../testing/product/product.ts";
import { insertPendingLead, insertUser, sessionCookie } from "../testing/world.ts";
import { figure, median, type Row, verdict } from "./figures.ts";

type Product = Awaited<ReturnType<typeof startProduct>>;

const TARGET_MS = 200;
/** Leads in the list before the burst. */
const LEADS_BEFORE = 5;
const TIMEOUT_MS = 120_000;

/** Records every long task on the page (over 50 ms), in ms. */
function recordFreezes() {
  const freezes: number[] = [];
  Object.assign(globalThis, { freezes });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) freezes.push(duration);
  }).observe({ type: "longtask" });
}

const clearFreezes = () => (globalThis as unknown as { freezes: number[] }).freezes.splice(0);

/** Opens the list on a provider's phone. */
async function openList(
  browser: Browser,
  product: Product,
): Promise<{ context: BrowserContext; page: Page }> {
  const user = await insertUser(product.db, { watchedRegions: ["inner-west"] });
  const cookie = await sessionCookie(product.db, user.id);
  const context = await browser.newContext({
    viewport: { width: 390, height: 664 },
    hasTouch: true,
    isMobile: true,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await context.addCookies([{ name: "session", value, url: product.url, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  await page.goto(`${product.url}/dashboard`);
  await page.locator('.connection[data-state="live"]').waitFor();
  return { context, page };
}

async function list(product: Product, count: number) {
  const storedAt = Date.now() - 60_000;
  for (let i = 0; i < count; i += 1) await insertPendingLead(product.db, {}, storedAt);
  // Each scheduled run lists only some of the leads.
  for (;;) {
    const waiting = await product.d1
      .prepare("SELECT count(*) AS count FROM leads WHERE listing_state = 'pending'")
      .first<{ count: number }>();
    if (!waiting?.count) return;
    await product.runSchedule();
  }
}

/** Returns the page's longest freeze in ms while many leads arrive at once. */
async function burst(
  browser: Browser,
  product: Product,
  cpuSlowdown: number,
  count: number,
): Promise<number> {
  const { context, page } = await openList(browser, product);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
  await page.evaluate(recordFreezes);
  const shown = await page.locator(".leads > li").count();
  await context.setOffline(true);
  await list(product, count);
  await page.evaluate(clearFreezes);
  await context.setOffline(false);
  await page.waitForFunction(
    (wanted) => Number(document.querySelector(".leads__new")?.textContent?.replaceAll(/\D/g, "")) >= wanted,
    count,
  );
  await page.locator(".leads__new button").click();
  // Wait until the page has rendered all leads. Otherwise we would not measure deferred rendering.
  await page.waitForFunction(
    (wanted) => document.querySelectorAll(".leads > li").length >= wanted,
    shown + count,
  );
  // Wait until there are no more long tasks.
  let before = -1;
  for (;;) {
    await page.waitForTimeout(1_000);
    const now = await page.evaluate(() => (globalThis as unknown as { freezes: number[] }).freezes.length);
    if (now === before) break;
    before = now;
  }
  const longest = Math.max(0, ...(await page.evaluate(clearFreezes)));
  await context.close();
  return longest;
}

/**
 * Measures bursts of leads on a page that shows the list.
 *
 * @param sizes number of leads, number of runs, and CPU slowdown factors
 */
export async function measureBurst(
  vars: Parameters<typeof startProduct>[0],
  { leads, runs, cpuSlowdown }: { leads: number; runs: number; cpuSlowdown: readonly number[] },
): Promise<Row[]> {
  const browser = await launchBrowser();
  const rows: Row[] = [];
  try {
    for (const rate of cpuSlowdown) {
      const longest: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const product = await startProduct(vars, null);
        await list(product, LEADS_BEFORE);
        longest.push(await burst(browser, product, rate, leads));
        await product.stop();
      }
      const ms = median(longest);
      rows.push({
        processor: `${rate} × slower`,
        "leads at once": figure(leads),
        "longest freeze, ms": figure(ms),
        aim: rate === 1 ? `≤ ${figure(TARGET_MS)}: ${verdict(ms <= TARGET_MS)}` : "",
      });
    }
    return rows;
  } finally {
    await browser.close();
  }
}
