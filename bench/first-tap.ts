/**
 * First tap: time from requesting the dashboard on a slow phone until a tap on Buy takes the lead. Alternates
 * between runs with and without the script that records early taps.
 */
import type { Browser, Page } from "playwright-core";

import { launchBrowser } from "../testing/product/browser.ts";
import { startProduct } from "../testing/product/product.ts";
import { insertPendingLead, insertUser, sessionCookie } from "../testing/world.ts";
import { figure, median, type Row, verdict } from "./figures.ts";

type Product = Awaited<ReturnType<typeof startProduct>>;

const TARGET_MS = 1_500;
/** Timeout: a page is slow if it gets a quarter of a busy machine's CPU. */
const TIMEOUT_MS = 60_000;

/** Lighthouse's slow 4G, in milliseconds and bytes per second. */
const SLOW_4G = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** Milliseconds since the page request. */
type Times = { shown: number; hydrated: number; asked: number; answered: number; opened: number };

/** Taps the first Buy button repeatedly, as an impatient user does, until the page requests the lead. */
function tapUntilTaken() {
  const times: Times = { shown: 0, hydrated: 0, asked: 0, answered: 0, opened: 0 };
  Object.assign(globalThis, { times });
  document.addEventListener("hydrated", () => (times.hydrated ||= performance.now()));
  const send = fetch;
  globalThis.fetch = async (...request) => {
    const isHoldRequest = String(request[0]).endsWith("/api/exchange/holds");
    if (isHoldRequest) times.asked ||= performance.now();
    const response = await send(...request);
    if (isHoldRequest) times.answered ||= performance.now();
    return response;
  };
  setInterval(() => {
    const buy = document.querySelector<HTMLElement>(".leads .button--main");
    if (!buy) return;
    times.shown ||= performance.now();
    if (!times.asked) buy.click();
    if (document.querySelector("dialog[open]")) times.opened ||= performance.now();
  }, 20);
}

/** Simulates the page without `web/app/early-taps.ts`, the only code that listens for clicks on the window. */
function turnOffEarlyTaps() {
  const listen = window.addEventListener.bind(window) as (...all: unknown[]) => void;
  const addEventListener = (...all: unknown[]) => all[0] === "click" || listen(...all);
  Object.assign(window, { addEventListener });
}

/** @param cpuSlowdown CPU slowdown factor of the phone, relative to this machine */
async function slowDown(page: Page, cpuSlowdown: number) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", { offline: false, ...SLOW_4G });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpuSlowdown });
}

/** Opens the dashboard for the first time, as a provider for whom a lead is available. */
async function tapOnce(
  browser: Browser,
  product: Product,
  cpuSlowdown: number,
  isEarly: boolean,
): Promise<Times> {
  await insertPendingLead(product.db, {}, Date.now() - 60_000);
  await product.runSchedule();
  const user = await insertUser(product.db, { watchedRegions: ["inner-west"] });
  const cookie = await sessionCookie(product.db, user.id);
  const context = await browser.newContext({
    viewport: { width: 390, height: 664 },
    hasTouch: true,
    isMobile: true,
  });
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await context.addCookies([{ name: "session", value, url: product.url, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  if (!isEarly) await page.addInitScript(turnOffEarlyTaps);
  await page.addInitScript(tapUntilTaken);
  await slowDown(page, cpuSlowdown);
  await page.goto(`${product.url}/dashboard`, { waitUntil: "commit", timeout: TIMEOUT_MS });
  const isOver = () => {
    const { times } = globalThis as unknown as { times: Times };
    return times.opened > 0 && times.answered > 0;
  };
  await page.waitForFunction(isOver, undefined, { timeout: TIMEOUT_MS });
  const times = await page.evaluate(() => (globalThis as unknown as { times: Times }).times);
  await context.close();
  return times;
}

const LABELS: Record<keyof Times, string> = {
  shown: "the first lead is shown, ms",
  hydrated: "the page is hydrated, ms",
  asked: "a tap on Buy works: the page requests the lead, ms",
  answered: "… and taken, ms",
  opened: "… and its purchase is open, ms",
};

/** A tap works if the page requests the lead. It helps if the provider gets the lead. */
const AIMED: ReadonlySet<keyof Times> = new Set(["asked", "answered"]);

function rowsOf(cpuSlowdown: number, without: readonly Times[], early: readonly Times[]): Row[] {
  return (Object.keys(LABELS) as (keyof Times)[]).map((name) => {
    const of = (all: readonly Times[]) => median(all.map((times) => times[name]));
    return {
      "slow 4G, processor": `${cpuSlowdown} × slower`,
      "": LABELS[name],
      "when the page has hydrated": figure(of(without)),
      "heard early": figure(of(early)),
      aim: AIMED.has(name) ? `≤ ${figure(TARGET_MS)}: ${verdict(of(early) <= TARGET_MS)}` : "",
    };
  });
}

/**
 * Measures first taps on a slow connection, alternating runs with and without the script.
 *
 * @param vars settings that enable card payments
 * @param sizes number of taps with and without the script, and CPU slowdown factors
 */
export async function measureFirstTap(
  vars: Parameters<typeof startProduct>[0],
  sizes: { runs: number; cpuSlowdown: readonly number[] },
): Promise<Row[]> {
  const [product, browser] = [await startProduct(vars, null), await launchBrowser()];
  try {
    const rows: Row[] = [];
    // Warm up: the first page of a new product is slow for other reasons than the connection.
    await tapOnce(browser, product, 1, true);
    for (const cpuSlowdown of sizes.cpuSlowdown) {
      const [without, early]: [Times[], Times[]] = [[], []];
      for (let run = 0; run < sizes.runs; run++) {
        without.push(await tapOnce(browser, product, cpuSlowdown, false));
        early.push(await tapOnce(browser, product, cpuSlowdown, true));
      }
      rows.push(...rowsOf(cpuSlowdown, without, early));
    }
    return rows;
  } finally {
    await browser.close();
    await product.stop();
  }
}
