/** Computes each suburb's neighbours from the full CSV. A page reads them from its suburb's row. */
import { distanceKm } from "../contract/distance.ts";
import { countReferenceFacts } from "../contract/suburb-facts.ts";

/** Number of nearest suburbs on a page. */
const NEAREST = 8;

/** Minimum inbound links per page. A remote suburb is added to its own neighbours' lists. */
const MIN_INLINKS = 3;

type Place = { slug: string; latitude: number; longitude: number; population: number };

/** Parses a CSV with a header. Cells must not contain commas. */
function readPlaces(csv: string): Place[] {
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  const names = header.split(",");
  const column = (name: string) => names.indexOf(name);
  return lines.map((line) => {
    const cells = line.split(",");
    return {
      slug: cells[column("slug")]!,
      latitude: Number(cells[column("latitude")]),
      longitude: Number(cells[column("longitude")]),
      population: Number(cells[column("population")]),
    };
  });
}

/** Computed values of a suburb: its neighbours' slugs, nearest first, and how many facts we have about it. */
export type Neighbourhood = { near: string[]; facts: number };

/** A place with its distance from another. */
type MeasuredPlace = Place & { distanceKm: number };

/** Candidates per suburb. More than a page shows, so that remote suburbs can get inbound links. */
const CANDIDATES = 24;

/** Returns the nearest places, nearest first. Widens a square until it is certain to contain enough of them. */
function nearestTo(place: Place, places: readonly Place[]): MeasuredPlace[] {
  for (let degrees = 0.1; ; degrees *= 2) {
    const neighbours = places.filter(
      (other) =>
        other !== place &&
        Math.abs(other.latitude - place.latitude) <= degrees &&
        Math.abs(other.longitude - place.longitude) <= degrees,
    );
    const measured = neighbours
      .map((other) => ({ ...other, distanceKm: distanceKm(place, other) }))
      .toSorted((a, b) => a.distanceKm - b.distanceKm);
    // In New South Wales a degree of longitude is at least 85 km.
    const sure = measured.filter((other) => other.distanceKm <= degrees * 85);
    if (sure.length >= CANDIDATES) return sure.slice(0, CANDIDATES);
    if (neighbours.length === places.length - 1) return measured.slice(0, CANDIDATES);
  }
}

/**
 * Computes the surroundings of every suburb in the full CSV, by slug.
 *
 * @param csv the content of `data/nsw-suburbs.csv`
 */
export function computeNeighbourhoods(csv: string): Map<string, Neighbourhood> {
  const places = readPlaces(csv);
  const neighbours = new Map(places.map((place) => [place.slug, nearestTo(place, places)]));
  const shown = new Map([...neighbours].map(([slug, all]) => [slug, all.slice(0, NEAREST)]));
  const named = new Map(places.map(({ slug }) => [slug, 0]));
  for (const all of shown.values()) for (const { slug } of all) named.set(slug, named.get(slug)! + 1);
  for (const place of places)
    for (const host of neighbours.get(place.slug)!) {
      if (named.get(place.slug)! >= MIN_INLINKS) break;
      const own = shown.get(host.slug)!;
      if (own.some((other) => other.slug === place.slug)) continue;
      own.push({ ...place, distanceKm: host.distanceKm });
      named.set(place.slug, named.get(place.slug)! + 1);
    }
  return new Map(
    places.map((place) => {
      const around = shown.get(place.slug)!;
      const facts = countReferenceFacts(place, around);
      return [place.slug, { near: around.map(({ slug }) => slug), facts }];
    }),
  );
}
