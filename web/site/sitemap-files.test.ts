import { expect, test } from "vitest";

import { MAX_URLS, sitemap, sitemapPart } from "./sitemap-files.ts";

const ORIGIN = "https://naturestrip.test";
const pages = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/location/suburb-${index}` }));
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc);

test("a full file holds exactly the maximum number of pages", () => {
  const xml = sitemap(ORIGIN, pages(MAX_URLS));
  expect(xml).toContain("<urlset");
  expect(locations(xml)).toHaveLength(50_000);
});

test("one more page creates a list of two files with every page once", () => {
  const all = pages(MAX_URLS + 1);
  const index = sitemap(ORIGIN, all);
  expect(index).toContain("<sitemapindex");
  expect(locations(index)).toEqual([`${ORIGIN}/sitemap/1.xml`, `${ORIGIN}/sitemap/2.xml`]);
  const named = [1, 2].flatMap((part) => locations(sitemapPart(ORIGIN, all, part)!));
  expect(named).toEqual(all.map(({ path }) => ORIGIN + path));
  expect(sitemapPart(ORIGIN, all, 3)).toBeNull();
});

test("escapes XML characters", () => {
  expect(sitemap(ORIGIN, [{ path: "/location/o'connell&co" }])).toContain("/location/o&apos;connell&amp;co");
});

test("says when a page last changed only if that is known", () => {
  const xml = sitemap(ORIGIN, [
    { path: "/", lastmod: undefined },
    { path: "/reviews", lastmod: "2026-11-26" },
  ]);
  expect(xml).toContain(`<url><loc>${ORIGIN}/</loc></url>`);
  expect(xml).toContain(`<url><loc>${ORIGIN}/reviews</loc><lastmod>2026-11-26</lastmod></url>`);
});
