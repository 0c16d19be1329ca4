import { expect, test } from "vitest";

import { getDefaultFrequency, QUOTE_DEFAULTS } from "./leads.ts";
import { toLeadRequest } from "./simple-quotes.ts";
import { isStated, listStated } from "./stated-details.ts";

test("a default that was not chosen is not stated; a chosen default and another value are", () => {
  expect(listStated(QUOTE_DEFAULTS, QUOTE_DEFAULTS)).toEqual([]);
  expect(listStated({}, QUOTE_DEFAULTS)).toEqual([]);
  const values = { ...QUOTE_DEFAULTS, propertySize: "large" };
  expect(listStated(values, QUOTE_DEFAULTS, new Set(["grassType", "customerName"]))).toEqual([
    "propertySize",
    "grassType",
  ]);
});

test("without a record, every detail counts as stated", () => {
  for (const job of [{}, { stated: null }]) expect(isStated(job, "grassType")).toBe(true);
  expect(isStated({ stated: [] }, "grassType")).toBe(false);
  expect(isStated({ stated: ["grassType"] }, "grassType")).toBe(true);
});

test("a short form, which asks for none of them, states none", () => {
  const form = { customerName: "Anna Brown", customerPhone: "02 5550 0123", customerAddress: "Glebe 2037" };
  expect(toLeadRequest(form, ["lawn_mowing"]).stated).toEqual([]);
});

test("the default frequency is fortnightly for mowing, and once for everything else", () => {
  expect(getDefaultFrequency(["lawn_mowing"])).toBe("fortnightly");
  expect(getDefaultFrequency(["hedge_trimming", "lawn_mowing"])).toBe("fortnightly");
  for (const services of [[], ["hedge_trimming"], ["garden_cleanup", "pressure_washing"]])
    expect(getDefaultFrequency(services), services.join()).toBe("one_off");
});
