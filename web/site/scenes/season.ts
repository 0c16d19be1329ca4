/** The look of the street tree in a month: an id in the drawings, or their own look in spring, when jacarandas flower. */
export type Season = "green" | "autumn" | "bare" | "wattle" | "jacaranda";

/** January first. Jacarandas flower in October and November, wattles in August and September. */
const SEASONS: readonly Season[] = [
  "green",
  "green",
  "green",
  "autumn",
  "autumn",
  "bare",
  "bare",
  "wattle",
  "wattle",
  "jacaranda",
  "jacaranda",
  "green",
];

/**
 * Returns a month's look.
 * @param month from 1 to 12
 */
export function getSeason(month: number): Season {
  return SEASONS[month - 1] ?? "green";
}
