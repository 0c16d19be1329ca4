/**
 * `npm run crawl`: every page of the sitemap, from the production build: status, title, canonical address, and how
 * many other pages lead to it. Names what is wrong and fails when anything is.
 *
 * `--built` takes the build that is there.
 */
import { startProduct } from "../testing/product/product.ts";
import { run, step } from "../testing/tools.ts";
import { main, readArguments } from "./command.ts";
import { countInlinks, type CrawledPage, findingsOf, LONGEST_TITLE, readPage } from "./crawl-rules.ts";
import { at } from "./likeness-rules.ts";

/** Pages asked for at once: more of them wait for the same processor. */
const AT_ONCE = 8;

/** So many findings are named; of a thousand alike the first ones say it. */
const MOST_NAMED = 40;

async function crawl(addresses: readonly string[]): Promise<CrawledPage[]> {
  const pages: CrawledPage[] = [];
  const waiting = [...addresses];
  async function work() {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const answer = await fetch(url, { redirect: "manual" });
      pages.push(readPage(url, answer.status, await answer.text()));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return pages;
}

await main(async () => {
  const options = readArguments({ name: "crawl", options: { built: "flag" } });
  if (!options.has("built"))
    await step("building", () => run("react-router", ["build", "--logLevel", "warn"]));
  const product = await startProduct({}, null);
  try {
    const sitemap = await (await fetch(`${product.url}/sitemap.xml`)).text();
    const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) =>
      url!.replaceAll("&amp;", "&"),
    );
    const pages = await step(`reading ${addresses.length} pages`, () => crawl(addresses));
    const inlinks = [...countInlinks(pages).values()];
    const findings = findingsOf(pages);
    console.log(
      `${pages.length} pages of the sitemap: longest title ${Math.max(...pages.map(({ title }) => title.length))} signs ` +
        `(aim ${LONGEST_TITLE}), inlinks at least ${at(inlinks, 0)}, median ${at(inlinks, 0.5)}; ${findings.length} findings`,
    );
    for (const { address, problem } of findings.slice(0, MOST_NAMED)) console.log(`${address}: ${problem}`);
    if (findings.length > 0) throw new Error(`${findings.length} findings on the pages of the sitemap.`);
  } finally {
    await product.stop();
  }
});
