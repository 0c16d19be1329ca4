import { distanceKm } from "../../contract/distance.ts";
import { formatCount } from "../lib/format-count.ts";

type Point = { latitude: number; longitude: number };

/**
 * How far a lead is from the business, as the crow flies, from one suburb's centre to the other's.
 * @returns null when one of the two is not known
 */
export function formatDistance(
  home: Point | null,
  lead: { latitude: number | null; longitude: number | null },
): string | null {
  const { latitude, longitude } = lead;
  if (!home || latitude === null || longitude === null) return null;
  const km = Math.round(distanceKm(home, { latitude, longitude }));
  // In one and the same suburb it may still be a kilometre or two.
  return km === 0 ? "Near you" : `${formatCount(km)} km`;
}
