/**
 * `npm run crawl`: checks every page in the sitemap of the production build. Checks status, title, canonical
 * URL and inbound links, and compares every pair of suburb pages. Prints any problems and then fails.
 *
 * `--built` uses the existing build.
 */
import { startProduct } from "../testing/product/product.ts";
import { run, step } from "../testing/tools.ts";
import { main, readArguments } from "./command.ts";
import {
  countInlinks,
  type CrawledPage,
  type Finding,
  findingsOf,
  MAX_TITLE_LENGTH,
  readPage,
  TWIN_MIN_LIKENESS,
} from "./crawl-rules.ts";
import { at, likenessIndex, MAX_LIKENESS, extractSuburbShingles } from "./likeness-rules.ts";

/** Pages fetched in parallel. More would only compete for the CPU. */
const MAX_PARALLEL = 8;

/** Maximum problems to print. Thousands of problems usually have the same cause. */
const MAX_LISTED = 40;

type Listed = { slug: string; council: string };

/** Fetches pages in parallel, and adds suburb pages to the likeness index. */
async function crawl(addresses: readonly string[], councils: ReadonlyMap<string, string>) {
  const pages: CrawledPage[] = [];
  const index = likenessIndex();
  const compared: string[] = [];
  const waiting = [...addresses];
  async function work() {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const response = await fetch(url, { redirect: "manual" });
      const html = await response.text();
      const page = readPage(url, response.status, html);
      pages.push(page);
      const council = councils.get(page.address);
      if (council === undefined || response.status !== 200) continue;
      index.add(extractSuburbShingles(html, council));
      compared.push(page.address);
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL }, work));
  return { pages, index, compared };
}

/** Finds duplicate pages, and summarises the likeness of all pages in one line. */
function checkLikeness({ index, compared }: Pick<Awaited<ReturnType<typeof crawl>>, "index" | "compared">) {
  const { pairs, closest } = index.compare();
  const share = (part: number) => at(pairs, part).toFixed(3);
  const twins = closest.filter((pair) => pair.share >= TWIN_MIN_LIKENESS);
  const findings: Finding[] = twins.map((pair) => ({
    address: compared[pair.page]!,
    problem: `${Math.round(pair.share * 100)} % of it is ${compared[pair.other]!}`,
  }));
  if (at(pairs, 0.5) > MAX_LIKENESS)
    findings.push({ address: "/location/*", problem: `the likeness of the median pair is ${share(0.5)}` });
  const most = closest.toSorted((a, b) => b.share - a.share)[0];
  const pair = most ? `${compared[most.page]} and ${compared[most.other]} ${most.share.toFixed(3)}` : "none";
  const line =
    `${compared.length} suburb pages, ${pairs.length} pairs, names masked: median ${share(0.5)} alike (aim ${MAX_LIKENESS}), ` +
    `5 % below ${share(0.05)}, 5 % above ${share(0.95)}, most similar pair ${pair}`;
  return { findings, line };
}

await main(async () => {
  const options = readArguments({ name: "crawl", options: { built: "flag" } });
  if (!options.hasFlag("built"))
    await step("building", () => run("react-router", ["build", "--logLevel", "warn"]));
  const product = await startProduct({ SAMPLE_CLAIMS: "off" }, null);
  try {
    const sitemap = await (await fetch(`${product.url}/sitemap.xml`)).text();
    const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) =>
      url!.replaceAll("&amp;", "&"),
    );
    const listed = (await (await fetch(`${product.url}/api/suburbs/listed`)).json()) as Listed[];
    const councils = new Map(listed.map(({ slug, council }) => [`/location/${slug}`, council]));
    const read = await step(`reading ${addresses.length} pages`, () => crawl(addresses, councils));
    const likeness = checkLikeness(read);
    const { pages } = read;
    const inlinks = [...countInlinks(pages).values()];
    const findings = [...findingsOf(pages), ...likeness.findings];
    console.log(
      `${pages.length} pages in the sitemap: longest title ${Math.max(...pages.map(({ title }) => title.length))} characters ` +
        `(limit ${MAX_TITLE_LENGTH}), inlinks at least ${at(inlinks, 0)}, median ${at(inlinks, 0.5)}; ${findings.length} findings`,
    );
    console.log(likeness.line);
    for (const { address, problem } of findings.slice(0, MAX_LISTED)) console.log(`${address}: ${problem}`);
    if (findings.length > 0) throw new Error(`${findings.length} findings on the sitemap's pages.`);
  } finally {
    await product.stop();
  }
});
