/** The D1 cost of a suburb's page, which must not grow with the number of suburbs. */
import { eq } from "drizzle-orm";
import { hc } from "hono/client";
import { expect, test } from "vitest";

import { loadSuburb } from "../../../web/suburbs/load-suburb.ts";
import type { Api } from "../../api.ts";
import { leads, suburbs } from "../../tables.ts";
import { db, callWith, testEnv } from "../../../testing/client.ts";
import { countingDb } from "../../../testing/counting-db.ts";

/** Runs the page's loader against the API and measures the cost. */
async function pageCost(slug: string) {
  const { db: counting, cost } = countingDb(testEnv.DB);
  const api = hc<Api>("http://naturestrip.test", {
    fetch: (input: RequestInfo | URL) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      // A session cookie, even an invalid one, bypasses the cached stage, which does not use the counting `DB`.
      return callWith({ DB: counting }, "GET", pathname, { cookie: "theme=dark; flash=login" });
    },
  });
  return { found: await loadSuburb(api, slug), cost };
}

/** The page of a suburb without providers runs four statements. They read only the suburb and rows that the page may show. */
const MAX_STATEMENTS = 4;
const MAX_ROWS = 30;
/** A request's lead and purchase, each with its index entry. Other test files may have stored requests here. */
const ROWS_OF_REQUEST = 4;

test.each(["leichhardt", "wagga-wagga", "nyngan", "broken-hill"])(
  "the page of %s runs four statements and reads only the rows of its places, active or not",
  async (slug) => {
    const { found, cost } = await pageCost(slug);
    expect(found?.suburb.slug).toBe(slug);
    expect(found!.nearby.length).toBeGreaterThanOrEqual(8);
    expect(cost.statements).toBe(MAX_STATEMENTS);
    const requests = await db.$count(leads, eq(leads.suburbId, found!.suburb.id));
    expect(cost.rowsRead).toBeLessThanOrEqual(MAX_ROWS + ROWS_OF_REQUEST * requests);
  },
);

test("a share picture reads one row of D1, listed or not", async () => {
  for (const [slug, status] of [
    ["leichhardt", 200],
    ["aarons-pass", 404],
    ["atlantis", 404],
  ] as const) {
    const { db: counting, cost } = countingDb(testEnv.DB);
    const response = await callWith({ DB: counting }, "GET", `/api/suburbs/${slug}/card`, {
      cookie: "theme=dark; flash=login",
    });
    expect(response.status, slug).toBe(status);
    expect(cost.statements, slug).toBe(1);
    expect(cost.rowsRead, slug).toBeLessThanOrEqual(1);
  }
});

test("neighbours are the nearest places in any council, nearest first", async () => {
  const { found } = await pageCost("leichhardt");
  const { suburb, nearby } = found!;
  const distances = nearby.map(({ distanceKm }) => distanceKm);
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  expect(Math.max(...distances)).toBeLessThan(5);
  expect(nearby.map(({ slug }) => slug)).not.toContain("leichhardt");
  const petersham = nearby.find(({ slug }) => slug === "petersham")!;
  expect(petersham.bearing, "to the south").toBeGreaterThan(135);
  expect(petersham.bearing).toBeLessThan(225);
  const { found: bondi } = await pageCost("rose-bay");
  expect(new Set(bondi!.nearby.map(({ council }) => council)).size, suburb.council).toBeGreaterThan(1);
});

test("every place in the state is a neighbour on at least three pages", async () => {
  const rows = await db.select({ slug: suburbs.slug, near: suburbs.near }).from(suburbs);
  const named = new Map(rows.map(({ slug }) => [slug, 0]));
  for (const { near } of rows)
    for (const slug of JSON.parse(near) as string[]) named.set(slug, named.get(slug)! + 1);
  expect(rows.filter(({ slug }) => named.get(slug)! < 3)).toEqual([]);
});

test("a URL without a page costs no more than one with a page, except the lookup by name", async () => {
  const { found, cost } = await pageCost("atlantis");
  expect(found).toBeNull();
  expect(cost.rowsRead).toBeLessThan(10);
});
