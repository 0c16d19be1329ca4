import * as fc from "fast-check";
import { expect, test } from "vitest";

import { centsToText, formatCents, readDecimalComma, textToCents } from "./money.ts";

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

test.each([
  ["50", 5000],
  ["50.5", 5050],
  ["50.05", 5005],
  [" 50.00 ", 5000],
  ["0", 0],
  ["0450", 45_000],
  ["99999999.99", 9_999_999_999],
  ["1,200", 120_000],
  ["12,345,678", 1_234_567_800],
  ["1,200.50", 120_050],
  ["1 200", 120_000],
  ["1\u00a0200.5", 120_050],
  ["1200.50", 120_050],
  ["$450", 45_000],
  ["$ 1,200", 120_000],
  ["１２００", 120_000],
])("%j is %i cents", (text, cents) => {
  expect(textToCents(text)).toBe(cents);
});

test.each(
  [
    "|.5|5.|1.234|-1|12-|+1|1e3|0x10|NaN|100000000|123,456,789|٥|four fifty|450 ish|about 450|$|$$5|5$0",
    "1200,50|1,2000|12,00|1,20,000|1,200 000|1 20|1.200.000|1,200,50|,50|1.2.3|450-500|2 x 50",
  ].flatMap((texts) => texts.split("|")),
)("%j is not an amount", (text) => {
  expect(textToCents(text)).toBeNull();
});

test.each([
  ["1200,50", "1200.50"],
  ["1200,5", "1200.50"],
  ["12,00", "12.00"],
  ["$450,90", "450.90"],
  ["1 200,50", "1200.50"],
  ["1.200,50", "1200.50"],
  ["1,200", null],
  ["1,200,50", null],
  ["1200,500", null],
  ["12-,50", null],
  [",50", null],
  ["450", null],
])("the comma of %j may mean %j", (text, meant) => {
  expect(readDecimalComma(text)).toBe(meant);
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
