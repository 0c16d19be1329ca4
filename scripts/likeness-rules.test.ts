import { expect, test } from "vitest";

import { CLAIMS } from "../web/site/claims.ts";
import {
  at,
  figureSentences,
  sentenceCounts,
  likeness,
  likenessIndex,
  mainWords,
  extractShingles,
  extractSuburbShingles,
} from "./likeness-rules.ts";

const page = (name: string, km: number) =>
  `<html><header>Menu</header><main><h1>Lawn care in ${name}</h1><svg><path d="M0"/></svg>` +
  `<p>It lies ${km} km from the sea, and the sun sets early.</p></main></html>`;

test("only the text of the main element counts", () => {
  expect(mainWords(page("Yass", 3)).slice(0, 5)).toEqual(["lawn", "care", "in", "yass", "it"]);
});

test("pages that differ only in their names are duplicates", () => {
  const yass = extractShingles(page("Yass", 3), ["Yass"]);
  expect(likeness(yass, extractShingles(page("Dee Why", 3), ["Dee Why"]))).toBe(1);
  const other = likeness(yass, extractShingles(page("Dee Why", 4), ["Dee Why"]));
  expect(other).toBeGreaterThan(0.4);
  expect(other).toBeLessThan(0.8);
  expect(likeness(yass, extractShingles("<main>Nothing of all that is here</main>", []))).toBe(0);
});

test("the median is the value in the middle", () => {
  expect(at([3, 1, 2], 0.5)).toBe(2);
  expect(at([3, 1, 2], 1)).toBe(3);
});

test("the index returns the same likeness as the function for each pair, and the closest page", () => {
  const pages = ["a b c d e", "a b c d f", "g h i j", "a b c d e"].map((text) =>
    extractShingles(`<main>${text}</main>`, []),
  );
  const index = likenessIndex();
  for (const page of pages) index.add(page);
  const { pairs, closest } = index.compare();
  const one = pages.flatMap((page, i) => pages.slice(0, i).map((other) => likeness(page, other)));
  expect([...pairs]).toEqual(one.map(Math.fround));
  expect(closest.at(-1)).toEqual({ page: 3, other: 0, share: 1 });
  expect(closest).toHaveLength(3);
});

const suburbPage = (name: string, postcode: string, council: string) =>
  `<main><h1>Perfect Lawn Care in <!-- -->${name}</h1><p>We mow in ${name} NSW ${postcode}, ${council}.</p></main>`;

test("a suburb's own names are masked in its page", () => {
  const manly = extractSuburbShingles(
    suburbPage("Manly", "2095", "Northern Beaches Council"),
    "Northern Beaches Council",
  );
  const ryde = extractSuburbShingles(suburbPage("West Ryde", "2114", "City of Ryde"), "City of Ryde");
  expect(likeness(manly, ryde)).toBe(1);
});

const withFigures = (name: string, frosts: number) =>
  `<main><h1>Perfect Lawn Care in ${name}</h1><p>About ${frosts} nights fall to 2 °C. ${name} is green.</p>` +
  `<p>Mow 31 times a year in ${name}.</p><strong>From $80 to $400</strong><p>Mon-Fri 8:00 AM-5:00 PM</p></main>`;

test("a sentence with a figure counts unless the specification or the catalogue gives it", () => {
  expect([...figureSentences(withFigures("Yass", 7), "Yass Valley Council")]).toEqual([
    "About 7 nights fall to 2 °C.",
    "Mow 31 times a year in *.",
  ]);
});

test("a sentence counts although it ends in a price, or is a short part of a claim", () => {
  const { text } = CLAIMS.jobs;
  const part = /\d[\d,+]*/.exec(text)![0];
  expect(text).not.toBe(part);
  const html =
    `<main><h1>Perfect Lawn Care in Yass</h1><p>Mow 31 times a year, from $30</p><p>${part}</p><p>${text}</p>` +
    `<li><a>Lawn Mowing</a> <strong>From $49 to $1,200</strong></li></main>`;
  expect([...figureSentences(html, "Yass Valley Council")]).toEqual(["Mow 31 times a year, from $30", part]);
});

test("the share of pages with the same sentence is found, whatever their names", () => {
  const counts = sentenceCounts();
  for (const [name, frosts] of [
    ["Yass", 7],
    ["Ryde", 2],
  ] as const)
    counts.add(figureSentences(withFigures(name, frosts), "A council"));
  expect(counts.shares().slice(0, 2)).toEqual([
    { sentence: "Mow 31 times a year in *.", share: 1 },
    { sentence: "About 7 nights fall to 2 °C.", share: 0.5 },
  ]);
});
