import type { ComponentType } from "react";

import type { HouseKind } from "./street-style.ts";

/*
 * Houses for the street drawing, on a canvas of 600 by 360. Each stands at y 264, between x 166 and 484. Its door meets
 * the path at x 303 to 339. Hedges cover its base on both sides.
 */

/** Draws a Federation bungalow with a tin verandah. */
function Bungalow() {
  return (
    <>
      <path className="art-roof" d="M186 156l62-68h164l62 68z" />
      <path className="art-roof-2" d="M352 156l46-54 46 54zM286 88v-24h20v24z" />
      <path className="art-wall" d="M204 156h252v108H204z" />
      <path className="art-tin" d="M192 184h276l16 20H176z" />
      <path className="art-post" d="M190 204h8v60h-8zM282 204h8v60h-8zM352 204h8v60h-8zM462 204h8v60h-8z" />
      <path className="art-window" d="M216 214h54v34h-54zM376 214h66v34h-66zM390 132h18v14h-18z" />
      <path className="art-post" d="M241 214h4v34h-4zM407 214h4v34h-4zM212 248h62v5h-62zM372 248h74v5h-74z" />
      <path className="art-door" d="M303 210h36v54h-36z" />
      <circle className="art-sun" cx="333" cy="238" r="2.5" />
    </>
  );
}

/** Draws three Victorian terraces with iron lace on the balconies. */
function Terrace() {
  return (
    <>
      <path className="art-roof-2" d="M265 68h18v30h-18zM357 68h18v30h-18z" />
      <path className="art-brick" d="M180 104h94v160h-94zM366 104h94v160h-94z" />
      <path className="art-wall" d="M274 104h92v160h-92z" />
      <path
        className="art-post"
        d="M176 96h288v10H176zM204 96q23-26 46 0zM297 96q23-26 46 0zM390 96q23-26 46 0z"
      />
      <path
        className="art-window"
        d="M198 130h20v56h-20zM236 130h20v56h-20zM292 130h20v56h-20zM328 130h20v56h-20zM384 130h20v56h-20zM422 130h20v56h-20zM234 212h28v36h-28zM282 212h14v36h-14zM346 212h14v36h-14zM378 212h28v36h-28z"
      />
      <path className="art-door" d="M196 210h26v54h-26zM303 210h36v54h-36zM420 210h26v54h-26z" />
      <path className="art-tin" d="M180 112h280l10 14H170z" />
      <path className="art-lace" d="M176 178h288M180 198h280" />
      <path
        className="art-post"
        d="M174 167h292v3H174zM174 186h292v7H174zM178 126h5v138h-5zM271 126h5v138h-5zM364 126h5v138h-5zM457 126h5v138h-5z"
      />
      <circle className="art-sun" cx="333" cy="238" r="2.5" />
    </>
  );
}

/** Draws a coastal weatherboard cottage with a surfboard against the wall. */
function Weatherboard() {
  return (
    <>
      <path className="art-tin" d="M190 170l46-72h196l50 72z" />
      <path className="art-wall" d="M192 172l57-68 57 68v92H192z" />
      <path className="art-board" d="M306 170h154v94H306z" />
      <path
        className="art-boards"
        d="M192 186h268M192 200h268M192 214h268M192 228h268M192 242h268M204 172h90M216 158h66M228 144h42"
      />
      <path className="art-barge" d="M184 178l65-78 65 78" />
      <path className="art-tin" d="M308 172h160l14 20H308z" />
      <path className="art-post" d="M344 192h6v72h-6zM404 192h6v72h-6zM466 192h6v72h-6zM308 190h174v4H308z" />
      <path className="art-window" d="M222 196h52v44h-52zM358 208h38v34h-38zM416 208h26v34h-26z" />
      <path className="art-post" d="M246 196h4v44h-4zM218 240h60v5h-60zM375 208h4v34h-4zM354 242h92v5h-92z" />
      <circle className="art-window" cx="249" cy="138" r="8" />
      <path className="art-door" d="M308 206h31v58h-31z" />
      <circle className="art-sun" cx="333" cy="238" r="2.5" />
      <path className="art-sun" d="M452 262q-12-54 3-90 13 36 5 90z" />
    </>
  );
}

