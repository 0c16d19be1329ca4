/** Works out from a whole list of suburbs which councils lie near each, and which of its places search engines list. */
import { distanceKm } from "../contract/distance.ts";
import { FACTS_NEEDED } from "../contract/suburb-facts.ts";
import { surroundings } from "./neighbours.ts";

/** So many of the nearest councils stand on a council's page, and those that have it among their own. */
const NEAREST = 4;

/** A council as its page and its places' pages need it; places are pairs of slug and name, the largest first. */
export type CouncilLinks = { near: string[]; places: [slug: string, name: string][] };

type Row = { slug: string; name: string; council: string } & Record<
  "latitude" | "longitude" | "population",
  number
>;

/** The rows of a list with a header; cells hold no commas. */
function readRows(csv: string): Row[] {
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  const names = header.split(",");
  return lines.map((line) => {
    const cell = (name: string) => line.split(",")[names.indexOf(name)]!;
    return {
      slug: cell("slug"),
      name: cell("name"),
      council: cell("council"),
      latitude: Number(cell("latitude")),
      longitude: Number(cell("longitude")),
      population: Number(cell("population")),
    };
  });
}

/** Where a council's people live, taken together. */
function middleOf(rows: readonly Row[]) {
  // Nobody lives in some localities; they still lie somewhere.
  const weights = rows.map(({ population }) => population + 1);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (at: (row: Row) => number) =>
    rows.reduce((sum, row, i) => sum + at(row) * weights[i]!, 0) / all;
  return { latitude: mean((row) => row.latitude), longitude: mean((row) => row.longitude) };
}

/**
 * Every council that has a place search engines may list, by name. What is near is near both ways: whoever names a
 * council is named by it, so that each is named by as many as it needs.
 * @param csv as `data/nsw-suburbs.csv`
 */
export function councilLinks(csv: string): Record<string, CouncilLinks> {
  const around = surroundings(csv);
  const byCouncil = Map.groupBy(readRows(csv), ({ council }) => council);
  const councils = [...byCouncil]
    .map(([name, rows]) => ({
      name,
      middle: middleOf(rows),
      places: rows
        .filter(({ slug }) => around.get(slug)!.facts >= FACTS_NEEDED)
        .toSorted((a, b) => b.population - a.population || a.slug.localeCompare(b.slug))
        .map(({ slug, name: place }): [string, string] => [slug, place]),
    }))
    .filter(({ places }) => places.length > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const near = new Map(councils.map(({ name }) => [name, new Set<string>()]));
  for (const { name, middle } of councils) {
    const nearest = councils
      .filter((other) => other.name !== name)
      .toSorted((a, b) => distanceKm(middle, a.middle) - distanceKm(middle, b.middle));
    for (const other of nearest.slice(0, NEAREST)) {
      near.get(name)!.add(other.name);
      near.get(other.name)!.add(name);
    }
  }
  return Object.fromEntries(
    councils.map(({ name, places }) => [name, { near: [...near.get(name)!].toSorted(), places }]),
  );
}
