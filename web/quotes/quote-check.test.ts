import { expect, test } from "vitest";

import { QUOTE_DEFAULTS } from "../../contract/leads.ts";
import { checkQuote } from "./quote-check.ts";

const REQUEST = {
  ...QUOTE_DEFAULTS,
  customerAddress: "12 Marion Street, Leichhardt NSW 2040",
  customerName: "Anna Brown",
  customerPhone: "02 5550 0123",
};
const statedBy = (values: object, touched?: string[]) =>
  checkQuote({ ...REQUEST, ...values, touched: touched?.join(",") }).values?.stated;

test("a frequency that the form proposed for other services is not stated", () => {
  const other = { serviceType: ["hedge_trimming"], frequency: "fortnightly" };
  expect(statedBy(other)).toEqual([]);
  expect(statedBy(other, ["frequency"])).toEqual(["frequency"]);
  expect(statedBy({ serviceType: ["lawn_mowing"], frequency: "one_off" })).toEqual([]);
  expect(statedBy({ serviceType: ["lawn_mowing"], frequency: "weekly" })).toEqual(["frequency"]);
});
