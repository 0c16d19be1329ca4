import { expect, test } from "vitest";

import { findNeighbours, isLargestInRadius, isTown } from "./suburb-facts.ts";

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

const kept = (...kms: number[]) => findNeighbours(places(...kms)).map(({ distanceKm }) => distanceKm);

test("neighbours are near: in a city within 8 km, in the far west within 45 km", () => {
  expect(kept(1, 2, 7.9, 8.1, 20)).toEqual([1, 2, 7.9]);
  // The three nearest count up to 45 km, and the others up to three times the nearest.
  expect(kept(5, 30, 44, 44.5, 46)).toEqual([5, 30, 44]);
  expect(kept(40, 44, 45, 46)).toEqual([40, 44, 45]);
  expect(kept(60, 70)).toEqual([]);
});
