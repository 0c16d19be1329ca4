import { expect, test } from "vitest";

import { PAGE_LIST } from "./visitor-pages.ts";

const patternsOf = (isIncluded: (page: (typeof PAGE_LIST)[number]) => boolean) =>
  PAGE_LIST.filter(isIncluded)
    .map(({ pattern }) => pattern)
    .toSorted();

// A page for one person is in no test of public pages, so this list says which pages may miss them.
test("these pages are for one person", () => {
  expect(patternsOf(({ audience }) => audience === "person")).toEqual([
    "/choose-password",
    "/confirm-email/:token",
    "/login/passkey",
    "/my-requests/:token",
    "/request/:token",
    "/request/:token/change",
    "/reset-password/:token",
    "/review/:token",
    "/stop-emails/:token",
  ]);
});

// A page that depends on its caller, or that must never be stale, would show one visitor's page to another.
test("visitors share every public page but these", () => {
  expect(patternsOf(({ audience, cache }) => audience !== "person" && !cache)).toEqual([
    "/forgot-password",
    "/login",
    "/my-requests",
    "/provider-signup",
    "/provider/:slug",
    "/signup",
  ]);
});
