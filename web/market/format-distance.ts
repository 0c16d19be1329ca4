import { distanceKm } from "../../contract/distance.ts";
import { formatCount } from "../lib/format-count.ts";

type Point = { latitude: number; longitude: number };

/**
 * Formats the straight-line distance between the centres of the lead's and the business's suburbs.
 * @returns null if either location is unknown
 */
export function formatDistance(
  home: Point | null,
  lead: { latitude: number | null; longitude: number | null },
): string | null {
  const { latitude, longitude } = lead;
  if (!home || latitude === null || longitude === null) return null;
  const km = Math.round(distanceKm(home, { latitude, longitude }));
  // The distance within one suburb can still be a kilometre or two.
  return km === 0 ? "Near you" : `${formatCount(km)} km`;
}
