/**
 * `npm run lighthouse`: measures five pages of the production build as a phone loads them. In the same run,
 * it compares each page with a copy that has no scripts, with simulated and with applied throttling. Takes
 * the median of five runs and writes the table to docs/lighthouse.md. Fails if a page misses its target.
 *
 * `--page=/services` measures one page. `--pass=simulate` or `--pass=devtools` uses one kind of throttling.
 * `--runs=1` makes fewer runs, and then only prints the table. `--built` uses the existing build. `--why`
 * lists failed audits.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

import { launch } from "chrome-launcher";
import lighthouse, { type Result } from "lighthouse";

import { startProduct } from "../testing/product/product.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { checkNpmArguments } from "./command.ts";
import { ROOT, run, step } from "../testing/tools.ts";

const PAGES = ["/", "/locations", "/location/parramatta", "/service/lawn-mowing", "/get-quote"];
const PASSES = { simulate: "simulated", devtools: "applied" } as const;
type Pass = keyof typeof PASSES;

/** Maximum ratio of a page's LCP to the LCP of its copy without scripts. */
const MAX_LCP_RATIO = 1.2;
const ATTEMPTS = 3;

try {
  checkNpmArguments({
    name: "lighthouse",
    options: { page: "text", pass: "text", runs: "text", built: "flag", why: "flag" },
  });
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
const { values: options } = parseArgs({
  options: {
    page: { type: "string", multiple: true, default: PAGES },
    pass: { type: "string", multiple: true, default: Object.keys(PASSES) },
    runs: { type: "string", default: "5" },
    built: { type: "boolean", default: false },
    why: { type: "boolean", default: false },
  },
});
const passes = options.pass.filter((pass): pass is Pass => pass in PASSES);
if (passes.length < options.pass.length) {
  console.error(`--pass must be one of ${Object.keys(PASSES).join(", ")}.`);
  process.exit(1);
}
const runs = Number(options.runs);

/** Removes every script from a page, and keeps its content and styles. */
function withoutScripts(html: string): string {
  const bare = html.replaceAll(/<script(?![^>]*ld\+json)[^>]*>.*?<\/script>/gs, "");
  if (/<script(?![^>]*ld\+json)/.test(bare)) throw new Error("The copy still contains a script.");
  return bare;
}

type CachedResponse = { status: number; headers: Record<string, string>; body: Buffer };

const CACHED_HEADERS = new Set([
  "content-type",
  "content-security-policy",
  "cache-control",
  "speculation-rules",
]);

/** Fetches a response and compresses it, as the edge cache would store it. */
async function fetchCompressed(url: string, change: (html: string) => string): Promise<CachedResponse> {
  const cachedResponse = await fetch(url);
  const headers = Object.fromEntries(
    [...cachedResponse.headers].filter(([name]) => CACHED_HEADERS.has(name)),
  );
  const isHtml = headers["content-type"]?.startsWith("text/html");
  const body = isHtml
    ? Buffer.from(change(await cachedResponse.text()))
    : Buffer.from(await cachedResponse.arrayBuffer());
  return {
    status: cachedResponse.status,
    headers: { ...headers, "content-encoding": "gzip" },
    body: gzipSync(body),
  };
}

/**
 * Serves the product's pages and files from memory, as the edge cache does in production. A page and its copy
 * then differ only in what `change` removed, and not in rendering time.
 */
async function serveFromCache(origin: string, change: (html: string) => string) {
  const cache = new Map<string, Promise<CachedResponse>>();
  const lookUp = (path: string) => {
    if (!cache.has(path)) cache.set(path, fetchCompressed(origin + path, change));
    return cache.get(path)!;
  };
  for (const page of options.page) await lookUp(page);
  const server = createServer(async (request, response) => {
    const { status, headers, body } = await lookUp(request.url!);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, stop: () => server.close() };
}

type Figures = { score: number; lcpMs: number; fcpMs: number; tbtMs: number; cls: number; others: number[] };

const OTHER_CATEGORIES = ["accessibility", "best-practices", "seo"] as const;

function figuresOf({ audits, categories }: Result): Figures {
  const value = (audit: string) => {
    const { numericValue } = audits[audit]!;
    if (numericValue === undefined) throw new Error(`Lighthouse measured no ${audit}.`);
    return numericValue;
  };
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  return {
    score: score("performance"),
    lcpMs: value("largest-contentful-paint"),
    fcpMs: value("first-contentful-paint"),
    tbtMs: value("total-blocking-time"),
    cls: value("cumulative-layout-shift"),
    others: OTHER_CATEGORIES.map(score),
  };
}

/** Repeats a run that lost its trace, which can happen on a busy machine. */
async function measure(...args: Parameters<typeof measureOnce>): Promise<Figures> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await measureOnce(...args);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Makes one run in a new browser, so that the cache is empty. */
async function measureOnce(chromePath: string, url: string, pass: Pass, all: boolean): Promise<Figures> {
  const isRoot = process.getuid?.() === 0;
  const chromeFlags = [
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    ...(isRoot ? ["--no-sandbox"] : []),
  ];
  const chrome = await launch({ chromePath, chromeFlags, logLevel: "silent" });
  try {
    const result = await lighthouse(url, {
      port: chrome.port,
      logLevel: "silent",
      formFactor: "mobile",
      throttlingMethod: pass,
      onlyCategories: ["performance", ...(all ? OTHER_CATEGORIES : [])],
    });
    if (!result || result.lhr.runtimeError) {
      throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? "no result"}`);
    }
    const failed = Object.values(result.lhr.audits).filter(({ score }) => score !== null && score < 1);
    if (all && options.why) {
      console.log(
        failed.map(({ id, score, displayValue }) => `    ${id} ${score} ${displayValue ?? ""}`).join("\n"),
      );
    }
    return figuresOf(result.lhr);
  } finally {
    chrome.kill();
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function medians(all: readonly Figures[]): Figures {
  const of = (read: (figures: Figures) => number) => median(all.map(read));
  return {
    score: of(({ score }) => score),
    lcpMs: of(({ lcpMs }) => lcpMs),
    fcpMs: of(({ fcpMs }) => fcpMs),
    tbtMs: of(({ tbtMs }) => tbtMs),
    cls: of(({ cls }) => cls),
    others: OTHER_CATEGORIES.map((_, index) => of(({ others }) => others[index]!)),
  };
}

type Row = { page: string; pass: Pass; own: Figures; copy: Figures; misses: string[] };

/** Returns the targets that a page misses. */
function missesOf(own: Figures, copy: Figures): string[] {
  const misses: string[] = [];
  if (own.score < 100) misses.push(`performance ${own.score}`);
  if (own.tbtMs > 0) misses.push(`blocked for ${Math.round(own.tbtMs)} ms`);
  if (own.lcpMs > copy.lcpMs * MAX_LCP_RATIO)
    misses.push(`${(own.lcpMs / copy.lcpMs).toFixed(2)} × the copy`);
  if (own.cls >= 0.001) misses.push(`shifts by ${own.cls.toFixed(3)}`);
  for (const [index, score] of own.others.entries()) {
    if (score < 100) misses.push(`${OTHER_CATEGORIES[index]} ${score}`);
  }
  return misses;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ page, pass, own, copy, misses }) =>
    [
      page,
      PASSES[pass],
      own.score,
      seconds(own.lcpMs),
      seconds(copy.lcpMs),
      (own.lcpMs / copy.lcpMs).toFixed(2),
      `${Math.round(own.tbtMs)} ms`,
      `${Math.round(copy.tbtMs)} ms`,
      own.cls.toFixed(3),
      own.others.join(" / "),
      misses.length === 0 ? "met" : misses.join(", "),
    ].join(" | "),
  );
  return [
    "| page | throttling | performance | LCP | LCP of the copy | ratio | TBT | TBT of the copy | CLS | accessibility / best practices / SEO | result |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
    ...lines.map((line) => `| ${line} |`),
  ].join("\n");
}

async function measureAll(origin: string): Promise<Row[]> {
  const chromePath = await findOrInstallChromium();
  const pages = await serveFromCache(origin, (html) => html);
  const copies = await serveFromCache(origin, withoutScripts);
  const rows: Row[] = [];
  try {
    for (const pass of passes) {
      for (const page of options.page) {
        const own: Figures[] = [];
        const copy: Figures[] = [];
        // Alternate, so that other load on the machine affects both equally.
        for (let i = 0; i < runs; i++) {
          own.push(await measure(chromePath, pages.origin + page, pass, true));
          copy.push(await measure(chromePath, copies.origin + page, pass, false));
        }
        const row = { page, pass, own: medians(own), copy: medians(copy) };
        rows.push({ ...row, misses: missesOf(row.own, row.copy) });
        console.log(tableOf(rows.slice(-1)).split("\n").at(-1));
      }
    }
  } finally {
    pages.stop();
    copies.stop();
  }
  return rows;
}

if (!options.built) await step("Build", () => run("react-router", ["build", "--logLevel", "warn"]));
const product = await startProduct({}, null);
try {
  const rows = await measureAll(product.url);
  const table = tableOf(rows);
  console.log(`\n${table}`);
  if (rows.length === PAGES.length * Object.keys(PASSES).length && runs >= 5) {
    writeFileSync(
      `${ROOT}docs/lighthouse.md`,
      `# Lighthouse

This page has Lighthouse's scores of five pages, from \`npm run lighthouse\` on ${new Date().toISOString().slice(0, 10)}. It uses the mobile preset and the production build. The figures are medians of ${runs} runs.

The *copy* is the same page in the same run, without scripts. So the difference between page and copy is the cost of our scripts. The server sends both from memory, as the edge's cache does. The aims: performance 100, TBT 0, CLS 0, LCP at most ${MAX_LCP_RATIO} times the copy's, and 100 for the rest.

${table}
`,
    );
  }
  if (rows.some(({ misses }) => misses.length > 0)) process.exitCode = 1;
} finally {
  await product.stop();
}
