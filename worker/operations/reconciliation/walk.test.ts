/** Checks that a job walks the regions in bounded parts and continues by name. */
import { expect, test } from "vitest";

import { REGION_SLUGS, type Region } from "../../../contract/regions.ts";
import { testContext } from "../../../testing/client.ts";
import { buildLeg, PAGE_ROWS, type Source, walkPart } from "./walk-commands.ts";
import type { RowPlace } from "./walk-rules.ts";

const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER, only: null };
const FRESH = { createdAt: 1, progress: null, result: null };

/** Returns a source of rows named after their region. `pages`: how many full pages each region has. */
function rowsOf(pages: Partial<Record<Region, number>>, isRegional = true): Source<string> {
  return {
    isRegional,
    readPage: (_, after: RowPlace | null, region) => {
      const page = after?.createdAt ?? 0;
      const all = pages[region] ?? 0;
      const rows = page < all ? Array.from({ length: PAGE_ROWS }, () => `${region} ${page}`) : [];
      return Promise.resolve({ rows, next: page + 1 < all ? { createdAt: page + 1, id: "row" } : null });
    },
  };
}

/** Walks to the end. @returns the rows that each part visited */
async function walked(pages: Partial<Record<Region, number>>, only: Region | null = null) {
  const visited: string[] = [];
  const note = (leg: string) => (_: unknown, rows: string[]) => {
    if (rows.length > 0) visited.push(`${leg} ${rows[0]}`);
    return Promise.resolve({ [leg]: rows.length });
  };
  const legs = {
    ledger: buildLeg(rowsOf({ [REGION_SLUGS[0]]: 1 }, false), note("ledger")),
    records: buildLeg(rowsOf(pages), note("records")),
    offers: buildLeg(rowsOf(pages), note("offers")),
  };
  const cursors: unknown[] = [];
  let progress: unknown = null;
  do {
    const step = await walkPart(testContext, legs, { ...FRESH, progress }, 1, { ...ALL, only });
    progress = step.state === "waiting" ? JSON.parse(JSON.stringify(step.progress)) : null;
    if (progress) cursors.push(progress);
  } while (progress);
  return { visited, cursors };
}

test("a walk visits each leg in turn, and each leg's regions in order, page by page", async () => {
  const { visited, cursors } = await walked({ "inner-west": 2, parramatta: 1 });
  const each = ["inner-west 0", "inner-west 1", "parramatta 0"];
  expect(visited).toEqual([
    "ledger blacktown 0",
    ...each.map((page) => `records ${page}`),
    ...each.map((page) => `offers ${page}`),
  ]);
  expect(cursors).toContainEqual({
    leg: "records",
    region: "inner-west",
    after: { createdAt: 1, id: "row" },
  });
});

test("a walk of one region skips the others", async () => {
  const { visited } = await walked({ "inner-west": 1, parramatta: 1 }, "parramatta");
  expect(visited).toEqual(["records parramatta 0", "offers parramatta 0"]);
});

test("a part ends after a number of pages, even if an exchange's pages are empty and never end", async () => {
  let pages = 0;
  const endless: Source<string> = {
    isRegional: true,
    readPage: () => {
      pages += 1;
      return Promise.resolve({ rows: [], next: { createdAt: 0, id: `lead_${pages}` } });
    },
  };
  const legs = { records: buildLeg(endless, () => Promise.resolve({})) };
  expect(await walkPart(testContext, legs, FRESH, 1, ALL)).toMatchObject({
    state: "waiting",
    progress: { region: REGION_SLUGS[0], after: { id: `lead_${pages}` } },
  });
  expect(pages).toBeLessThan(100);
});

test("a cursor with a missing region or leg stops the job instead of restarting it", async () => {
  const legs = { records: buildLeg(rowsOf({}), () => Promise.resolve({})) };
  const walkFrom = (progress: unknown) => walkPart(testContext, legs, { ...FRESH, progress }, 1, ALL);
  await expect(walkFrom({ leg: "records", region: "atlantis", after: null })).rejects.toThrow("region");
  await expect(walkFrom({ leg: "tides", region: "nsw", after: null })).rejects.toThrow("no leg tides");
});
