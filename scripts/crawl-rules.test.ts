import { expect, test } from "vitest";

import { countInlinks, findingsOf, readPage } from "./crawl-rules.ts";

const SITE = "https://naturestrip.test";

function page(
  address: string,
  change: { title?: string; status?: number; canonical?: string; to?: string[] } = {},
) {
  const { title = `Page ${address}`, status = 200, canonical = SITE + address, to = [] } = change;
  const links = to.map((href) => `<a class="x" href="${href.replaceAll("&", "&amp;")}">there</a>`);
  const html = `<title>${title}</title><link rel="canonical" href="${canonical}"/>${links.join("")}`;
  return readPage(SITE + address, status, html);
}

test("a page's title, canonical URL and internal links are parsed", () => {
  const council = "/locations?council=Inner+West";
  const read = page(council, {
    title: "Dogs &amp; O&#x27;Brien",
    to: ["/a#top", "/a", council, "https://elsewhere.test/", "tel:123", "/b?x=1&y=2"],
  });
  expect(read).toEqual({
    address: council,
    status: 200,
    title: "Dogs & O'Brien",
    canonical: council,
    links: new Set(["/a", "/b?x=1&y=2"]),
  });
});

test("inlinks count pages, not links, and not a page's links to itself", () => {
  const pages = [
    page("/", { to: ["/", "/a", "/a#x"] }),
    page("/a", { to: ["/a"] }),
    page("/b", { to: ["/a", "/gone"] }),
  ];
  expect(Object.fromEntries(countInlinks(pages))).toEqual({ "/": 0, "/a": 2, "/b": 0 });
});

const whole = ["/", "/a", "/b", "/c"];

test("a site without problems has no findings", () => {
  expect(findingsOf(whole.map((address) => page(address, { to: whole })))).toEqual([]);
});

test.each([
  ["an error status", { status: 404 }, "answers 404"],
  ["a long title", { title: "x".repeat(61) }, `its title has 61 characters: ${"x".repeat(61)}`],
  ["no title", { title: "" }, "has no title"],
  ["the title of another page", { title: "Page /b" }, "has the same title as /b"],
  ["the canonical URL of another page", { canonical: `${SITE}/b` }, "its canonical URL is /b"],
  [
    "a canonical URL on another site",
    { canonical: "https://elsewhere.test/c" },
    "its canonical URL is missing",
  ],
])("%s is found", (_, change, problem) => {
  const pages = whole.map((address) => page(address, { to: whole, ...(address === "/c" && change) }));
  expect(findingsOf(pages)).toEqual([{ address: "/c", problem }]);
});

test("a page with only two inlinks is found", () => {
  const pages = whole.map((address) => page(address, { to: address === "/" ? ["/a", "/b"] : whole }));
  expect(findingsOf(pages)).toEqual([{ address: "/c", problem: "only 2 pages link to it" }]);
});
