/**
 * Writes what a suburb's page knows about its place: the census counts in `data/nsw-suburbs.csv`, and the climate of each
 * postcode in `data/postcode-climate.json`. Run it by hand, with a folder of the files that data/ATTRIBUTION.md names.
 * Then run `make-council-links.ts` and `make-suburb-migration.ts`.
 *
 * npx node scripts/make-local-data.ts <folder>
 */
import { readFileSync, writeFileSync } from "node:fs";

import { distanceKm } from "../contract/distance.ts";

const folder = process.argv[2];
if (!folder) throw new Error("Give the folder with the files.");
const source = (name: string) => `${folder}/${name}`;

const suburbsFile = new URL("../data/nsw-suburbs.csv", import.meta.url);

type Row = Record<string, string>;

function readCsv(file: string | URL): { header: string; rows: Row[] } {
  const [header = "", ...lines] = readFileSync(file, "utf8")
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/);
  const names = header.split(",");
  const rows = lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [names[i]!, cell])));
  return { header, rows };
}

const { header, rows: suburbs } = readCsv(suburbsFile);

/** Returns a council's letters without "council", "shire" and the like, so that both lists write it in one way. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\b(city|council|shire|of|nsw|region|regional)\b/g, "")
    .replaceAll(/[^a-z]/g, "");
}

/** Returns the number of people of each suburb in the census. Its name has a council only if places share it. */
function readCounts(): Map<Row, number> {
  const counts = new Map(
    readCsv(source("2021Census_G01_NSW_SAL.csv")).rows.map((row) => [
      row.SAL_CODE_2021!.replace("SAL", ""),
      Number(row.Tot_P_P),
    ]),
  );
  const localities = readCsv(source("SAL_2021_AUST.csv")).rows.map((row) => {
    const [, name, council = ""] = /^(.*?)(?: \((.*)\))?$/.exec(row.SAL_NAME_2021!)!;
    return { name: name!.toLowerCase(), council: plain(council), people: counts.get(row.SAL_CODE_2021!)! };
  });
  const byName = Map.groupBy(localities, ({ name }) => name);
  const suburbsByName = Map.groupBy(suburbs, ({ name }) => name!.toLowerCase());
  return new Map(
    [...suburbsByName].flatMap(([name, ours]) => {
      const left = [...(byName.get(name) ?? [])];
      const take = (matches: (place: (typeof left)[number]) => boolean) => {
        const at = left.findIndex(matches);
        return at < 0 ? undefined : left.splice(at, 1)[0]!.people;
      };
      const named = ours.map((suburb) => ({
        suburb,
        people: take(({ council }) => council === plain(suburb.council!)),
      }));
      // One suburb and one census locality are left: they are the same place, in a council by another name.
      const rest = named.filter(({ people }) => people === undefined);
      if (rest.length === 1 && left.length === 1) rest[0]!.people = take(() => true);
      return named.flatMap(({ suburb, people }): [Row, number][] =>
        people === undefined ? [] : [[suburb, people]],
      );
    }),
  );
}

/** Returns the climate zone of a postcode. The table lists the postcodes at which the zone changes. */
function readZones(): (postcode: number) => number {
  const text = readFileSync(source("table_A26_May25_BCA_climate_zone_by_postcode.yaml"), "utf8");
  const values = [...text.matchAll(/value: *(\d+)/g)].map(([, value]) => Number(value));
  const changes = values.flatMap((zone, i) => (i % 2 === 0 ? [{ zone, from: values[i + 1]! }] : []));
  return (postcode) => changes.findLast(({ from }) => from <= postcode)!.zone;
}

/** Reads a grid of Australia with a value each 0.05 degrees, by its south-west corner. */
function readGrid(name: string): (suburb: Row) => number {
  const lines = readFileSync(source(name), "utf8").trim().split(/\r?\n/);
  const head = new Map(lines.slice(0, 6).map((line) => line.toLowerCase().split(/\s+/) as [string, string]));
  const rows = lines.slice(6).map((line) => line.trim().split(/\s+/).map(Number));
  const size = Number(head.get("cellsize"));
  const corner = (side: "x" | "y") =>
    Number(head.get(`${side}llcorner`) ?? Number(head.get(`${side}llcenter`)) - size / 2);
  const north = corner("y") + rows.length * size;
  const west = corner("x");
  const sea = Number(head.get("nodata_value"));
  return ({ latitude, longitude }) => {
    const row = rows[Math.floor((north - Number(latitude)) / size)];
    const value = row?.[Math.floor((Number(longitude) - west) / size)];
    return value === undefined || (value === sea && sea !== 0) ? Number.NaN : value;
  };
}

