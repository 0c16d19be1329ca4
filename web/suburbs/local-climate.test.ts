import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import {
  countCuts,
  dailyMeans,
  describeMowing,
  FAST_GROWTH,
  FAST_INTERVAL_DAYS,
  findClimate,
  GRASSES,
  growth,
  isForCoolGrass,
  lawnFacts,
  NEEDED_WATER_MM,
  SLOW_GROWTH,
  SLOW_INTERVAL_DAYS,
  type SourceId,
  SOURCES,
  textOf,
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
const year = (slug: string) => /^About (.+?):/.exec(describeMowing(place(slug))!)![1];
const isCool = (slug: string) => isForCoolGrass(temperatures(slug), findClimate(place(slug))!.frosts);
const temperatures = (slug: string) => findClimate(place(slug))!.temperatures!;

test("every suburb has a climate in range, but for the island outside of the grids", () => {
  expect(SUBURBS.filter((suburb) => findClimate(suburb) === null).map(({ slug }) => slug)).toEqual([
    "lord-howe-island",
  ]);
  expect(describeMowing(place("lord-howe-island"))).toBeNull();
  for (const suburb of SUBURBS.filter(({ slug }) => slug !== "lord-howe-island")) {
    const { zone, frosts, rainMm, temperatures: known } = findClimate(suburb)!;
    expect([2, 4, 5, 6, 7, 8], suburb.name).toContain(zone);
    expect(frosts, suburb.name).toBeLessThan(240);
    expect(rainMm, suburb.name).toBeGreaterThan(150);
    if (known) expect(known.summerMax - known.winterMin, suburb.name).toBeGreaterThan(10);
  }
});

/** What data/ATTRIBUTION.md must quote from each source. */
const QUOTES: Record<SourceId, readonly string[]> = {
  census: ["people by suburb", "Tot_P_P"],
  weather: [
    "nights a year with 2 °C or less, the mean daily maximum in summer and minimum in winter, and rain",
  ],
  zones: ["climate zones of the National Construction Code"],
  growth: [
    "20°C for C3 grass",
    "5.5 for C3 species and 7 for C4 species",
    "no longer drop",
    "between 50% and 100%",
    "10% or lower",
  ],
  kikuyu: ["mid-20s", "ceased at mean temperatures around 10 °C"],
  mowing: ["every one to two weeks", "every three to four weeks", "during dry spells, growth slows"],
  water: ["(couch and kikuyu) perform best with 15–32mm of water per week in summer"],
  regions: ["Buffalo, Couch, Kikuyu", "cooler tablelands"],
  fescue: ["tall fescue"],
  bluegrass: ["Kentucky bluegrass"],
  browning: ["straw yellow to light brown colour due to the cold, frosty conditions"],
};

const ATTRIBUTION = read("ATTRIBUTION.md");

test.each(Object.entries(QUOTES))("data/ATTRIBUTION.md quotes what we use from %s", (id, quotes) => {
  const [, own] = ATTRIBUTION.split(`**${SOURCES[id as SourceId]}**`);
  const [section] = own!.split("\n\n**");
  for (const quote of quotes) expect(section).toContain(quote);
});

test("the rules' constants are the quoted figures", () => {
  expect(GRASSES).toEqual({ kikuyu: { best: 25, spread: 7 }, fescue: { best: 20, spread: 5.5 } });
  expect([FAST_GROWTH, SLOW_GROWTH]).toEqual([0.5, 0.1]);
  expect(growth("kikuyu", 10), "the two sources agree at 10 °C").toBeCloseTo(SLOW_GROWTH, 2);
  expect(growth("kikuyu", 33)).toBe(1);
  expect([FAST_INTERVAL_DAYS, SLOW_INTERVAL_DAYS].flat()).toEqual([7, 14, 21, 28]);
  expect(NEEDED_WATER_MM).toBe(15);
});

type Row = [zone: number, frosts: number, summerMax: number, winterMin: number, rainMm: number];
const ROWS = JSON.parse(read("postcode-climate.json")) as Record<string, Row>;
/** The table's climates with known temperatures. */
const KNOWN = Object.values(ROWS).filter(([, , summerMax]) => summerMax);
const everyNth = <Item>(items: readonly Item[], count: number) =>
  items.filter((_, i) => i % Math.floor(items.length / count) === 0);
const degrees = (value: number) => `${Math.round(value) || 0}`.replace("-", "−");
const weekly = (rainMm: number) => `${Math.round(rainMm / (365 / 7))}`;

/** Each sentence that a page may show, the source of each, and its figures as the table gives them. */
const SENTENCES: readonly {
  says: RegExp;
  sources: readonly SourceId[];
  figures?: (row: Row) => readonly string[];
}[] = [
  {
    says: /^\D+ \(zone (\d) of the National Construction Code\), with (.+) °C on an average summer day and (.+) °C on a winter night\.$/,
    sources: ["zones", "weather"],
    figures: ([zone, , summerMax, winterMin]) => [`${zone}`, degrees(summerMax), degrees(winterMin)],
  },
  {
    says: /^\D+ \(zone (\d) of the National Construction Code\)\.$/,
    sources: ["zones"],
    figures: ([zone]) => [`${zone}`],
  },
  {
    says: /(\d+) nights a year/,
    sources: ["weather"],
    figures: ([, frosts]) => [`${frosts}`],
  },
  { says: /one night a year|Most years have none/, sources: ["weather"] },
  {
    says: /([\d,]+) mm (?:a year|in a year|fall in a year)\D+(\d+) mm/,
    sources: ["weather"],
    figures: ([, , , , rainMm]) => [rainMm.toLocaleString("en-AU"), weekly(rainMm)],
  },
  { says: /^Buffalo, couch and kikuyu\.$/, sources: ["regions"] },
  { says: /^Tall fescue and Kentucky bluegrass\.$/, sources: ["regions", "fescue", "bluegrass"] },
  { says: /^They grow fast from .+ to .+\.$/, sources: ["weather", "growth"] },
  { says: /^Kikuyu grows \D+\.$/, sources: ["weather", "growth", "kikuyu"] },
  { says: /^Couch turns brown with the frosts\.$/, sources: ["browning"] },
  {
    says: /^\d+ to \d+ times a year for kikuyu(?: that you water)?(?:: every week or two from .+ to .+)?\.$/,
    sources: ["weather", "growth", "kikuyu", "mowing"],
  },
  { says: /^On rain alone it needs fewer\.$/, sources: ["mowing"] },
  {
    says: /^An average week brings (\d+) mm, and kikuyu likes at least 15 mm in summer\.$/,
    sources: ["weather", "water"],
    figures: ([, , , , rainMm]) => [weekly(rainMm)],
  },
  {
    says: /^Fescue needs a cut every (?:week or two from \D+ to \D+\. \D+, every )?three to four weeks \D+\.$/,
    sources: ["weather", "growth", "mowing"],
  },
];

test("each sentence about lawns in 300 suburbs has the sources and the figures of its table", () => {
  const seen = new Set<RegExp>();
  for (const suburb of everyNth(SUBURBS, 300)) {
    const row = ROWS[suburb.slug] ?? ROWS[suburb.postcode]!;
    for (const { text, sources } of lawnFacts(suburb).flatMap(({ sentences }) => sentences)) {
      const matching = SENTENCES.filter(({ says }) => says.test(text));
      expect(matching, `${suburb.name}: ${text}`).toHaveLength(1);
      const [known] = matching;
      expect(sources, `${suburb.name}: ${text}`).toEqual(known!.sources);
      expect(known!.says.exec(text)!.slice(1), suburb.name).toEqual(known!.figures?.(row) ?? []);
      seen.add(known!.says);
    }
  }
  expect(seen.size).toBe(SENTENCES.length);
});

test("cuts a year differ between coast, slopes, tablelands, far west and snow country", () => {
  expect(year("byron-bay")).toBe("21 to 43 times a year for kikuyu");
  expect(year("parramatta")).toBe("19 to 35 times a year for kikuyu");
  expect(year("wagga-wagga")).toBe("17 to 30 times a year for kikuyu that you water");
  expect(year("broken-hill")).toBe("21 to 39 times a year for kikuyu that you water");
});

test("places for fescue get the months of its growth, and no count for kikuyu", () => {
  for (const suburb of everyNth(SUBURBS, 300)) {
    if (!findClimate(suburb)?.temperatures || !isCool(suburb.slug)) continue;
    const mowing = textOf(lawnFacts(suburb).find(({ term }) => term === "Mowing")!);
    expect(mowing, suburb.name).toContain("Fescue needs a cut");
    for (const text of [mowing, describeMowing(suburb)]) expect(text, suburb.name).not.toContain("kikuyu");
  }
  expect(describeMowing(place("orange"))).toBe(
    "Fescue needs a cut every week or two from mid-October to mid-April. Before that, from late August, and after it, until early June, every three to four weeks is enough. On average it’s 13 °C in spring, 20 °C in summer, 14 °C in autumn and 7 °C in winter.",
  );
});

test("no frosty place needs more cuts than the subtropical coast", () => {
  const coast = countCuts(temperatures("byron-bay"));
  const frosty = KNOWN.filter(([, frosts]) => frosts >= 30);
  for (const [, , summerMax, winterMin] of frosty) {
    const { least, most } = countCuts({ summerMax, winterMin });
    expect(least).toBeLessThan(coast.least);
    expect(most).toBeLessThan(coast.most);
  }
  expect(frosty.length).toBeGreaterThan(100);
});

test("a place that is warmer in summer and in winter never needs fewer cuts", () => {
  for (const [, , summerMax, winterMin] of KNOWN) {
    const own = countCuts({ summerMax, winterMin });
    const warmer = countCuts({ summerMax: summerMax + 0.5, winterMin: winterMin + 0.5 });
    expect(warmer.least).toBeGreaterThanOrEqual(own.least);
    expect(warmer.most).toBeGreaterThanOrEqual(own.most);
  }
});

test("the seasons in the answer about mowing add up to the year", () => {
  for (const suburb of everyNth(SUBURBS, 300)) {
    const answer = describeMowing(suburb);
    if (!answer?.includes("kikuyu")) continue;
    const [, least, most, seasons] = /^About (\d+) to (\d+) times a year[^:]*: (.*?) on average\./.exec(
      answer,
    )!;
    const cuts = [...seasons!.matchAll(/(?:(\d+) to )?(\d+|none) in \w+ at/g)].map(([, low, high]) => {
      const last = high === "none" ? 0 : Number(high);
      return { low: low ? Number(low) : last, last };
    });
    expect(cuts, answer).toHaveLength(4);
    expect(
      cuts.reduce((sum, { low }) => sum + low, 0),
      answer,
    ).toBe(Number(least));
    expect(
      cuts.reduce((sum, { last }) => sum + last, 0),
      answer,
    ).toBe(Number(most));
  }
});

test("warm-season grass suits the coast and the slopes, cool-season grass the tablelands and the snow country", () => {
  for (const slug of ["byron-bay", "parramatta", "wagga-wagga", "broken-hill", "kiama", "eden", "merimbula"])
    expect(isCool(slug), slug).toBe(false);
  for (const slug of ["orange", "armidale", "jindabyne", "bowral", "katoomba"])
    expect(isCool(slug), slug).toBe(true);
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
  expect(describeMowing(place("batehaven"))).toBeNull();
  expect(lawnFacts(place("batehaven")).map(({ term }) => term)).toEqual(["Climate", "Frost", "Rain"]);
});

test("words for frost, rain and mowing follow the figures", () => {
  const [byronBay, jindabyne] = ["byron-bay", "jindabyne"].map((slug) => lawnFacts(place(slug)).map(textOf));
  expect(byronBay).toEqual([
    "Warm humid summers and mild winters (zone 2 of the National Construction Code), with 28 °C on an average summer day and 11 °C on a winter night.",
    "Rare. Most years have none.",
    "Plenty: 1,760 mm a year, 34 mm in an average week.",
    "Buffalo, couch and kikuyu. Kikuyu grows fast from early September to late May and keeps growing all year.",
    "21 to 43 times a year for kikuyu: every week or two from early September to late May.",
  ]);
  expect(jindabyne!.slice(1)).toEqual([
    "Very common: about 152 nights a year get down to 2 °C or below.",
    "On the dry side, with 690 mm a year or 13 mm a week.",
    "Tall fescue and Kentucky bluegrass. They grow fast from mid-November to mid-March. Kikuyu grows fast only in midsummer. Couch turns brown with the frosts.",
    "Fescue needs a cut every week or two from mid-November to mid-March. Before that, from early October, and after it, until late April, every three to four weeks is enough.",
  ]);
});
