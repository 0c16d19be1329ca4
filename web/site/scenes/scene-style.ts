import type { Region } from "../../../contract/regions.ts";
import type { SceneName } from "./scene.tsx";

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

/** A region's typical street. */
const SCENE_OF_REGION: Record<Region, SceneName> = {
  blacktown: "estate",
  "canterbury-bankstown-and-st-george": "suburb",
  "capital-region-and-south-coast": "tablelands",
  "central-and-far-west": "far-west",
  "central-coast": "coast",
  "hills-and-hawkesbury": "estate",
  "illawarra-and-shoalhaven": "coast",
  "inner-west": "terraces",
  "liverpool-and-fairfield": "estate",
  macarthur: "estate",
  "new-england-and-north-west": "tablelands",
  "newcastle-and-hunter": "coast",
  "north-coast": "coast",
  "north-shore-and-ryde": "suburb",
  "northern-beaches": "coast",
  parramatta: "strata",
  "penrith-and-blue-mountains": "suburb",
  "riverina-and-murray": "far-west",
  "sutherland-shire": "suburb",
  "sydney-city-and-east": "terraces",
  nsw: "suburb",
};

/** Returns a suburb's scene. */
export function chooseScene({ region }: { region: string }): SceneName {
  return SCENE_OF_REGION[region as Region] ?? "suburb";
}
