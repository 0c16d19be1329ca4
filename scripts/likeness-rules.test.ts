import { expect, test } from "vitest";

import { at, likeness, mainWords, piecesOf } from "./likeness-rules.ts";

const page = (name: string, km: number) =>
  `<html><header>Menu</header><main><h1>Lawn care in ${name}</h1><svg><path d="M0"/></svg>` +
  `<p>It lies ${km} km from the sea, and the sun sets early.</p></main></html>`;

test("only what is read of the main part counts", () => {
  expect(mainWords(page("Yass", 3)).slice(0, 5)).toEqual(["lawn", "care", "in", "yass", "it"]);
});

test("pages that differ by their names only are the same page", () => {
  const yass = piecesOf(page("Yass", 3), ["Yass"]);
  expect(likeness(yass, piecesOf(page("Dee Why", 3), ["Dee Why"]))).toBe(1);
  const other = likeness(yass, piecesOf(page("Dee Why", 4), ["Dee Why"]));
  expect(other).toBeGreaterThan(0.4);
  expect(other).toBeLessThan(0.8);
  expect(likeness(yass, piecesOf("<main>Nothing of all that is here</main>", []))).toBe(0);
});

test("the median is the value in the middle", () => {
  expect(at([3, 1, 2], 0.5)).toBe(2);
  expect(at([3, 1, 2], 1)).toBe(3);
});
