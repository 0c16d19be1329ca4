/** Checks that a job walks its legs in bounded parts and continues by name. */
import { expect, test } from "vitest";

import { testContext } from "../../../testing/client.ts";
import { buildLeg, PAGE_ROWS, type ReadPage, walkPart } from "./walk-commands.ts";

const ALL = { since: 0, until: Number.MAX_SAFE_INTEGER };
const FRESH = { createdAt: 1, progress: null, result: null };

/** Reads a number of full pages. */
const pagesOf =
  (count: number): ReadPage<number> =>
  (_, after) => {
    const page = after?.createdAt ?? 0;
    const rows = page < count ? Array.from({ length: PAGE_ROWS }, () => page) : [];
    return Promise.resolve({ rows, next: page + 1 < count ? { createdAt: page + 1, id: "row" } : null });
  };

test("a walk visits each leg in order, page by page, and a leg without rows takes no part", async () => {
  const visited: string[] = [];
  const leg = (name: string, pages: number) =>
    buildLeg(pagesOf(pages), (_, rows) => {
      if (rows.length > 0) visited.push(`${name} ${rows[0]}`);
      return Promise.resolve({ [name]: rows.length });
    });
  const legs = { first: leg("first", 1), empty: leg("empty", 0), last: leg("last", 2) };
  const cursors: unknown[] = [];
  let progress: unknown = null;
  do {
    const step = await walkPart(testContext, legs, { ...FRESH, progress }, 1, ALL);
    progress = step.state === "waiting" ? JSON.parse(JSON.stringify(step.progress)) : null;
    cursors.push(progress);
  } while (progress);
  expect(visited).toEqual(["first 0", "last 0", "last 1"]);
  expect(cursors).toEqual([
    { leg: "empty", after: null },
    { leg: "last", after: { createdAt: 1, id: "row" } },
    null,
  ]);
});

test("a part ends after a number of pages, even if an exchange's pages are empty and never end", async () => {
  let pages = 0;
  const endless: ReadPage<string> = () => {
    pages += 1;
    return Promise.resolve({ rows: [], next: { createdAt: 0, id: `lead_${pages}` } });
  };
  const legs = { records: buildLeg(endless, () => Promise.resolve({})) };
  expect(await walkPart(testContext, legs, FRESH, 1, ALL)).toMatchObject({
    state: "waiting",
    progress: { leg: "records", after: { id: `lead_${pages}` } },
  });
  expect(pages).toBeLessThan(100);
});

test("a cursor with a missing leg stops the job instead of restarting it", async () => {
  const legs = { records: buildLeg(pagesOf(0), () => Promise.resolve({})) };
  const progress = { leg: "records atlantis", after: null };
  await expect(walkPart(testContext, legs, { ...FRESH, progress }, 1, ALL)).rejects.toThrow(
    "no leg records atlantis",
  );
});
