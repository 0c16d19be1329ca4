import { expect, test } from "vitest";

import { isLargestInRadius, isTown } from "./suburb-facts.ts";

const places = (...kms: number[]) => kms.map((distanceKm) => ({ distanceKm, population: 500 }));
const town = { population: 14_000 };

test("a suburb is called the largest only among compared places", () => {
  const leichhardt = places(1, 1, 1, 1, 2, 2, 2, 2);
  expect(isTown(town, leichhardt)).toBe(true);
  expect(isLargestInRadius(town, leichhardt)).toBe(false);
  // Places added beyond the state's border do not rule out a larger place in between.
  expect(isLargestInRadius(town, [...leichhardt, ...places(80)])).toBe(false);
});

test("a town whose known neighbours extend beyond 30 km is certainly the largest, unless one of them is larger", () => {
  const bourke = places(4, 9, 20, 29, 40, 60, 70, 90);
  expect(isLargestInRadius(town, bourke)).toBe(true);
  expect(isLargestInRadius(town, [{ distanceKm: 29, population: 20_000 }, ...bourke.slice(1)])).toBe(false);
  expect(isLargestInRadius(town, bourke.slice(1)), "fewer places than are known").toBe(false);
});
