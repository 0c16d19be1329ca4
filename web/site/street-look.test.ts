import { expect, test } from "vitest";

import { REGIONS } from "../../contract/regions.ts";
import { houseOf, seasonOf } from "./street-look.ts";

test("every region has a house, and every kind of house is used", () => {
  const houses = REGIONS.map(({ slug }) => houseOf(slug));
  expect(new Set(houses)).toEqual(new Set(["bungalow", "terrace", "weatherboard", "brick", "farm"]));
  expect(houseOf("inner-west")).toBe("terrace");
  expect(houseOf("riverina-and-murray")).toBe("farm");
  expect([houseOf(undefined), houseOf("atlantis")]).toEqual(["bungalow", "bungalow"]);
});

test("jacarandas flower in spring, and every month has a look", () => {
  const months = Array.from({ length: 12 }, (_, index) => seasonOf(index + 1));
  expect([months[9], months[10]]).toEqual(["jacaranda", "jacaranda"]);
  expect(months[0]).toBe("green");
  expect(months[6]).toBe("bare");
  expect(new Set(months).size).toBe(5);
});
