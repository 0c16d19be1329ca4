/** What a suburb's page costs in D1, however many suburbs there are. */
import { hc } from "hono/client";
import { expect, test } from "vitest";

import { loadSuburb } from "../../web/suburbs/load-suburb.ts";
import type { Api } from "../api.ts";
import { suburbs } from "../db/schema.ts";
import { db, callWith, testEnv } from "../../testing/client.ts";
import { countingDb } from "../../testing/counting-db.ts";

/** What the page's loader asks the API for, and what that costs. */
async function pageCost(slug: string) {
  const { db: counting, cost } = countingDb(testEnv.DB);
  const api = hc<Api>("http://naturestrip.test", {
    fetch: (input: RequestInfo | URL) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      // A session's cookie, though of nobody, keeps the call from the cached stage, where `DB` is not ours.
      return callWith({ DB: counting }, "GET", pathname, { cookie: "theme=dark; flash=login" });
    },
  });
  return { found: await loadSuburb(api, slug), cost };
}

/** The page has two statements; each row it reads is one it may show, or the suburb itself. */
const MOST_STATEMENTS = 2;
const MOST_ROWS = 150;

test("a locality that is in no list has a page all the same, with all localities around it", async () => {
  const { found, cost } = await pageCost("nyngan");
  expect(found!.suburb).toMatchObject({ name: "Nyngan", isActive: false });
  expect(found!.nearby).toHaveLength(6);
  const { found: bondi } = await pageCost("bondi");
  expect(bondi!.nearby.map(({ name }) => name)).toContain("North Bondi");
  expect(cost.statements).toBe(MOST_STATEMENTS + 1);
  expect(cost.rowsRead).toBeLessThanOrEqual(2 * 300);
});

test.each(["leichhardt", "manly", "blacktown", "wagga-wagga"])(
  "the page of %s takes two statements, and no more rows when all 4,499 suburbs are switched on",
  async (slug) => {
    const few = await pageCost(slug);
    expect(few.found?.suburb.slug).toBe(slug);
    expect(few.found?.nearby.length).toBeGreaterThan(0);
    expect(few.cost.statements).toBe(MOST_STATEMENTS);
    expect(few.cost.rowsRead).toBeLessThanOrEqual(MOST_ROWS);

    await db.update(suburbs).set({ isActive: true });
    const all = await pageCost(slug);
    expect(all.found?.nearby).toHaveLength(6);
    expect(all.cost.statements).toBe(MOST_STATEMENTS);
    expect(all.cost.rowsRead).toBeLessThanOrEqual(MOST_ROWS);
  },
);

test("neighbours are the nearest of the council, nearest first, without the suburb itself", async () => {
  const { found } = await pageCost("leichhardt");
  const distances = found!.nearby.map(({ distanceKm }) => distanceKm);
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  expect(Math.max(...distances)).toBeLessThan(10);
  expect(found!.nearby.map(({ slug }) => slug)).not.toContain("leichhardt");
});

test("an address that names no page costs no more than one that does, but for the look-up by name", async () => {
  const { found, cost } = await pageCost("atlantis");
  expect(found).toBeNull();
  expect(cost.rowsRead).toBeLessThan(10);
});
