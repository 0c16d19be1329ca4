import { expect, test } from "vitest";

import { REVIEWS } from "./claims.ts";
import { findReviewsNear, listReviewsFor } from "./pick-reviews.ts";

test("shows a suburb's two nearest reviews, with a distance if it helps", () => {
  const manly = findReviewsNear({ latitude: -33.8, longitude: 151.28 });
  expect(manly.map(({ location, kmAway }) => [location, kmAway])).toEqual([
    ["Dee Why", 5],
    ["Parramatta", 25],
  ]);
  const parramatta = findReviewsNear({ latitude: -33.814, longitude: 151.006 });
  expect(parramatta.map(({ location, kmAway }) => [location, kmAway])).toEqual([
    ["Parramatta", null],
    ["Castle Hill", 9],
  ]);
  const brokenHill = findReviewsNear({ latitude: -31.95, longitude: 141.45 });
  expect(brokenHill.map(({ kmAway }) => kmAway)).toEqual([null, null]);
});

test("a service page shows all reviews, starting with its own", () => {
  expect(listReviewsFor("hedge_trimming")[0]!.service).toBe("Hedge trimming");
  expect(listReviewsFor("lawn_mowing")[0]!.service).toBe("Lawn mowing");
  expect(listReviewsFor("garden_cleanup")[0]!.service).toBe("Garden maintenance");
  const names = REVIEWS.map(({ name }) => name);
  for (const service of [undefined, "hedge_trimming", "pressure_washing"] as const)
    expect(
      listReviewsFor(service)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(names.toSorted());
  expect(listReviewsFor().map(({ name }) => name)).toEqual(names);
});
