import { expect, test } from "vitest";

import { costAt, NEEDED, topFor } from "./toast-place.ts";

const WINDOW = 640;
/** On a phone, below the page's bar. */
const USUAL = { x: 16, y: 68, width: 328, height: 76 };
const across = { x: 0, width: 360 };
const sheet = (top: number) => ({ ...across, y: top, height: WINDOW - top, weight: 1 });
const head = (top: number) => ({ ...across, y: top, height: 60, weight: NEEDED });
const foot = { ...across, y: 560, height: 80, weight: NEEDED };

const placed = (covers: Parameters<typeof costAt>[1]) => ({ ...USUAL, y: topFor(USUAL, covers, WINDOW) });

test("with nothing in the way a message stands in its usual place", () => {
  expect(topFor(USUAL, [], WINDOW)).toBe(68);
  expect(topFor(USUAL, [sheet(300), head(300)], WINDOW)).toBe(68);
});

test("above a dialog that leaves room there", () => {
  const covers = [sheet(110), head(110), foot];
  expect(placed(covers).y + USUAL.height).toBeLessThan(110);
  expect(costAt(placed(covers), covers)).toBe(0);
});

test("in a dialog as tall as the window, between its title and its main action", () => {
  const covers = [sheet(51), head(51), foot];
  const { y } = placed(covers);
  expect(y).toBeGreaterThanOrEqual(111);
  expect(y + USUAL.height).toBeLessThanOrEqual(560);
});

test("there beside the fields, where they leave room", () => {
  const fields = { ...across, y: 115, height: 300, weight: 20 };
  expect(placed([sheet(51), head(51), foot, fields]).y).toBeGreaterThanOrEqual(415);
});

test("rather on fields than on what is needed next", () => {
  const fields = { ...across, y: 111, height: 449, weight: 20 };
  const covers = [sheet(51), head(51), foot, fields];
  expect(costAt(placed(covers), covers)).toBeLessThan(NEEDED);
});

test("in a window too small for it, where it usually stands", () => {
  expect(topFor(USUAL, [sheet(0)], 60)).toBe(68);
});
