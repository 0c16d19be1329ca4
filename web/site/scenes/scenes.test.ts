import { globSync, readFileSync } from "node:fs";

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ROOT } from "../../../testing/tools.ts";
import { Scene, SCENE_NAMES } from "./scene.tsx";
import { getSeason } from "./season.ts";

const FOLDER = `${ROOT}web/site/scenes/`;
const read = (name: string) => readFileSync(`${FOLDER}${name}.svg`, "utf8");
const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);

test("the list of scenes has every file, and a page shows it by its address", () => {
  const files = globSync("*.svg", { cwd: FOLDER }).map((file) => file.replace(".svg", ""));
  expect(files.toSorted()).toEqual(SCENE_NAMES.toSorted());
  for (const name of SCENE_NAMES)
    expect(renderToStaticMarkup(createElement(Scene, { name }))).toMatch(/ src="(?!undefined)[^"]+#[a-z]+" /);
});

test.each(SCENE_NAMES)("the scene %s is under 6 kB of markup", (name) => {
  const markup = read(name).replaceAll(/\s*\n\s*/g, "");
  expect(markup.length).toBeGreaterThan(2000);
  expect(markup.length).toBeLessThan(6000);
});

test("no two scenes have the same drawing", () => {
  expect(new Set(SCENE_NAMES.map(read)).size).toBe(SCENE_NAMES.length);
});

test.each(SCENE_NAMES)("the scene %s has its dusk for dark mode", (name) => {
  const svg = read(name);
  expect(svg).toContain("@media (prefers-color-scheme: dark)");
  for (const part of ["sky", "haze", "sun", "dusk"]) {
    expect(svg).toContain(`.${part} {`);
    expect(svg).toContain(`class="${part}"`);
  }
});

test("jacarandas flower in spring, and every month has a look", () => {
  const months = MONTHS.map(getSeason);
  expect([months[9], months[10]]).toEqual(["jacaranda", "jacaranda"]);
  expect(months[0]).toBe("green");
  expect(months[6]).toBe("bare");
  expect(new Set(months).size).toBe(5);
});

test("each drawing of a street tree has the look of every season", () => {
  const trees = SCENE_NAMES.map(read).filter((svg) => svg.includes('class="leaves"'));
  expect(trees).toHaveLength(3);
  const others = new Set(MONTHS.map(getSeason).filter((season) => season !== "jacaranda"));
  for (const svg of trees)
    for (const season of others) {
      expect(svg).toContain(`id="${season}"`);
      expect(svg).toContain(`#${season}:target`);
    }
});
