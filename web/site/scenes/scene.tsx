import { useState } from "react";

import { sydneyDay } from "../../../contract/sydney-time.ts";
import { Coast, SnowCountry, Tablelands } from "./country.tsx";
import { FarWest, Plains } from "./inland.tsx";
import { LostMower, OnTheWay } from "./messages.tsx";
import { getSeason, type Season, TREES } from "./season.ts";
import {
  GardenCleanup,
  GreenWaste,
  HedgeTrimming,
  LawnMowing,
  PressureWashing,
  YardCleanup,
} from "./services.tsx";
import { Estate, Strata, Suburb, Terraces } from "./town.tsx";

const HOMESTEAD_LIGHTS = "M316 342h50v46h-50zM468 342h50v46h-50z";

export type SceneName = keyof typeof SCENES;

/** Nine places, our six services by their IDs, and two messages. `lights` are the windows, lit in dark mode. */
const SCENES = {
  suburb: { Picture: Suburb, lights: "M402 324h58v54h-58zM174 356h38v28h-38z" },
  terraces: {
    Picture: Terraces,
    lights: [0, 1, 2, 3]
      .map(
        (i) => `M${i * 132 + 8} 304h26v54h-26zM${i * 132 + 74} 304h26v54h-26zM${i * 132 + 8} 390h46v36h-46z`,
      )
      .join(""),
  },
  coast: { Picture: Coast, lights: "M330 320h70v58h-70zM500 336h48v46h-48zM572 336h32v46h-32z" },
  tablelands: {
    Picture: Tablelands,
    lights: "M264 344h29v40h-29zM297 344h29v40h-29zM448 344h29v40h-29zM481 344h29v40h-29z",
  },
  plains: { Picture: Plains, lights: HOMESTEAD_LIGHTS },
  "far-west": { Picture: FarWest, lights: HOMESTEAD_LIGHTS },
  strata: {
    Picture: Strata,
    lights: "M202 224h54v24h-54zM426 290h54v24h-54zM202 356h54v24h-54zM318 224h46v36h-46zM318 286h46v36h-46z",
  },
  estate: { Picture: Estate, lights: "M270 272h66v44h-66zM202 296h28v20h-28zM20 316h40v26h-40z" },
  "snow-country": {
    Picture: SnowCountry,
    lights: "M258 324h42v42h-42zM360 324h42v42h-42zM312 252h36v32h-36z",
  },
  lawn_mowing: { Picture: LawnMowing, lights: "" },
  garden_cleanup: { Picture: GardenCleanup, lights: "" },
  yard_cleanup: { Picture: YardCleanup, lights: "" },
  green_waste_removal: { Picture: GreenWaste, lights: "" },
  pressure_washing: { Picture: PressureWashing, lights: "M258 290h45v64h-45zM307 290h45v64h-45z" },
  hedge_trimming: { Picture: HedgeTrimming, lights: "" },
  "on-the-way": { Picture: OnTheWay, lights: "M63 365h26v20H63zM135 365h26v20h-26z" },
  "not-found": { Picture: LostMower, lights: "" },
} as const;

export const SCENE_NAMES = Object.keys(SCENES) as SceneName[];

/**
 * Shows a drawn scene. It fills its box from the bottom up, so a wide box shows less sky. In dark mode it is dusk and the
 * windows are lit. The month in Sydney decides the leaves of a street tree.
 */
export function Scene({ name }: { name: SceneName }) {
  const [month] = useState(() => Number(sydneyDay(Date.now()).slice(5, 7)));
  return (
    <svg className="scene" viewBox="0 0 640 560" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <Drawing name={name} season={getSeason(month)} />
    </svg>
  );
}

/** Draws a scene on a canvas of 640 by 560. */
export function Drawing({ name, season }: { name: SceneName; season: Season }) {
  const { Picture, lights } = SCENES[name];
  return (
    <>
      <Picture tree={TREES[season]} />
      <path className="scene__dusk" fill="none" d="M0 0h640v560H0z" />
      <path className="scene__light" fill="#4d6f7d" d={lights} />
    </>
  );
}