/** Draws a brick veneer house with a tiled roof, a garage and solar panels. */
function Brick() {
  return (
    <>
      <path className="art-brick" d="M250 84h24v34h-24zM186 182h276v82H186z" />
      <path className="art-roof" d="M170 178l58-68h176l74 68z" />
      <path className="art-roof-2" d="M224 110h184v5H224zM250 84h24v6h-24z" />
      <path className="art-wheel" d="M320 124h26l8 34h-28zM352 124h26l16 34h-30z" />
      <path className="art-mortar" d="M186 196h276M186 208h276M186 220h276M186 232h276M186 244h276" />
      <path className="art-window" d="M204 200h76v42h-76z" />
      <path className="art-tin" d="M366 198h82v66h-82z" />
      <path
        className="art-post"
        d="M166 176h316v8H166zM227 200h4v42h-4zM253 200h4v42h-4zM199 242h86v5h-86zM292 184h8v80h-8zM342 184h8v80h-8zM366 212h82v2h-82zM366 226h82v2h-82zM366 240h82v2h-82z"
      />
      <path className="art-door" d="M303 206h36v58h-36z" />
      <circle className="art-sun" cx="333" cy="238" r="2.5" />
    </>
  );
}

/** Draws a homestead with a verandah all round and a water tank. */
function Homestead() {
  return (
    <>
      <path className="art-brick" d="M256 76h22v34h-22z" />
      <path className="art-tin" d="M210 150l42-54h140l42 54z" />
      <path className="art-wall" d="M200 184h244v80H200z" />
      <path className="art-window" d="M239 206h42v42h-42zM360 206h42v42h-42z" />
      <path className="art-door" d="M303 204h36v60h-36z" />
      <path className="art-tin" d="M206 154h232l44 34H160zM482 198h48v66h-48z" />
      <path
        className="art-post"
        d="M202 149h240v5H202zM160 186h322v5H160zM168 191h6v73h-6zM228 191h5v73h-5zM286 191h5v73h-5zM350 191h5v73h-5zM408 191h5v73h-5zM468 191h6v73h-6zM170 238h118v4H170zM352 238h120v4H352zM258 206h4v42h-4zM379 206h4v42h-4zM480 192h52v7h-52zM482 218h48v2h-48zM482 240h48v2h-48z"
      />
      <circle className="art-sun" cx="333" cy="234" r="2.5" />
    </>
  );
}

function Pickets() {
  return (
    <>
      <path className="art-fence" d="M-2200 244h2352v4h-2352zM-2200 256h2352v3h-2352z" />
      <path className="art-pickets" d="M-2200 252H156" />
    </>
  );
}

function LowWall() {
  return (
    <>
      <path className="art-brick" d="M-2200 246h2352v18h-2352z" />
      <path className="art-mortar" d="M-2200 252H152M-2200 258H152" />
      <path className="art-post" d="M-2200 241h2352v6h-2352z" />
    </>
  );
}

/** Draws a fence of widely spaced posts and two wires. */
function Wires() {
  return (
    <>
      <path className="art-mortar" d="M-2200 244H156M-2200 254H156" />
      <path className="art-stakes" d="M-2200 251H156" />
    </>
  );
}

/** The house and the fence of each kind. */
export const HOUSES: Record<HouseKind, { House: ComponentType; Fence: ComponentType }> = {
  bungalow: { House: Bungalow, Fence: Pickets },
  terrace: { House: Terrace, Fence: Pickets },
  weatherboard: { House: Weatherboard, Fence: Pickets },
  brick: { House: Brick, Fence: LowWall },
  farm: { House: Homestead, Fence: Wires },
};
