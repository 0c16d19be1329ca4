import type { PageServiceId } from "../../contract/catalogue.ts";

/** A shape on a canvas of 240 by 110, above the lawn: a colour class and a path. */
type Shape = readonly [look: string, path: string];

const MOWER: Shape[] = [
  ["handle", "M62 40l40 42"],
  ["mower", "M92 80q4-12 16-12h36q12 0 14 12l4 14H90z"],
  [
    "wheel",
    "M112 62h22v8h-22zM92 98a10 10 0 1 0 20 0 10 10 0 1 0-20 0M140 98a10 10 0 1 0 20 0 10 10 0 1 0-20 0",
  ],
  ["grass-1", "M164 110v-14l4 8 4-14 4 14 5-12 4 12 5-16 4 16 5-12 4 12 5-14 4 14 5-10 4 10 5-12v22z"],
];
const BED: Shape[] = [
  ["trunk", "M20 110q4-20 26-20h148q22 0 26 20zM150 20h6v64h-6zM142 84h22l-4 20h-14z"],
  ["hedge", "M36 92q-6-26 16-26 4-16 20-8 20-2 18 18 12 4 6 16z"],
  ["jacaranda", "M104 92V72h-6a9 9 0 1 1 6-14 9 9 0 1 1 12 4 9 9 0 1 1-8 12v18z"],
  ["sun", "M188 92V78a11 11 0 1 1 5 0v14z"],
];
const YARD: Shape[] = [
  ["fence", "M0 50h240v5H0zM0 84h240v5H0z"],
  ["pickets", "M0 74H118"],
  ["grass-1", "M120 110l-4-44 12 30 2-52 12 48 8-60 8 58 12-46 4 48 14-56 4 58 12-40 6 40 18-46v62z"],
  ["wheel", "M60 106a9 9 0 1 0 18 0 9 9 0 1 0-18 0"],
  ["mower", "M28 74h62l-12 28H46z"],
  ["handle", "M90 76l30-10M34 78l-16 26"],
];
const WASTE: Shape[] = [
  ["hedge", "M30 66q-4-22 16-22 6-20 26-12 16-16 32 0 24-6 26 16 12 6 6 18z"],
  ["trunk", "M50 46L38 14l5-2 14 34zM92 40l14-30 5 2-12 32z"],
  ["tin", "M20 64h124v34H20z"],
  ["mower", "M148 98V50h34q8 0 12 10l8 16q14 0 14 10v12z"],
  ["window", "M158 58h22q4 0 6 6l4 12h-32z"],
  ["wheel", "M42 98a13 13 0 1 0 26 0 13 13 0 1 0-26 0M166 98a13 13 0 1 0 26 0 13 13 0 1 0-26 0"],
];
const WASHER: Shape[] = [
  ["path", "M0 92h240v24H0z"],
  ["tin", "M118 92h122v24H136z"],
  ["hill", "M96 66l40 26h-26zM96 66l10 26H88z"],
  ["handle", "M40 40l58 26M40 40q-34 20-8 48"],
  ["mower", "M18 68h34v32H18z"],
  ["wheel", "M14 102a8 8 0 1 0 16 0 8 8 0 1 0-16 0M42 102a8 8 0 1 0 16 0 8 8 0 1 0-16 0"],
];
const HEDGE: Shape[] = [
  ["hedge", "M16 110V54q0-10 10-10h96v66z"],
  ["gum", "M122 110V32q10-14 22-4 8-16 24-4 14-12 26 2 16-4 18 10 14 6 10 20v54z"],
  ["wheel", "M78 36h76v5H78z"],
  ["mower", "M52 28h28v18H52q-6-9 0-18z"],
  ["handle", "M52 37q-22 0-22-16 0-10 18-10"],
];

const DRAWINGS: Record<PageServiceId, Shape[]> = {
  lawn_mowing: MOWER,
  garden_cleanup: BED,
  yard_cleanup: YARD,
  green_waste_removal: WASTE,
  pressure_washing: WASHER,
  hedge_trimming: HEDGE,
};

/** Draws a service in the colours of the street. Light and dark follow the theme. */
export function ServiceDrawing({ service }: { service: PageServiceId }) {
  return (
    <svg className="service-drawing" viewBox="0 0 240 124" aria-hidden="true">
      {DRAWINGS[service].map(([look, path]) => (
        <path key={look + path} className={`art-${look}`} d={path} />
      ))}
      <path className="art-grass-2" d="M0 108h240v16H0z" />
    </svg>
  );
}
