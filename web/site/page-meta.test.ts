import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { suburbTitle } from "../suburbs/suburb-data.ts";
import { pageTitle } from "./page-meta.ts";

test("no suburb's title is too long for search engines", () => {
  const rows = readFileSync(new URL("../../data/nsw-suburbs.csv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const titles = rows.slice(1).map((row) => {
    const [, name = "", postcode = ""] = row.split(",");
    return pageTitle(suburbTitle({ name, postcode }));
  });
  expect(titles.length).toBeGreaterThan(4000);
  expect(titles.filter((title) => title.length > 60)).toEqual([]);
  expect(titles).toContain("Lawn Mowing and Garden Care, Ryde 2112 | Naturestrip");
});
