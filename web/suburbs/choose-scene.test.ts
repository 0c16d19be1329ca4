import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../../testing/tools.ts";
import { SCENE_NAMES } from "../site/scenes/scene.tsx";
import { chooseScene } from "./choose-scene.ts";

function parse(csv: string) {
  const [head, ...lines] = csv
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const at = (name: string) => head!.indexOf(name);
  return lines.map((values) => ({
    slug: values[at("slug")]!,
    postcode: values[at("postcode")]!,
    region: values[at("region")]!,
    population: Number(values[at("population")]),
  }));
}

/** Every suburb with at least 200 people, and its scene. */
const SCENE_OF = new Map(
  parse(readFileSync(`${ROOT}data/nsw-suburbs.csv`, "utf8"))
    .filter(({ population }) => population >= 200)
    .map((suburb) => [suburb.slug, chooseScene(suburb)]),
);

test.each([
  ["newtown", "terraces"],
  ["randwick", "strata"],
  ["parramatta", "strata"],
  ["oran-park", "estate"],
  ["byron-bay", "coast"],
  ["kiama", "coast"],
  ["orange", "tablelands"],
  ["katoomba", "tablelands"],
  ["jindabyne", "snow-country"],
  ["dubbo", "plains"],
  ["broken-hill", "far-west"],
  ["grafton", "suburb"],
] as const)("%s shows the scene %s", (slug, scene) => {
  expect(SCENE_OF.get(slug)).toBe(scene);
});

test("every place's scene is used, and no scene by more than half of the suburbs", () => {
  const counts = Map.groupBy(SCENE_OF.values(), (scene) => scene);
  const places = SCENE_NAMES.filter((name) => /^[a-z-]+$/.test(name)).filter(
    (name) => !["on-the-way", "not-found"].includes(name),
  );
  expect([...counts.keys()].toSorted()).toEqual(places.toSorted());
  expect(Math.max(...[...counts.values()].map(({ length }) => length)) / SCENE_OF.size).toBeLessThan(0.5);
});

test("a suburb without a climate shows the bungalow", () => {
  expect(chooseScene({ slug: "x", postcode: "9999", region: "inner-west", population: 20_000 })).toBe(
    "suburb",
  );
});
