/**
 * What a suburb's page knows that no other page says. Search engines may list a page that knows enough; one that
 * does not helps whoever comes, and points to its council's page.
 */

/** So many facts of its own make a page worth finding. */
export const FACTS_NEEDED = 3;

/** The census blurs small counts so that nobody is recognised: below this a figure says nothing. */
export const PEOPLE_WORTH_SAYING = 200;

/** From so many cases on a figure about requests is nobody's own. */
export const CASES_WORTH_SAYING = 5;

/** Neighbours farther off than this are no neighbours, in km. */
const NEIGHBOURHOOD_KM = 15;

type Neighbour = { distanceKm: number; population: number };

/** Whether the census' count of a place may be said. */
export function hasSize({ population }: { population: number }): boolean {
  return population >= PEOPLE_WORTH_SAYING;
}

/** From so many people on, a place that outnumbers its neighbours is their town. */
const TOWN_PEOPLE = 1000;

/** So far round a town people come to it, in km. */
const TOWN_REACH_KM = 30;

/** Whether a place outnumbers each of the places around it: their town. */
export function isTown(suburb: { population: number }, neighbours: readonly Neighbour[]): boolean {
  const around = neighbours.filter(({ distanceKm }) => distanceKm <= TOWN_REACH_KM);
  return suburb.population >= TOWN_PEOPLE && around.every(({ population }) => population < suburb.population);
}

/** So many of the nearest places are known for sure; those behind them stand in for places at the edge. */
const NEAREST_KNOWN = 8;

/**
 * Whether a town has no larger place within its reach for sure: the nearest places have to lie that far off, or one
 * that is not among them may be larger. A suburb of Sydney can outnumber its neighbours and have a city behind them.
 */
export function isLargestInReach(suburb: { population: number }, neighbours: readonly Neighbour[]): boolean {
  const last = neighbours[NEAREST_KNOWN - 1];
  return last !== undefined && last.distanceKm >= TOWN_REACH_KM && isTown(suburb, neighbours);
}

/**
 * How many facts the reference knows of a place: how many people live there; which places lie around it, near
 * enough to walk or drive to; how it compares with them; that it is the town of its surroundings.
 * @param neighbours the nearest places, with distances in km
 */
export function countReferenceFacts(
  suburb: { population: number },
  neighbours: readonly Neighbour[],
): number {
  const facts = [
    hasSize(suburb),
    neighbours.filter(({ distanceKm }) => distanceKm <= NEIGHBOURHOOD_KM).length >= 3,
    hasSize(suburb) && (neighbours.filter(hasSize).length >= 3 || isTown(suburb, neighbours)),
    isTown(suburb, neighbours),
  ];
  return facts.filter(Boolean).length;
}
