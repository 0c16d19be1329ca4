import { expect, test } from "vitest";

import { networkPrefixes } from "../../platform/network.ts";
import { isPageVisit, VisitCounter } from "./rules.ts";

test("few visits are written one by one, and many in one write every three seconds", () => {
  const counter = new VisitCounter();
  const written = { pages: 0, forms: 0 };
  let writes = 0;
  let visitors = 0;
  const count = (visit: "pages" | "forms", now: number) => {
    visitors += 1;
    const networks = networkPrefixes(
      `2001:${(visitors >> 4).toString(16)}:${(visitors & 15).toString(16)}::1`,
    );
    const visits = counter.count(visit, networks, now);
    if (!visits) return;
    writes += 1;
    written.pages += visits.pages;
    written.forms += visits.forms;
  };
  for (let minute = 0; minute < 30; minute += 1) count("pages", minute * 60_000);
  expect([writes, written.pages]).toEqual([30, 30]);
  // A thousand a second for ten seconds.
  for (let i = 0; i < 10_000; i += 1) count(i % 10 === 0 ? "forms" : "pages", 1_800_000 + i);
  expect(writes).toBeLessThanOrEqual(30 + 20 + 4);
  // At most the last three seconds of visits wait. The next visit writes them.
  count("pages", 1_900_000);
  expect(written).toEqual({ pages: 30 + 9_000 + 1, forms: 1_000 });
});

const oneHome = (i: number) => `2001:db8:1:2::${i.toString(16)}`;

test("each network has a daily limit, higher for wide networks and IPv4, and other networks still count", () => {
  const DAY_MS = 24 * 60 * 60_000;
  const counter = new VisitCounter();
  let written = { pages: 0, forms: 0 };
  let now = DAY_MS;
  const added = (visit: "pages" | "forms", tries: number, addressOf: (i: number) => string) => {
    const before = written[visit];
    for (let i = 0; i < tries; i += 1) {
      // Far enough apart that the counter writes each one at once.
      now += 10_000;
      const visits = counter.count(visit, networkPrefixes(addressOf(i)), now);
      if (visits) written = { pages: written.pages + visits.pages, forms: written.forms + visits.forms };
    }
    return written[visit] - before;
  };
  expect(added("pages", 301, oneHome)).toBe(40);
  expect(added("forms", 301, oneHome)).toBe(10);
  expect(added("pages", 201, (i) => `2001:db8:2:${i.toString(16)}::1`)).toBe(80);
  expect(added("pages", 301, (i) => `2001:db8:3:${((i & 255) << 8).toString(16)}::1`)).toBe(160);
  expect(added("pages", 301, () => "203.0.113.7")).toBe(160);
  expect(added("pages", 301, (i) => `2001:db8:${(i + 9).toString(16)}::1`)).toBe(301);
  now += DAY_MS;
  expect(added("pages", 301, oneHome)).toBe(40);
});

const NAVIGATION = { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" };

function opened(path: string, headers: Record<string, string> = NAVIGATION, method = "GET"): Request {
  const request = new Request(`https://naturestrip.test${path}`, { method });
  // Browsers forbid setting these headers, so the test replaces them.
  Object.defineProperty(request, "headers", { value: new Map(Object.entries(headers)) });
  return request;
}

test("a page view counts when a browser opens it", () => {
  expect(isPageVisit(opened("/"), 200, false)).toBe(true);
  expect(isPageVisit(opened("/location/parramatta?utm_source=x"), 304, false)).toBe(true);
});

test.for([
  ["a program that fetches a page", opened("/", {}), 200, false],
  [
    "a page that a script fetches",
    opened("/", { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors" }),
    200,
    false,
  ],
  ["a prefetched page", opened("/", { ...NAVIGATION, "Sec-Purpose": "prefetch" }), 200, false],
  ["a signed-in user", opened("/"), 200, true],
  ["a missing page", opened("/location/atlantis"), 404, false],
  ["the application", opened("/dashboard"), 200, false],
  ["a sitemap", opened("/sitemap.xml"), 200, false],
  ["an API call", opened("/api/suburbs"), 200, false],
  ["a submitted form", opened("/get-quote", NAVIGATION, "POST"), 200, false],
] as const)("%s does not count", ([, request, status, isSignedIn]) => {
  expect(isPageVisit(request, status, isSignedIn)).toBe(false);
});
