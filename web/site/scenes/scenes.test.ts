import { renderToStaticMarkup } from "react-dom/server";
import { createElement } from "react";
import { expect, test } from "vitest";

import { Scene, SCENE_NAMES } from "./scene.tsx";
import { getSeason } from "./season.ts";

test.each(SCENE_NAMES)("the scene %s is under 6 kB of markup", (name) => {
  const markup = renderToStaticMarkup(createElement(Scene, { name }));
  expect(markup.length).toBeGreaterThan(2000);
  expect(markup.length).toBeLessThan(6000);
});

test("no two scenes have the same drawing", () => {
  const drawings = SCENE_NAMES.map((name) => renderToStaticMarkup(createElement(Scene, { name })));
  expect(new Set(drawings).size).toBe(SCENE_NAMES.length);
});

test("jacarandas flower in spring, and every month has a look", () => {
  const months = Array.from({ length: 12 }, (_, index) => getSeason(index + 1));
  expect([months[9], months[10]]).toEqual(["jacaranda", "jacaranda"]);
  expect(months[0]).toBe("green");
  expect(months[6]).toBe("bare");
  expect(new Set(months).size).toBe(5);
});
