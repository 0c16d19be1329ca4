import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { suburbTitle } from "../suburbs/suburb-data.ts";
import { cutText, pageTitle } from "./page-meta.ts";

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

test("a long text is cut after a word, and never within a sign", () => {
  expect(cutText("Lawns,\nhedges", 13)).toBe("Lawns, hedges");
  expect(cutText("Lawns, hedges and more", 13)).toBe("Lawns…");
  expect(cutText("Lawns & hedges", 13)).toBe("Lawns…");
  expect(cutText("Māra ".repeat(20), 12)).toBe("Māra Māra…");
  expect(cutText("W".repeat(20), 12)).toBe(`${"W".repeat(11)}…`);
  expect(cutText("🌱".repeat(20), 12)).toBe("…");
  expect(cutText("Lawns 🌱🌱🌱🌱🌱", 12)).toBe("Lawns…");
});
