import { useState } from "react";

import { sydneyDay } from "../../contract/sydney-time.ts";
import { HOUSES } from "./houses.tsx";
import { type HouseKind, getHouse, type Season, getSeason } from "./street-style.ts";

const VANISH_X = 320;
const HORIZON_Y = 262;
const GROUND_Y = 360;
const STRIPE = 58;
/** The stripes extend far past the drawing, so that the lawn fills screens of any width. */
const STRIPES = Array.from({ length: 56 }, (_, index) => (index - 40) * STRIPE);

function far(x: number): number {
  return Math.round(VANISH_X + (x - VANISH_X) * 0.7);
}

/** Returns the path of one mown stripe, which narrows towards the house. */
function stripe(x: number): string {
  return `M${x} ${GROUND_Y}h${STRIPE}L${far(x + STRIPE)} ${HORIZON_Y}H${far(x)}z`;
}

const LIGHT_STRIPES = STRIPES.filter((_, index) => index % 2 === 0)
  .map(stripe)
  .join("");

/** Draws the street tree's leaves or flowers, and those on the ground. */
function Crown() {
  return (
    <>
      <path
        className="art-jacaranda"
        d="M20 190q-34-26-8-58-10-42 34-50 22-40 64-20 46-14 60 28 44 12 28 54 14 36-26 48-24 22-52 8-30 18-56 0-30 12-44-10z"
      />
      <path
        className="art-jacaranda-2"
        d="M52 110q14-24 42-18 26-20 48 4-24-6-44 10-22-10-46 4zM40 168q24-22 52-6 26-16 56 2 18-14 30-2-14 22-44 14-28 14-50-2-26 12-44-6z"
      />
      <path
        className="art-petals"
        d="M40 304h.1M62 316h.1M128 306h.1M146 322h.1M22 324h.1M108 330h.1M176 310h.1M76 338h.1M-10 312h.1"
      />
    </>
  );
}

/** Draws the street tree's bare branches. */
function Twigs() {
  return (
    <path
      className="art-twigs"
      d="M86 194q-8-40-46-66M62 152q-4-26 4-52M86 192q2-60 14-102M92 142q14-18 28-34M64 168q-22 4-42 16M129 202q14-20 22-62M144 168q16-12 36-18M138 184q-10-22-8-48"
    />
  );
}

/**
 * Shows a street like the visitor's own at this time of year. The region decides the house, and the month decides the
 * tree. In dark mode the lights are on.
 * @param region a region's slug; without one, a Sydney bungalow
 */
export function StreetScene({ region }: { region?: string }) {
  const [month] = useState(() => Number(sydneyDay(Date.now()).slice(5, 7)));
  const season = getSeason(month);
  return (
    <svg className={`scene scene--${season}`} viewBox="0 0 600 360" aria-hidden="true">
      <Street house={getHouse(region)} season={season} />
    </svg>
  );
}

/** Draws the street on a canvas of 600 by 360. Its lawn extends past both sides. */
export function Street({ house = "bungalow", season = "jacaranda" }: { house?: HouseKind; season?: Season }) {
  const { House, Fence } = HOUSES[house];
  return (
    <>
      <circle className="art-sun" cx="490" cy="44" r="38" />
      <path
        className="art-hill"
        d="M-2200 262v-30q600-60 1100-14t900-26q240-30 420 10t420-24q360-50 900 20v64z"
      />
      {/* Gum tree */}
      <path className="art-trunk" d="M540 264q-4-60 4-118l8 2q-4 60 2 116z" />
      <path
        className="art-gum"
        d="M500 132q-14-34 20-48 10-32 44-20 34 2 30 38 22 30-8 48-24 18-50 4-32 6-36-22z"
      />
      <House />
      <Fence />
      {/* Hedges */}
      <path
        className="art-hedge"
        d="M150 266v-14q0-14 14-14h112q14 0 14 14v14zM352 266v-14q0-14 14-14h134q14 0 14 14v14zM514 266v-6q0-10 10-10h1100v16z"
      />
      {/* Lawn, path */}
      <path className="art-grass-2" d="M-2200 262h4000v98h-4000z" />
      <path className="art-grass-1" d={LIGHT_STRIPES} />
      <path className="art-path" d="M306 262h30l22 98h-74z" />
      {/* Jacaranda and its fallen flowers */}
      <path
        className="art-trunk"
        d="M84 300q10-50-4-104l14-6q4 26 12 36 8-18 20-28l8 6q-22 34-20 94l10 6H74z"
      />
      {season === "bare" ? <Twigs /> : <Crown />}
      {/* Letterbox */}
      <path className="art-post" d="M396 304h6v40h-6z" />
      <path className="art-door" d="M382 286q17-14 34 0v20h-34z" />
      <path className="art-post" d="M388 292h22v3h-22z" />
      {/* Mower, halfway across */}
      <path className="art-handle" d="M486 272l-26 6M486 272l34 46" />
      <path className="art-mower" d="M508 316q4-12 18-12h24q12 0 14 12l4 14h-62z" />
      <path className="art-wheel" d="M526 300h18v8h-18z" />
      <circle className="art-wheel" cx="516" cy="332" r="9" />
      <circle className="art-wheel" cx="560" cy="332" r="9" />
    </>
  );
}