const place = ({ latitude, longitude }: Row) => ({
  latitude: Number(latitude),
  longitude: Number(longitude),
});

/** A suburb's frosts may differ by this many nights from its postcode's mean. Above that it gets a line of its own. */
const MAX_FROST_DIFFERENCE = 10;
/** A suburb takes its temperatures from no farther postcode than this. */
const MAX_BORROWED_KM = 60;
/** Smaller places have the climate of their postcode. */
const MIN_POPULATION = 200;

/**
 * Returns a line for each postcode: its zone, frosts a year, summer maximum, winter minimum, and rain a year. A town
 * with more or fewer frosts than its postcode gets its own line, by its slug. It takes the temperatures of the nearest
 * postcode with similar frosts, or zeros without one.
 */
function climateLines(): string[] {
  const zoneOf = readZones();
  const frostsAt = readGrid("frostann.txt");
  const rainAt = readGrid("rainan.txt");
  const known = new Map(
    readCsv(source("climate_by_postcode.csv")).rows.map(({ post_code, ...values }) => [
      post_code!,
      {
        frosts: Number(values.frostann),
        summer: values.maxsum!,
        winter: values.minwin!,
        rain: values.rainan!,
      },
    ]),
  );
  const withClimate = suburbs.filter(({ postcode }) => known.has(postcode!));
  const nearest = (to: Row) =>
    withClimate
      .map((suburb) => ({ ...known.get(suburb.postcode!)!, km: distanceKm(place(to), place(suburb)) }))
      .toSorted((a, b) => a.km - b.km);
  const line = (key: string, postcode: string, frosts: number, rest: string[]) => {
    const [summer, winter, rain] = rest.map(Number);
    const numbers = [
      zoneOf(Number(postcode)),
      Math.round(frosts),
      summer,
      winter,
      Math.round(rain! / 10) * 10,
    ];
    return `"${key}": [${numbers.map((number) => Number(number!.toFixed(1))).join(", ")}]`;
  };
  const postcodes = [...new Set(suburbs.map(({ postcode }) => postcode!))].toSorted();
  const ofPostcodes = postcodes.map((postcode) => {
    // A postcode younger than the table has the climate of the nearest suburb.
    const { frosts, summer, winter, rain } =
      known.get(postcode) ?? nearest(suburbs.find((suburb) => suburb.postcode === postcode)!)[0]!;
    return line(postcode, postcode, frosts, [summer, winter, rain]);
  });
  const ofTowns = suburbs.flatMap((suburb) => {
    const own = known.get(suburb.postcode!);
    const frosts = frostsAt(suburb);
    const rain = rainAt(suburb);
    const fits = (mean: number) => Math.abs(mean - frosts) <= MAX_FROST_DIFFERENCE;
    if (!own || Number.isNaN(rain) || Number(suburb.population) < MIN_POPULATION || fits(own.frosts))
      return [];
    const like = nearest(suburb).find(({ km, frosts: mean }) => km <= MAX_BORROWED_KM && fits(mean));
    const temperatures = like ? [like.summer, like.winter] : ["0", "0"];
    return line(suburb.slug!, suburb.postcode!, frosts, [...temperatures, String(rain)]);
  });
  return [...ofPostcodes, ...ofTowns];
}

const counts = readCounts();
const lines = suburbs.map((suburb) => {
  const people = counts.get(suburb);
  if (people === undefined) console.log(`No count for ${suburb.name} in ${suburb.council}`);
  return Object.values({ ...suburb, population: String(people ?? 0) }).join(",");
});
// The file's lines end as the state's own export does.
writeFileSync(suburbsFile, `${[header, ...lines].join("\r\n")}\r\n`);
const climate = climateLines();
writeFileSync(new URL("../data/postcode-climate.json", import.meta.url), `{\n${climate.join(",\n")}\n}\n`);

console.log(`${counts.size} of ${suburbs.length} suburbs counted, ${climate.length} climates`);
