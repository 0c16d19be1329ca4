import { expect, test } from "vitest";

import { isPageVisit } from "./commands.ts";

const NAVIGATION = { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" };

function opened(path: string, headers: Record<string, string> = NAVIGATION, method = "GET"): Request {
  const request = new Request(`https://naturestrip.test${path}`, { method });
  // Browsers forbid setting these headers, so the test replaces them.
  Object.defineProperty(request, "headers", { value: new Map(Object.entries(headers)) });
  return request;
}

const CRAWLER =
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/120.0.0.0 Safari/537.36";

test("a page view counts when a browser opens it", () => {
  expect(isPageVisit(opened("/"), 200, false)).toBe(true);
  expect(isPageVisit(opened("/location/parramatta?utm_source=x"), 304, false)).toBe(true);
});

test.for([
  ["a program that fetches a page", opened("/", {}), 200, false],
  ["a crawler that renders pages", opened("/", { ...NAVIGATION, "User-Agent": CRAWLER }), 200, false],
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
