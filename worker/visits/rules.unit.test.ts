import { expect, test } from "vitest";

import { isPageVisit, VisitCounter } from "./rules.ts";

test("few visits are written one by one, of many one write in three seconds has them all", () => {
  const counter = new VisitCounter();
  const written = { pages: 0, forms: 0 };
  let writes = 0;
  const count = (visit: "pages" | "forms", now: number) => {
    const visits = counter.count(visit, now);
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
  // The last three seconds at most wait for the next visit, which takes them along.
  count("pages", 1_900_000);
  expect(written).toEqual({ pages: 30 + 9_000 + 1, forms: 1_000 });
});

const NAVIGATION = { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" };

function opened(path: string, headers: Record<string, string> = NAVIGATION, method = "GET"): Request {
  const request = new Request(`https://naturestrip.test${path}`, { method });
  // Browsers let nobody set these; here a request has to carry them.
  Object.defineProperty(request, "headers", { value: new Map(Object.entries(headers)) });
  return request;
}

test("a page counts when somebody's browser opens it", () => {
  expect(isPageVisit(opened("/"), 200, false)).toBe(true);
  expect(isPageVisit(opened("/location/parramatta?utm_source=x"), 304, false)).toBe(true);
});

test.for([
  ["a program that only fetches", opened("/", {}), 200, false],
  [
    "a page that a script fetches",
    opened("/", { "Sec-Fetch-Dest": "empty", "Sec-Fetch-Mode": "cors" }),
    200,
    false,
  ],
  ["a page fetched in advance", opened("/", { ...NAVIGATION, "Sec-Purpose": "prefetch" }), 200, false],
  ["somebody signed in", opened("/"), 200, true],
  ["a page that is not there", opened("/location/atlantis"), 404, false],
  ["the application", opened("/dashboard"), 200, false],
  ["a list for machines", opened("/sitemap.xml"), 200, false],
  ["a call", opened("/api/suburbs"), 200, false],
  ["a form that is sent", opened("/get-quote", NAVIGATION, "POST"), 200, false],
] as const)("%s does not count", ([, request, status, isSignedIn]) => {
  expect(isPageVisit(request, status, isSignedIn)).toBe(false);
});
