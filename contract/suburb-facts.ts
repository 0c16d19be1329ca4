/**
 * Facts that only a suburb's own page shows. Search engines may index a page with enough facts. Any other page still
 * helps visitors, and links to its council's page.
 */

/** Minimum facts for a page to be indexed. */
export const FACTS_NEEDED = 3;

/** Minimum population to show. The census randomises small counts to protect privacy. */
export const MIN_POPULATION_SHOWN = 200;

/** Maximum distance to a neighbour, in km. */
const NEIGHBOURHOOD_KM = 15;

type Neighbour = { distanceKm: number; population: number };

/** Returns whether a place's census count is large enough to show. */
export function hasReliablePopulation({ population }: { population: number }): boolean {
  return population >= MIN_POPULATION_SHOWN;
}

/** Minimum population of a town. */
const TOWN_PEOPLE = 1000;

/** Radius that a town serves, in km. */
const TOWN_RADIUS_KM = 30;

/** Returns whether a place is the local town: it has more people than each place around it. */
export function isTown(suburb: { population: number }, neighbours: readonly Neighbour[]): boolean {
  const around = neighbours.filter(({ distanceKm }) => distanceKm <= TOWN_RADIUS_KM);
  return suburb.population >= TOWN_PEOPLE && around.every(({ population }) => population < suburb.population);
}

/** This many neighbours are certainly the nearest. Later ones are substitutes for suburbs at the state border. */
const CERTAIN_NEIGHBOUR_COUNT = 8;

/**
 * Returns whether a town is certainly the largest place within its reach. The known neighbours must extend that far, or
 * an unknown place may be larger.
 */
export function isLargestInRadius(suburb: { population: number }, neighbours: readonly Neighbour[]): boolean {
  const last = neighbours[CERTAIN_NEIGHBOUR_COUNT - 1];
  return last !== undefined && last.distanceKm >= TOWN_RADIUS_KM && isTown(suburb, neighbours);
}

/** A place is a neighbour up to this many times the distance of the nearest one, within these limits in km. */
const NEIGHBOUR_TIMES = 3;
const NEIGHBOUR_KM = { least: 8, most: 45 } as const;
/** This many of the nearest places count up to the greatest distance. */
const EXEMPT_NEIGHBOURS = 3;

/**
 * Returns the places that residents would call neighbours. The limit depends on the settlement: in a city the nearest
 * place is a kilometre away, in the far west forty. A remote place may have none.
 * @param nearby the nearest places, nearest first
 */
export function findNeighbours<Place extends { distanceKm: number }>(nearby: readonly Place[]): Place[] {
  const { least, most } = NEIGHBOUR_KM;
  const limit = Math.min(most, Math.max(least, NEIGHBOUR_TIMES * (nearby[0]?.distanceKm ?? 0)));
  return nearby.filter(({ distanceKm }, i) => distanceKm <= (i < EXEMPT_NEIGHBOURS ? most : limit));
}

/**
 * Counts the facts about a place: its population, the places near enough to walk or drive to, how it compares with
 * them, and whether it is their town.
 * @param neighbours the nearest places, with distances in km
 */
export function countReferenceFacts(
  suburb: { population: number },
  neighbours: readonly Neighbour[],
): number {
  const facts = [
    hasReliablePopulation(suburb),
    neighbours.filter(({ distanceKm }) => distanceKm <= NEIGHBOURHOOD_KM).length >= 3,
    hasReliablePopulation(suburb) &&
      (neighbours.filter(hasReliablePopulation).length >= 3 || isTown(suburb, neighbours)),
    isTown(suburb, neighbours),
  ];
  return facts.filter(Boolean).length;
}
