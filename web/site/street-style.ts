import type { Region } from "../../contract/regions.ts";

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

export type HouseKind = "bungalow" | "terrace" | "weatherboard" | "brick" | "farm";

/** A region's typical house. */
const HOUSE_OF_REGION: Record<Region, HouseKind> = {
  blacktown: "brick",
  "canterbury-bankstown-and-st-george": "brick",
  "capital-region-and-south-coast": "farm",
  "central-and-far-west": "farm",
  "central-coast": "weatherboard",
  "hills-and-hawkesbury": "brick",
  "illawarra-and-shoalhaven": "weatherboard",
  "inner-west": "terrace",
  "liverpool-and-fairfield": "brick",
  macarthur: "brick",
  "new-england-and-north-west": "farm",
  "newcastle-and-hunter": "weatherboard",
  "north-coast": "weatherboard",
  "north-shore-and-ryde": "bungalow",
  "northern-beaches": "weatherboard",
  parramatta: "brick",
  "penrith-and-blue-mountains": "bungalow",
  "riverina-and-murray": "farm",
  "sutherland-shire": "brick",
  "sydney-city-and-east": "terrace",
  nsw: "bungalow",
};

/** Returns a region's house, or the bungalow of state-wide pages when the region is unknown. */
export function getHouse(region?: string): HouseKind {
  return HOUSE_OF_REGION[region as Region] ?? "bungalow";
}
