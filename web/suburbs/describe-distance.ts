import { bearing, distanceKm } from "../../contract/distance.ts";
import { formatDirection } from "./format-direction.ts";

type Place = { name: string; latitude: number; longitude: number };
type Point = Omit<Place, "name">;

const CITIES: readonly Place[] = [
  { name: "Sydney", latitude: -33.8688, longitude: 151.2093 },
  { name: "Newcastle", latitude: -32.9283, longitude: 151.7817 },
  { name: "Wollongong", latitude: -34.4278, longitude: 150.8931 },
];

/** The main towns far from these cities, as data/nsw-suburbs.csv has them. */
export const TOWNS: readonly Place[] = [
  { name: "Albury", latitude: -36.07375, longitude: 146.91347 },
  { name: "Armidale", latitude: -30.5012, longitude: 151.6655 },
  { name: "Bega", latitude: -36.6739, longitude: 149.8418 },
  { name: "Broken Hill", latitude: -31.9652, longitude: 141.4512 },
  { name: "Cobar", latitude: -31.4967, longitude: 145.8344 },
  { name: "Coffs Harbour", latitude: -30.2963, longitude: 153.1135 },
  { name: "Cooma", latitude: -36.2352, longitude: 149.1241 },
  { name: "Deniliquin", latitude: -35.5324, longitude: 144.9536 },
  { name: "Dubbo", latitude: -32.243, longitude: 148.6048 },
  { name: "Goulburn", latitude: -34.7515, longitude: 149.7209 },
  { name: "Grafton", latitude: -29.681, longitude: 152.9339 },
  { name: "Griffith", latitude: -34.2885, longitude: 146.0509 },
  { name: "Inverell", latitude: -29.774, longitude: 151.1117 },
  { name: "Lismore", latitude: -28.80909, longitude: 153.28748 },
  { name: "Moree", latitude: -29.4628, longitude: 149.8416 },
  { name: "Orange", latitude: -33.284, longitude: 149.1002 },
  { name: "Port Macquarie", latitude: -31.4308, longitude: 152.9089 },
  { name: "Queanbeyan", latitude: -35.35286, longitude: 149.23096 },
  { name: "Tamworth", latitude: -31.09267, longitude: 150.93198 },
  { name: "Tweed Heads", latitude: -28.17849, longitude: 153.53542 },
  { name: "Wagga Wagga", latitude: -35.10821, longitude: 147.35985 },
];

/** Distances beyond these do not help to find a place. In the outback, the next main town is far. */
const MAX_CITY_KM = 150;
const MAX_TOWN_KM = 300;

/** Returns the two nearest places within reach, without the suburb itself. */
function findNear(places: readonly Place[], suburb: Point, maxKm: number) {
  return places
    .map((place) => ({ ...place, km: distanceKm(place, suburb) }))
    .filter(({ km }) => km >= 1 && km <= maxKm)
    .toSorted((a, b) => a.km - b.km)
    .slice(0, 2);
}

/**
 * Returns how far a suburb is from the nearest of the three largest cities, or else from the nearest main towns, two
 * at most, as the crow flies: "507 km" helps no one, so the most remote places get null.
 */
export function describeDistance(suburb: Point): string | null {
  const cities = findNear(CITIES, suburb, MAX_CITY_KM);
  const near = cities.length > 0 ? cities : findNear(TOWNS, suburb, MAX_TOWN_KM);
  const texts = near.map(
    (place) =>
      `${place.km < 20 ? place.km.toFixed(1) : Math.round(place.km)}\u00A0km ${formatDirection(bearing(place, suburb))} of ${place.name}`,
  );
  return texts.length > 0 ? texts.join(" and ") : null;
}
