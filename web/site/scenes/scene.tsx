import { useState } from "react";

import { PAGE_SERVICES } from "../../../contract/catalogue.ts";
import { sydneyDay } from "../../../contract/sydney-time.ts";
import { getSeason } from "./season.ts";

/** Nine places, the services with a page by their IDs, and two messages. Each one is an SVG file in this folder. */
export const SCENE_NAMES = [
  "suburb",
  "terraces",
  "coast",
  "tablelands",
  "plains",
  "far-west",
  "strata",
  "estate",
  "snow-country",
  ...PAGE_SERVICES,
  "on-the-way",
  "not-found",
] as const;

export type SceneName = (typeof SCENE_NAMES)[number];

/** The address of each file. */
const FILES = import.meta.glob<string>("./*.svg", { eager: true, query: "?url", import: "default" });

/**
 * Shows a drawn scene. It fills its box from the bottom up, so a wide box shows less sky. In dark mode it is dusk and the
 * windows are lit. The month in Sydney decides the leaves of a street tree.
 * @param isLate whether the style sheet hides the scene on a phone, which then does not load it
 */
export function Scene({ name, isLate = false }: { name: SceneName; isLate?: boolean }) {
  const [month] = useState(() => Number(sydneyDay(Date.now()).slice(5, 7)));
  return (
    <img
      className="scene"
      src={`${FILES[`./${name}.svg`]}#${getSeason(month)}`}
      width="640"
      height="560"
      alt=""
      loading={isLate ? "lazy" : undefined}
    />
  );
}
