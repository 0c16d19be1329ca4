import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import {
  countCuts,
  dailyMeans,
  findClimate,
  lawnFacts,
  mainGrass,
  mowingRange,
  SOURCES,
} from "./local-climate.ts";

const read = (file: string) => readFileSync(new URL(`../../data/${file}`, import.meta.url), "utf8");

/** Every suburb, as the list of suburbs names it. */
const SUBURBS = read("nsw-suburbs.csv")
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => line.split(",") as [slug: string, name: string, postcode: string])
  .map(([slug, name, postcode]) => ({ slug, name, postcode }));

const place = (slug: string) => SUBURBS.find((suburb) => suburb.slug === slug)!;
const temperatures = (slug: string) => findClimate(place(slug))!.temperatures!;

test("every suburb has a climate in range", () => {
  for (const suburb of SUBURBS) {
    const { zone, frosts, rainMm, temperatures: known } = findClimate(suburb)!;
    expect([2, 4, 5, 6, 7, 8], suburb.name).toContain(zone);
    expect(frosts, suburb.name).toBeLessThan(240);
    expect(rainMm, suburb.name).toBeGreaterThan(150);
    if (known) expect(known.summerMax - known.winterMin, suburb.name).toBeGreaterThan(10);
  }
});

test("for 30 random suburbs, every fact has a source that data/ATTRIBUTION.md quotes", () => {
  const attribution = read("ATTRIBUTION.md");
  const chosen = Array.from({ length: 30 }, () => SUBURBS[Math.floor(Math.random() * SUBURBS.length)]!);
  const lines = chosen.flatMap((suburb) =>
    lawnFacts(suburb).map(({ term, text, sources }) => {
      expect(text, suburb.name).toMatch(/\w/);
      expect(sources.length, `${suburb.name}: ${term}`).toBeGreaterThan(0);
      for (const source of sources) expect(attribution, source).toContain(`**${SOURCES[source]}**`);
      return `${suburb.name} ${suburb.postcode} | ${term} | ${text} | ${sources.map((source) => SOURCES[source]).join("; ")}`;
    }),
  );
  // `npx vitest run --silent=false --project unit web/suburbs/local-climate.test.ts` shows each fact beside its source.
  console.log(lines.join("\n"));
  expect(lines.length).toBeGreaterThan(30);
});

test("cuts a year differ between coast, slopes, tablelands, far west and snow country", () => {
  expect(mowingRange(place("byron-bay"))).toBe("18 to 36 times a year");
  expect(mowingRange(place("parramatta"))).toBe("12 to 24 times a year");
  expect(mowingRange(place("wagga-wagga"))).toMatch(
    /^12 to 23 times a year if you water it, about \d+ to 17 on rain/,
  );
  expect(mowingRange(place("broken-hill"))).toBe(
    "16 to 32 times a year if you water it, about 5 to 9 on rain alone",
  );
  expect(mowingRange(place("orange"))).toBe("18 to 37 times a year");
  expect(mowingRange(place("jindabyne"))).toBe("13 to 26 times a year");
});

test("warm-season grass suits the coast and the slopes, cool-season grass the tablelands and the snow country", () => {
  for (const slug of ["byron-bay", "parramatta", "wagga-wagga", "broken-hill"])
    expect(mainGrass(temperatures(slug)), slug).toBe("warm");
  for (const slug of ["orange", "armidale", "jindabyne", "bowral"])
    expect(mainGrass(temperatures(slug)), slug).toBe("cool");
});

test("a warmer place never needs fewer cuts of the same grass", () => {
  const [mild, warm, hot] = [27, 28, 31].map((summerMax) => countCuts({ summerMax, winterMin: 8 }).most);
  expect(warm).toBeGreaterThan(mild!);
  expect(hot).toBeGreaterThan(warm!);
});

test("the modelled year is warmest in January and coldest in July", () => {
  const means = dailyMeans({ summerMax: 26, winterMin: 8.5 });
  expect(means.indexOf(Math.max(...means))).toBe(14);
  expect(means.indexOf(Math.min(...means))).toBeCloseTo(196, -1);
});

test("a town unlike its postcode has its own climate, and an unknown postcode has none", () => {
  expect(findClimate(place("coffs-harbour"))!.frosts).toBeLessThan(10);
  expect(findClimate({ slug: "elsewhere", postcode: "2450" })!.frosts).toBeGreaterThan(30);
  expect(findClimate({ slug: "elsewhere", postcode: "0800" })).toBeNull();
  expect(lawnFacts({ slug: "elsewhere", postcode: "0800" })).toEqual([]);
});

test("without known temperatures, a page claims no growing season", () => {
  expect(findClimate(place("batehaven"))!.temperatures).toBeNull();
  expect(mowingRange(place("batehaven"))).toBeNull();
  expect(lawnFacts(place("batehaven")).map(({ term }) => term)).toEqual(["Climate", "Frost", "Rain"]);
});

test("words for frost, rain and mowing follow the figures", () => {
  const [byronBay, jindabyne] = ["byron-bay", "jindabyne"].map((slug) =>
    lawnFacts(place(slug)).map((fact) => fact.text),
  );
  expect(byronBay).toEqual([
    "Warm humid summers and mild winters (zone 2 of the National Construction Code), with 28 °C on an average summer day and 11 °C on a winter night.",
    "Rare. Most years have none.",
    "Plenty: 1,760 mm a year, 34 mm in an average week.",
    "Buffalo, couch and kikuyu. They grow fast from mid-October to late April and never quite stop.",
    "More than most places: 18 to 36 times a year.",
  ]);
  expect(jindabyne!.slice(1)).toEqual([
    "Months of it: 152 nights a year fall to 2 °C or less.",
    "On the dry side, with 690 mm a year or 13 mm a week.",
    "Tall fescue and Kentucky bluegrass. They grow fast from late October to early April. Couch grows slowly even in summer and turns brown with the frosts.",
    "Steadily: 13 to 26 times a year.",
  ]);
});
