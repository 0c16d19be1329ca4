import { expect, test } from "vitest";

import { formatDistance } from "./format-distance.ts";

const LEICHHARDT = { latitude: -33.8836, longitude: 151.1567 };
const PARRAMATTA = { latitude: -33.8148, longitude: 151.0017 };
const BROKEN_HILL = { latitude: -31.9596, longitude: 141.4605 };

test("shows a distance in whole kilometres if both locations are known", () => {
  expect(formatDistance(LEICHHARDT, PARRAMATTA)).toBe("16 km");
  expect(formatDistance(LEICHHARDT, BROKEN_HILL)).toBe("930 km");
  expect(formatDistance(LEICHHARDT, LEICHHARDT)).toBe("Near you");
  expect(formatDistance(null, PARRAMATTA)).toBeNull();
  expect(formatDistance(LEICHHARDT, { latitude: null, longitude: null })).toBeNull();
});
