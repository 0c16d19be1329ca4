/** The look of the street tree in a month. */
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

/** The street tree's leaves or flowers, dark and light. Bare in winter. */
export const TREES: Record<Season, readonly [dark: string, light: string] | null> = {
  green: ["#5c9a55", "#7db56d"],
  autumn: ["#cf7a30", "#e5a24c"],
  bare: null,
  wattle: ["#dca927", "#f2cb52"],
  jacaranda: ["#8a79cc", "#ab9ee2"],
};
