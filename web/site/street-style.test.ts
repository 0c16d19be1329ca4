import { expect, test } from "vitest";

import { REGIONS } from "../../contract/regions.ts";
import { getHouse, getSeason } from "./street-style.ts";

test("every region has a house, and every kind of house is used", () => {
  const houses = REGIONS.map(({ slug }) => getHouse(slug));
  expect(new Set(houses)).toEqual(new Set(["bungalow", "terrace", "weatherboard", "brick", "farm"]));
  expect(getHouse("inner-west")).toBe("terrace");
  expect(getHouse("riverina-and-murray")).toBe("farm");
  expect([getHouse(undefined), getHouse("atlantis")]).toEqual(["bungalow", "bungalow"]);
});

test("jacarandas flower in spring, and every month has a look", () => {
  const months = Array.from({ length: 12 }, (_, index) => getSeason(index + 1));
  expect([months[9], months[10]]).toEqual(["jacaranda", "jacaranda"]);
  expect(months[0]).toBe("green");
  expect(months[6]).toBe("bare");
  expect(new Set(months).size).toBe(5);
});
