/** Computes from the full CSV each council's nearest councils and its suburbs that search engines may index. */
import { distanceKm } from "../contract/distance.ts";
import { FACTS_NEEDED } from "../contract/suburb-facts.ts";
import { computeNeighbourhoods } from "./neighbours.ts";

/** Number of nearest councils on a council's page. The page also shows councils that link to it. */
const NEAREST = 4;

/**
 * Links for a council's page and its suburbs' pages. Each place is a slug and a name, largest population
 * first.
 */
type CouncilLinks = { near: string[]; places: [slug: string, name: string][] };

type Row = { slug: string; name: string; council: string } & Record<
  "latitude" | "longitude" | "population",
  number
>;

/** Parses a CSV with a header. Cells must not contain commas. */
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

/** Returns a council's population-weighted centre. */
function middleOf(rows: readonly Row[]) {
  // Some suburbs have no residents but still need a weight.
  const weights = rows.map(({ population }) => population + 1);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (at: (row: Row) => number) =>
    rows.reduce((sum, row, i) => sum + at(row) * weights[i]!, 0) / all;
  return { latitude: mean((row) => row.latitude), longitude: mean((row) => row.longitude) };
}

/**
 * Returns links for every council with an indexable suburb, by council name. Links are mutual, so that every
 * council gets enough inbound links.
 *
 * @param csv the content of `data/nsw-suburbs.csv`
 */
export function councilLinks(csv: string): Record<string, CouncilLinks> {
  const around = computeNeighbourhoods(csv);
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
  const neighbours = new Map(councils.map(({ name }) => [name, new Set<string>()]));
  for (const { name, middle } of councils) {
    const nearest = councils
      .filter((other) => other.name !== name)
      .toSorted((a, b) => distanceKm(middle, a.middle) - distanceKm(middle, b.middle));
    for (const other of nearest.slice(0, NEAREST)) {
      neighbours.get(name)!.add(other.name);
      neighbours.get(other.name)!.add(name);
    }
  }
  return Object.fromEntries(
    councils.map(({ name, places }) => [name, { near: [...neighbours.get(name)!].toSorted(), places }]),
  );
}
