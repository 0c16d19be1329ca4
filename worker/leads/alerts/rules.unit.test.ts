import { expect, test } from "vitest";

import { leadAlertsSchema, getPauseDayRange } from "../../../contract/lead-alerts.ts";
import { PROPERTY_SIZES } from "../../../contract/lead-choices.ts";
import { addDays } from "../../../contract/sydney-time.ts";
import { type Choices, isWanted, sizeOf, sizesUpTo } from "./rules.ts";

const NONE: Choices = { regions: null, services: null, urgencies: null, leastSize: null };
const LEAD = { region: "inner-west", serviceType: ["lawn_mowing"], urgency: "urgent", size: "medium" };

const wants = (choices: Partial<Choices>, lead: Partial<typeof LEAD> = {}, services: string[] = []) =>
  isWanted(
    { ...LEAD, ...lead },
    { watchedRegions: ["inner-west", "blacktown"], services, choices: { ...NONE, ...choices } },
  );

const rings = (size: string) => PROPERTY_SIZES.map((leastSize) => wants({ leastSize }, { size }));

const takes = (pausedUntil: unknown) => leadAlertsSchema.safeParse({ pausedUntil }).success;

test("a user without choices gets alerts for all watched regions and offered services", () => {
  expect(wants({})).toBe(true);
  expect(wants({}, { region: "macarthur" })).toBe(false);
  expect(wants({}, {}, ["hedge_trimming"])).toBe(false);
});

test("a chosen region that is no longer watched is ignored, and the others still count", () => {
  expect(wants({ regions: ["macarthur"] }, { region: "macarthur" })).toBe(false);
  expect(wants({ regions: ["macarthur"] })).toBe(false);
  expect(wants({ regions: ["macarthur", "inner-west"] })).toBe(true);
});

test("the requested service must be both offered and chosen", () => {
  const both = { serviceType: ["lawn_mowing", "hedge_trimming"] };
  expect(wants({ services: ["hedge_trimming"] }, both)).toBe(true);
  expect(wants({ services: ["hedge_trimming"] }, both, ["lawn_mowing"])).toBe(false);
  expect(wants({ services: ["hedge_trimming"] })).toBe(false);
});

test("a lead causes an alert if its lawn has at least the chosen size, or an unknown size", () => {
  expect(rings("small")).toEqual([true, false, false, false]);
  expect(rings("large")).toEqual([true, true, true, false]);
  expect(rings("extra_large")).toEqual([true, true, true, true]);
  expect(
    isWanted(
      { ...LEAD, size: null },
      { watchedRegions: ["inner-west"], services: [], choices: { ...NONE, leastSize: "extra_large" } },
    ),
  ).toBe(true);
  expect(sizesUpTo(null)).toEqual(PROPERTY_SIZES);
});

test("a size that the customer did not state, or that this release does not know, counts as none", () => {
  expect(sizeOf({ propertySize: "medium", stated: [] })).toBeNull();
  expect(sizeOf({ propertySize: "medium", stated: ["propertySize"] })).toBe("medium");
  expect(sizeOf({ propertySize: "large", stated: null })).toBe("large");
  expect(sizeOf({ propertySize: "paddock", stated: null })).toBeNull();
});

test("a pause can end from tomorrow until 90 days later, in Sydney's time", () => {
  // The night before clocks change, an hour before and after midnight.
  expect(getPauseDayRange(Date.parse("2026-10-03T13:00:00Z"))).toEqual({
    first: "2026-10-04",
    last: "2027-01-01",
  });
  expect(getPauseDayRange(Date.parse("2026-10-03T15:00:00Z"))).toEqual({
    first: "2026-10-05",
    last: "2027-01-02",
  });
  const { first, last } = getPauseDayRange(Date.now());
  expect([first, last, null].map(takes)).toEqual([true, true, true]);
  expect([addDays(first, -1), addDays(last, 1), "2026-13-40", "soon", 7, ""].map(takes)).toEqual(
    Array(6).fill(false),
  );
});
