import { expect, test } from "vitest";

import { chooseDrawing, DRAWINGS, findCouncilAt, project, unproject } from "./council-outlines.ts";

test.each([
  [-33.92, 151.03, "City of Canterbury Bankstown"],
  [-33.7, 151.26, "Northern Beaches Council"],
  [-32.24, 148.6, "Dubbo Regional Council"],
  [-31, 142.5, "Unincorporated NSW"],
  [-33.9, 151.7, null],
  [-37.4, 145, null],
])("%d, %d is in %s", (latitude, longitude, council) => {
  expect(findCouncilAt({ latitude, longitude })).toBe(council);
});

test("a point of a drawing and its place are the same", () => {
  const point = { x: 250, y: 640 };
  for (const drawing of Object.values(DRAWINGS))
    expect(project(drawing, unproject(drawing, point))).toEqual(point);
});

test("chooses the large drawing for councils in Greater Sydney only", () => {
  expect(chooseDrawing(["Burwood Council", "Mosman Council"])).toBe(DRAWINGS.sydney);
  expect(chooseDrawing(["Burwood Council", "Dubbo Regional Council"])).toBe(DRAWINGS.nsw);
});
