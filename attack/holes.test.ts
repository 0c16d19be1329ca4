import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ROOT } from "../testing/tools.ts";
import { HOLES } from "./holes.ts";
import { plantHole } from "./plant.ts";
import { RIGHTS } from "./rights.ts";

test("each of the thirty holes matches its source in exactly one place and affects existing routes", () => {
  for (const hole of HOLES) {
    const source = readFileSync(`${ROOT}${hole.file}`, "utf8");
    expect(plantHole(source, hole), hole.name).toContain(JSON.stringify(hole.name));
    expect([...RIGHTS.keys()], hole.name).toEqual(expect.arrayContaining([...hole.routes]));
  }
  expect(new Set(HOLES.map(({ name }) => name)).size).toBe(30);
});

test("a hole with an unknown anchor cannot be planted", () => {
  const lost = { ...HOLES[0]!, find: "«maskNothing()»" };
  expect(() => plantHole("maskPhone()", lost)).toThrow("matches 0 places");
});
