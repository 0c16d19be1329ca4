/**
 * `npm run lighthouse`: measures five pages of the production build as a phone loads them, with Lighthouse's simulated
 * throttling. Compares each page's largest paint with a copy of the page that has no scripts. Prints medians of three
 * runs. Fails if a page's largest paint is above 1.2 times its copy's.
 *
 * `--page=/services` measures one page. `--built` uses the existing build.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

import { printTable } from "../bench/figures.ts";
import { startProduct } from "../testing/product/product.ts";
import { findOrInstallChromium } from "./chromium.ts";
import { main, readArguments } from "./command.ts";
import { run, step } from "../testing/tools.ts";

const PAGES = ["/", "/locations", "/location/parramatta", "/service/lawn-mowing", "/get-quote"];
const RUNS = 3;
const MAX_LCP_RATIO = 1.2;

/** Removes every script from a page, and keeps its content and styles. */
const withoutScripts = (html: string) => html.replaceAll(/<script(?![^>]*ld\+json)[^>]*>.*?<\/script>/gs, "");

const CACHED_HEADERS = ["content-type", "content-security-policy", "cache-control", "speculation-rules"];

/**
 * Serves the product's pages and files from memory, as the edge cache does in production. A page and its copy then
 * differ only in what `change` removed.
 */
async function serveFromCache(origin: string, change: (html: string) => string) {
  async function load(path: string) {
    const response = await fetch(origin + path);
    const headers = CACHED_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const isHtml = response.headers.get("content-type")?.startsWith("text/html");
    const body = isHtml ? change(await response.text()) : Buffer.from(await response.arrayBuffer());
    const status = response.status;
    return {
      status,
      headers: { ...Object.fromEntries(headers), "content-encoding": "gzip" },
      body: gzipSync(body),
    };
  }
  const cache = new Map<string, ReturnType<typeof load>>();
  const server = createServer(async ({ url = "/" }, response) => {
    if (!cache.has(url)) cache.set(url, load(url));
    const { status, headers, body } = await cache.get(url)!;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, stop: () => server.close() };
}

/** Makes one run in a new browser, so that its cache is empty. */
async function measure(chromePath: string, url: string) {
  const isRoot = process.getuid?.() === 0;
  const chromeFlags = [
    "--headless=new",
    "--disable-gpu",
    "--disable-quic",
    ...(isRoot ? ["--no-sandbox"] : []),
  ];
  const chrome = await launch({ chromePath, chromeFlags, logLevel: "silent" });
  try {
    const { port } = chrome;
    const result = await lighthouse(url, { port, logLevel: "silent", onlyCategories: ["performance"] });
    if (!result || result.lhr.runtimeError)
      throw new Error(`${url}: ${result?.lhr.runtimeError?.message ?? "no result"}`);
    const { audits, categories } = result.lhr;
    return {
      score: Math.round((categories.performance?.score ?? 0) * 100),
      lcpMs: audits["largest-contentful-paint"]!.numericValue!,
    };
  } finally {
    chrome.kill();
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

await main(async () => {
  const args = readArguments({ name: "lighthouse", options: { page: "text", built: "flag" } });
  const only = args.option("page");
  if (!args.hasFlag("built")) await step("Build", () => run("react-router", ["build", "--logLevel", "warn"]));
  const chromePath = await findOrInstallChromium();
  const product = await startProduct({}, null);
  const pages = await serveFromCache(product.url, (html) => html);
  const copies = await serveFromCache(product.url, withoutScripts);
  try {
    const rows = [];
    for (const page of only === null ? PAGES : [only]) {
      const [own, copy] = [[], []] as [number[], number[]];
      const scores: number[] = [];
      // Alternate, so that other load on the machine affects both equally.
      for (let i = 0; i < RUNS; i++) {
        const { score, lcpMs } = await measure(chromePath, pages.origin + page);
        scores.push(score);
        own.push(lcpMs);
        copy.push((await measure(chromePath, copies.origin + page)).lcpMs);
      }
      const ratio = median(own) / median(copy);
      if (ratio > MAX_LCP_RATIO) process.exitCode = 1;
      rows.push({
        page,
        performance: String(median(scores)),
        "largest paint": seconds(median(own)),
        "of the copy": seconds(median(copy)),
        [`ratio (at most ${MAX_LCP_RATIO})`]: ratio.toFixed(2),
      });
    }
    printTable("Lighthouse", rows);
  } finally {
    pages.stop();
    copies.stop();
    await product.stop();
  }
});
