import { expect, test } from "vitest";

import { csvCell, csvLine } from "../platform/csv.ts";

test("every cell is quoted, and quotes inside are doubled", () => {
  expect(csvCell("plain")).toBe('"plain"');
  expect(csvCell('say "hi"')).toBe('"say ""hi"""');
  expect(csvCell("a,b")).toBe('"a,b"');
  expect(csvCell("a;b\nc")).toBe('"a;b\nc"');
  expect(csvCell(null)).toBe('""');
  expect(csvCell("50.00")).toBe('"50.00"');
  expect(csvLine(["a", null, 7])).toBe('"a","","7"\r\n');
});

test("no cell can be read as a formula", () => {
  for (const text of ["=1+1", "+61 2", "-2", "@SUM(A1)", "  =1", "\t=1", "\r=1", "\n=1", "＝1", "\uFEFF=1"]) {
    expect(csvCell(text), JSON.stringify(text)).toMatch(/^"'/);
  }
  expect(csvCell("2 - 3")).toBe('"2 - 3"');
  expect(csvCell("lawn-mowing@home = nice + tidy")).toBe('"lawn-mowing@home = nice + tidy"');
  expect(csvCell(-2), "a number of ours").toBe('"-2"');
});

/** Returns the cells of a line in a spreadsheet with this locale's separator. */
const cellsBy = (line: string, separator: string) =>
  line.split(separator).map((cell) => cell.replaceAll('"', "").trim());

test("no part of a cell can be read as a formula in locales with a different separator", () => {
  for (const separator of [",", ";", "\t", "|", "\n", "\r"]) {
    for (const gap of ["", " ", '"', ' "', "\u00a0"]) {
      for (const sign of ["=", "+", "-", "@", "＝", "＋", "－", "＠"]) {
        const line = csvLine([`gate${separator}${gap}${sign}HYPERLINK(1)`, "x"]);
        for (const cell of cellsBy(line, separator)) {
          expect(cell, JSON.stringify(line)).not.toMatch(/^[=+\-@＝＋－＠]/u);
        }
      }
    }
  }
});

test("digits with a leading zero stay text", () => {
  expect(csvCell("0491570006")).toBe('"\'0491570006"');
  expect(csvCell("0")).toBe('"0"');
  expect(csvCell("0.50")).toBe('"0.50"');
  expect(csvCell("2040")).toBe('"2040"');
});
