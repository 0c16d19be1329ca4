import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { formatAmount, formatDollars, formatFromPrice, formatMoney, formatPrice } from "./format-money.ts";

test("formats prices without cents where possible, and receipts with cents", () => {
  expect([formatPrice("50.00"), formatPrice("49.50")]).toEqual(["$50", "$49.50"]);
  expect([formatAmount("50.00"), formatAmount("4.55")]).toEqual(["$50.00", "$4.55"]);
  expect([formatAmount("12345.67"), formatAmount("120.5")]).toEqual(["$12,345.67", "$120.50"]);
  expect([formatMoney("1234.50"), formatMoney("50.00")]).toEqual(["$1,234.50", "$50"]);
  expect([formatDollars(1234), formatDollars(0)]).toEqual(["$1,234", "$0"]);
  expect(formatFromPrice(45)).toBe("$45");
});

test("only format-money writes a dollar sign before a number", () => {
  const web = new URL("../", import.meta.url).pathname;
  const files = globSync("**/*.{ts,tsx}", { cwd: web }).filter(
    (file) => !file.startsWith("lib/format-money"),
  );
  expect(files.length, "the test finds the files").toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const source = readFileSync(web + file, "utf8");
    const inTexts = source.match(/\$\$\{[^}]*\}/g) ?? [];
    // A line without a backtick is JSX text.
    const betweenTags = source.split("\n").filter((line) => line.includes("${") && !line.includes("`"));
    return [...inTexts, ...betweenTags].map((sum) => `${file}: ${sum}`);
  });
  expect(found).toEqual([]);
});
