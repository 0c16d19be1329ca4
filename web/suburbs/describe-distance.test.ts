import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { describeDistance, TOWNS } from "./describe-distance.ts";

const SUBURBS = readFileSync(new URL("../../data/nsw-suburbs.csv", import.meta.url), "utf8")
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => {
    const [slug, name, , , , , , latitude, longitude] = line.split(",");
    return { slug: slug!, name: name!, latitude: Number(latitude), longitude: Number(longitude) };
  });

test.each([
  ["parramatta", "19.7 km west of Sydney and 69 km north of Wollongong"],
  ["byron-bay", "36 km north-east of Lismore and 53 km south of Tweed Heads"],
  ["jindabyne", "49 km south-west of Cooma and 113 km west of Bega"],
  ["walgett", "178 km west of Moree and 251 km north of Dubbo"],
  ["broken-hill", null],
  ["tibooburra", "286 km north of Broken Hill"],
])("%s is %s", (slug, expected) => {
  const text = describeDistance(SUBURBS.find((suburb) => suburb.slug === slug)!);
  expect(text?.replaceAll("\u00A0", " ") ?? null).toBe(expected);
});

test("no distance is above 300 km, and nearly every suburb has one", () => {
  const texts = SUBURBS.map(describeDistance);
  const distances = texts.flatMap((text) => [...(text ?? "").matchAll(/([\d.]+)\u00A0km/g)]);
  expect(Math.max(...distances.map(([, km]) => Number(km)))).toBeLessThanOrEqual(300);
  expect(texts.filter((text) => text === null).length / SUBURBS.length).toBeLessThan(0.01);
});

test("the towns are where the list of suburbs has them", () => {
  for (const { name, ...point } of TOWNS) {
    const { latitude, longitude } = SUBURBS.find((suburb) => suburb.name === name)!;
    expect(point, name).toEqual({ latitude, longitude });
  }
});
