import type { CSSProperties } from "react";

import type { SuburbListItem } from "../../contract/suburbs.ts";
import {
  boxOfOutline,
  boxAround,
  chooseDrawing,
  type DrawingName,
  DRAWINGS,
  findCouncilAt,
  formatView,
  overlaps,
  project,
  unproject,
  viewAround,
} from "../lib/council-outlines.ts";
import { locationsHref } from "./location-filter.ts";
import nswPicture from "./nsw-councils.svg?url";
import sydneyPicture from "./sydney-councils.svg?url";

type Place = Pick<SuburbListItem, "slug" | "name" | "council" | "latitude" | "longitude">;

/** Width of the pictures, in CSS pixels. It is fixed: the browser reports a tap in pixels from the picture's corner. */
const PICTURE_WIDTH = 416;

const PICTURES: readonly { name: DrawingName; title: string; file: string }[] = [
  { name: "nsw", title: "New South Wales", file: nswPicture },
  { name: "sydney", title: "Greater Sydney", file: sydneyPicture },
];

/** React's types lack this attribute: a tap on the picture adds its point to the link's URL. */
const IS_MAP = { ismap: "" };

/**
 * Returns the council at a tapped point of a picture. Returns null for no tap, and at sea.
 * @param tap the parameter `map`: the picture's name, and what the browser appends to a server-side image map
 */
export function findTappedCouncil(tap: string | null): string | null {
  const [, name, x, y] = /^(nsw|sydney)\?(\d+),(\d+)$/.exec(tap ?? "") ?? [];
  if (!name) return null;
  const drawing = DRAWINGS[name as DrawingName];
  const scale = drawing.width / PICTURE_WIDTH;
  return findCouncilAt(unproject(drawing, { x: Number(x) * scale, y: Number(y) * scale }));
}

/**
 * Shows New South Wales and Greater Sydney. A tap opens the page of the council there. These are server-side image maps:
 * they need no script and little HTML. Keyboards and screen readers use the same links in the list below.
 */
export function OverviewMap() {
  return (
    <div className="map" aria-hidden="true">
      {PICTURES.map(({ name, title, file }) => (
        <figure key={name}>
          {/* Do not prerender it: the browser adds the point later. */}
          <a href={`/locations?map=${name}`} rel="nofollow" tabIndex={-1}>
            <img
              src={file}
              alt={`Councils of ${title}`}
              {...IS_MAP}
              loading="lazy"
              width={PICTURE_WIDTH}
              height={Math.round((PICTURE_WIDTH * DRAWINGS[name].height) / DRAWINGS[name].width)}
            />
          </a>
          <figcaption>{title}: tap your area</figcaption>
        </figure>
      ))}
    </div>
  );
}

/** Names shown without a hover, as long as they do not cover each other. */
const MAX_NAMES = 12;

/**
 * Shows places on the map of their councils. A tapped place leads to its card, a tapped council to its page.
 * @param isPart whether the list has more places
 */
export function PlaceMap({ places, isPart }: { places: readonly Place[]; isPart: boolean }) {
  const own = new Set(places.map((place) => place.council));
  const drawing = chooseDrawing(own);
  const drawn = drawing.councils.map((one) => ({ ...one, box: boxOfOutline(one.path) }));
  const dots = places.map((place) => ({ ...place, ...project(drawing, place) }));
  const councils = drawn.filter(({ name }) => own.has(name));
  const view = viewAround([...councils.map(({ box }) => box), boxAround(dots)]);
  const unit = (view.right - view.left) / 100;
  const named: typeof dots = [];
  for (const dot of dots.slice(0, MAX_NAMES)) {
    const isClear = named.every(
      ({ x, y }) => Math.abs(x - dot.x) > 24 * unit || Math.abs(y - dot.y) > 5 * unit,
    );
    if (isClear) named.push(dot);
  }
  // The names are last, so that no dot covers them.
  const ordered = [...dots.filter((dot) => !named.includes(dot)), ...named];
  return (
    <div className="map">
      <svg
        viewBox={formatView(view)}
        style={{ "--unit": `${unit}px` } as CSSProperties}
        aria-label={isPart ? `Map of the first ${places.length} places` : "Map of these places"}
      >
        {drawn
          .filter(({ box }) => overlaps(box, view))
          .map(({ name, path }) => (
            <a key={name} href={locationsHref({ council: name })} data-on={own.has(name) || undefined}>
              <path d={path} />
              <title>{name}</title>
            </a>
          ))}
        {/* Keyboards and screen readers go to the cards themselves. */}
        <g aria-hidden="true">
          {ordered.map((dot) => {
            const isEast = dot.x > view.right - 28 * unit;
            return (
              <a
                key={dot.slug}
                href={`#${dot.slug}`}
                tabIndex={-1}
                data-named={named.includes(dot) || undefined}
              >
                <circle cx={dot.x} cy={dot.y} />
                <text
                  x={Math.round(dot.x + (isEast ? -2 : 2) * unit)}
                  y={Math.round(dot.y + unit)}
                  textAnchor={isEast ? "end" : undefined}
                >
                  {dot.name}
                </text>
              </a>
            );
          })}
        </g>
      </svg>
    </div>
  );
}
