import type { Region } from "../../contract/regions.ts";
import type { SceneName } from "../site/scenes/scene.tsx";
import { findClimate } from "./local-climate.ts";

/** Regions within Greater Sydney: its old suburbs, the ring around them, and its edge, where estates grow. */
const RINGS: Partial<Record<Region, "inner" | "middle" | "outer">> = {
  "inner-west": "inner",
  "sydney-city-and-east": "inner",
  parramatta: "middle",
  "canterbury-bankstown-and-st-george": "middle",
  "north-shore-and-ryde": "middle",
  blacktown: "outer",
  "hills-and-hawkesbury": "outer",
  "liverpool-and-fairfield": "outer",
  macarthur: "outer",
  "penrith-and-blue-mountains": "outer",
};

/** People in a suburb from which its streets have flats, or at the edge of Sydney, estates. */
const FLATS_PEOPLE = 15_000;
const ESTATE_PEOPLE = 5_000;
/** Mean minimum in winter, in °C, below which snow lies nearby. */
const SNOW_WINTER_MIN = -1.5;
/** Nights a year with 2 °C or less, from which frost is part of the picture in zone 6. Zone 7 always has it. */
const FROSTY_NIGHTS = 45;
/** Difference in °C between a summer's day and a winter's night. The sea keeps it small. */
const COAST_RANGE = 19.5;
/** Rain in mm a year, below which zone 4 is red earth instead of paddocks. */
const DRY_MM = 400;

/** Returns a suburb's scene, by its climate, its part of Sydney and its population. */
export function chooseScene(suburb: {
  slug: string;
  postcode: string;
  region: string;
  population: number;
}): SceneName {
  const climate = findClimate(suburb);
  if (!climate) return "suburb";
  const { zone, frosts, rainMm, temperatures } = climate;
  const ring = RINGS[suburb.region as Region];
  if (temperatures && temperatures.winterMin < SNOW_WINTER_MIN) return "snow-country";
  if (zone >= 7 || (zone === 6 && frosts >= FROSTY_NIGHTS)) return "tablelands";
  if (ring === "outer") return suburb.population >= ESTATE_PEOPLE ? "estate" : "suburb";
  if (ring && suburb.population >= FLATS_PEOPLE) return "strata";
  if (ring) return ring === "inner" ? "terraces" : "suburb";
  if (zone === 4) return rainMm < DRY_MM ? "far-west" : "plains";
  const range = temperatures ? temperatures.summerMax - temperatures.winterMin : Infinity;
  return range < COAST_RANGE ? "coast" : "suburb";
}
