/** Pipeline: main-thread time to paint and to search a pipeline of 5,000 purchases, against one of 50. */
import type { Browser, Page } from "playwright-core";

import { waitLimitMs } from "../testing/patience.ts";
import { fillPipeline } from "../testing/pipeline.ts";
import { launchBrowser } from "../testing/product/browser.ts";
import { startProduct } from "../testing/product/product.ts";
import { insertUser, sessionCookie } from "../testing/world.ts";
import { figure, median, type Row, verdict } from "./figures.ts";

type Product = Awaited<ReturnType<typeof startProduct>>;

const MAX_RATIO = 3;
/** Typed into the search, one letter at a time. Purchases in pipelines of both sizes match. */
const SEARCH = "amelia adams";

/** CPU time of the page's main thread in milliseconds. */
type Times = { paint: number; key: number };

/** Measures CPU time of the page's main thread in ms, independent of other load on the machine. */
async function watchThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
  };
}

/** Waits for the first paint. */
function firstPaint(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await new Promise((resolve) => {
      new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    });
  });
}

/** Returns the median time in ms that the page is busy from a key press to the next frame. */
async function typingTime(page: Page, busyMs: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  await page.getByLabel("Search the pipeline").focus();
  for (const key of SEARCH) {
    // Add the listener before sending the key, since the two reach the page on separate channels.
    const drawn = await page.evaluateHandle(() => {
      const frame = Promise.withResolvers<void>();
      const listen = () => requestAnimationFrame(() => requestAnimationFrame(() => frame.resolve()));
      addEventListener("keydown", listen, { once: true });
      return { frame: frame.promise };
    });
    const before = await busyMs();
    await page.keyboard.press(key);
    await drawn.evaluate(({ frame }) => frame);
    times.push((await busyMs()) - before);
  }
  return median(times);
}

/** Opens a new provider's pipeline and searches it. */
async function searchPipeline(browser: Browser, product: Product, purchases: number): Promise<Times> {
  const user = await insertUser(product.db);
  await fillPipeline(product.d1, user, purchases);
  const cookie = await sessionCookie(product.db, user.id);
  const context = await browser.newContext({ reducedMotion: "reduce" });
  context.setDefaultTimeout(waitLimitMs());
  const value = cookie.slice(cookie.indexOf("=") + 1);
  await context.addCookies([{ name: "session", value, url: product.url, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  const busyMs = await watchThread(page);
  await page.goto(`${product.url}/dashboard?tab=leads`, { waitUntil: "commit" });
  await firstPaint(page);
  const paint = await busyMs();
  // Wait for hydration, since earlier input does not search.
  await page.locator('.connection[data-state="live"]').waitFor();
  await page.getByText("Loading the rest of your pipeline…").waitFor({ state: "detached" });
  const key = await typingTime(page, busyMs);
  await context.close();
  return { paint, key };
}

const LABELS: Record<keyof Times, string> = {
  paint: "until the first paint, ms",
  key: "for each key typed into the search, ms",
};

/**
 * Measures pipelines of both sizes in turn.
 *
 * @param sizes number of purchases of a short and a long pipeline, and number of runs
 */
export async function measurePipeline(
  vars: Parameters<typeof startProduct>[0],
  { few, many, runs }: { few: number; many: number; runs: number },
): Promise<Row[]> {
  const [product, browser] = [await startProduct(vars, null), await launchBrowser()];
  try {
    // Warm up: the first page of a new product is slow for other reasons.
    await searchPipeline(browser, product, few);
    const [short, long]: [Times[], Times[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      short.push(await searchPipeline(browser, product, few));
      long.push(await searchPipeline(browser, product, many));
    }
    return (Object.keys(LABELS) as (keyof Times)[]).map((name) => {
      const of = (all: readonly Times[]) => median(all.map((times) => times[name]));
      const ratio = of(long) / of(short);
      return {
        "main thread is busy": LABELS[name],
        [`${figure(few)} purchases`]: figure(of(short)),
        [`${figure(many)} purchases`]: figure(of(long)),
        ratio: `${figure(ratio)} ×`,
        aim: `≤ ${MAX_RATIO} ×: ${verdict(ratio <= MAX_RATIO)}`,
      };
    });
  } finally {
    await browser.close();
    await product.stop();
  }
}
