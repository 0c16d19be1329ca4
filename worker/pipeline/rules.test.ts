import { expect, test } from "vitest";

import { csvCell } from "../csv.ts";

test("cells that hold quotes, commas or line breaks are quoted, others are left as they are", () => {
  expect(csvCell("plain")).toBe("plain");
  expect(csvCell('say "hi"')).toBe('"say ""hi"""');
  expect(csvCell("a,b")).toBe('"a,b"');
  expect(csvCell("a\nb")).toBe('"a\nb"');
  expect(csvCell(null)).toBe("");
  expect(csvCell("50.00")).toBe("50.00");
});

test("no cell is taken for a formula", () => {
  for (const text of ["=1+1", "+61 2", "-2", "@SUM(A1)", "  =1", "\t=1", "\r=1", "\n=1", "＝1", "\uFEFF=1"]) {
    expect(csvCell(text), JSON.stringify(text)).toMatch(/^"?'/);
  }
  expect(csvCell("2 - 3")).toBe("2 - 3");
});
