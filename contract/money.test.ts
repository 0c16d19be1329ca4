import * as fc from "fast-check";
import { expect, test } from "vitest";

import { centsToText, textToCents, formatCents } from "./money.ts";

test("cents are formatted with two decimals", () => {
  expect([0, 5, 50, 5000, 123_456, -5, -12_345].map(centsToText)).toEqual([
    "0.00",
    "0.05",
    "0.50",
    "50.00",
    "1234.56",
    "-0.05",
    "-123.45",
  ]);
});

test("amounts are parsed to the cent", () => {
  expect(["50", "50.5", "50.05", " 50.00 ", "0", "99999999.99"].map(textToCents)).toEqual([
    5000, 5050, 5005, 5000, 0, 9_999_999_999,
  ]);
});

test("an invalid amount is refused", () => {
  const wrong = [
    "",
    " ",
    ".5",
    "5.",
    "1.234",
    "-1",
    "+1",
    "1,000",
    "$5",
    "1e3",
    "0x10",
    "NaN",
    "100000000",
    "٥",
  ];
  for (const text of wrong) expect(textToCents(text), text).toBeNull();
});

test("every amount survives formatting and parsing", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999_999 }), (cents) => {
      expect(textToCents(centsToText(cents))).toBe(cents);
    }),
  );
});

test("cents are displayed as dollars and cents", () => {
  expect([5000, 5, 0].map(formatCents)).toEqual(["$50.00", "$0.05", "$0.00"]);
});
