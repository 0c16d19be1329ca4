/**
 * Draws `data/council-map.json`, the outlines for the location map: all of New South Wales and, larger,
 * Greater Sydney. Also draws the pictures of both for the list of locations, `web/suburbs/*-councils.svg`.
 * Run it by hand after `data/nsw-councils.topo.json` changes:
 *
 * npx node scripts/make-council-map.ts
 */
import { readFileSync, writeFileSync } from "node:fs";

type Point = [x: number, y: number];
type Topology = {
  transform: { scale: Point; translate: Point };
  arcs: Point[][];
  objects: { lga: { geometries: { arcs: number[][][]; properties: { n: string } }[] } };
};
type View = { west: number; east: number; north: number; south: number };

/** Excludes Lord Howe Island, which is far away and in no council. */
const NSW: View = { west: 140.95, east: 153.7, north: -28.1, south: -37.55 };
const SYDNEY: View = { west: 150.4, east: 151.75, north: -33.25, south: -34.25 };
const WIDTH = 1000;
/** The length of a degree of longitude at this latitude, in degrees of latitude. */
const LONGITUDE_SCALE = Math.cos((33 * Math.PI) / 180);
/** Drops points whose triangle is smaller than this, in square units of the drawing. */
const MIN_CORNER_AREA = 14;
const MIN_ISLAND_AREA = 30;

/** Towns named on the pictures: where a visitor looks first. */
const NSW_TOWNS =
  "albury bega bourke broken-hill cobar coffs-harbour dubbo grafton griffith lismore moree newcastle orange port-macquarie sydney tamworth wagga-wagga wollongong";
const SYDNEY_TOWNS =
  "blacktown campbelltown castle-hill cronulla gosford hornsby liverpool manly parramatta penrith richmond sydney";
/** Approximate width of a letter on the pictures, in units of the drawing. */
const LETTER_WIDTH = 16;

const here = (path: string) => new URL(`../data/${path}`, import.meta.url);
const topology = JSON.parse(readFileSync(here("nsw-councils.topo.json"), "utf8")) as Topology;
const suburbs = readFileSync(here("nsw-suburbs.csv"), "utf8")
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => line.split(","));
const councils = [...new Set(suburbs.map((suburb) => suburb[3]!))];

function words(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\b(city|council|shire|regional|municipal|of|the)\b/g, "")
    .replaceAll(/[^a-z]/g, "");
}

/** Returns the council's full name, as in our suburb list. */
function fullName(short: string): string {
  const name = councils.find((council) => words(council) === words(short));
  if (!name) throw new Error(`The suburb list has no council called ${short}`);
  return name;
}

function decode(arc: Point[]): Point[] {
  const { scale, translate } = topology.transform;
  let x = 0;
  let y = 0;
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

function triangle([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return Math.abs((ax * (by - cy) + bx * (cy - ay) + cx * (ay - by)) / 2);
}

/**
 * Visvalingam simplification: removes the point with the smallest triangle until none is below the limit.
 * Keeps both ends.
 */
function simplify(points: Point[]): Point[] {
  const left = [...points];
  for (;;) {
    let least = MIN_CORNER_AREA;
    let at = -1;
    for (let i = 1; i < left.length - 1; i++) {
      const area = triangle(left[i - 1]!, left[i]!, left[i + 1]!);
      if (area < least) [least, at] = [area, i];
    }
    if (at < 0) return left;
    left.splice(at, 1);
  }
}

function areaOf(ring: Point[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i++) {
    const [ax, ay] = ring[i]!;
    const [bx, by] = ring[(i + 1) % ring.length]!;
    sum += ax * by - bx * ay;
  }
  return Math.abs(sum / 2);
}

function pathOf(ring: Point[]): string {
  let [x, y] = ring[0]!;
  let path = `M${x} ${y}l`;
  for (const [nx, ny] of ring.slice(1, -1)) {
    if (nx === x && ny === y) continue;
    const dx = String(nx - x);
    const dy = String(ny - y);
    path += `${path.endsWith("l") || dx.startsWith("-") ? "" : " "}${dx}${dy.startsWith("-") ? "" : " "}${dy}`;
    [x, y] = [nx, ny];
  }
  return `${path}z`;
}

function projection(view: View) {
  const scale = WIDTH / ((view.east - view.west) * LONGITUDE_SCALE);
  return {
    scale,
    project: ([longitude, latitude]: Point): Point => [
      Math.round((longitude - view.west) * LONGITUDE_SCALE * scale),
      Math.round((view.north - latitude) * scale),
    ],
  };
}

function draw(view: View) {
  const { scale, project } = projection(view);
  const height = Math.round((view.north - view.south) * scale);
  // Neighbours share an arc. Simplify it once, so that no gap opens between them.
  const arcs = topology.arcs.map((arc) => simplify(decode(arc).map(project)));
  const ringOf = (indices: number[]) =>
    indices.flatMap((index, i) => {
      const arc = index < 0 ? arcs[~index]!.toReversed() : arcs[index]!;
      return i === 0 ? arc : arc.slice(1);
    });
  const drawn = topology.objects.lga.geometries.flatMap(({ arcs: polygons, properties }) => {
    const rings = polygons
      .map((polygon) => ringOf(polygon[0]!))
      .filter(
        (ring) =>
          areaOf(ring) > MIN_ISLAND_AREA &&
          Math.min(...ring.map(([x]) => x)) < WIDTH &&
          Math.max(...ring.map(([x]) => x)) > 0 &&
          Math.min(...ring.map(([, y]) => y)) < height &&
          Math.max(...ring.map(([, y]) => y)) > 0,
      );
    return rings.length > 0 ? [{ name: fullName(properties.n), path: rings.map(pathOf).join("") }] : [];
  });
  return { ...view, width: WIDTH, height, councils: drawn };
}

/** The colours of web/ui/tokens.css: a picture cannot read the page's. */
const PICTURE_STYLE =
  "path{fill:#a9d18e;stroke:#f5f8f0;stroke-width:3}text{font:600 29px sans-serif;fill:#14261a;stroke:#e4f1d8;stroke-width:6;paint-order:stroke}circle{fill:#14261a}" +
  "@media(prefers-color-scheme:dark){path{fill:#2a5a35;stroke:#101b20}text{fill:#e9f1e7;stroke:#1b3a24}circle{fill:#ffcf55}}";

/** Draws a picture of all councils with the names of towns. Names that do not fit on the right of their town are on the left. */
function drawPicture(drawing: ReturnType<typeof draw>, towns: string): string {
  const { project } = projection(drawing);
  const names = towns.split(" ").map((slug) => {
    const found = suburbs.find(([own]) => own === slug);
    if (!found) throw new Error(`The suburb list has no ${slug}`);
    const [x, y] = project([Number(found[8]), Number(found[7])]);
    const isLeft = x + 14 + found[1]!.length * LETTER_WIDTH > WIDTH;
    return `<circle cx="${x}" cy="${y}" r="7"/><text x="${x + (isLeft ? -14 : 14)}" y="${y + 10}"${isLeft ? ' text-anchor="end"' : ""}>${found[1]!}</text>`;
  });
  const outlines = drawing.councils.map(({ path }) => `<path d="${path}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${drawing.width} ${drawing.height}"><style>${PICTURE_STYLE}</style>${outlines.join("")}${names.join("")}</svg>\n`;
}

const map = { nsw: draw(NSW), sydney: draw(SYDNEY) };
writeFileSync(here("council-map.json"), `${JSON.stringify(map)}\n`);
const picture = (name: string) => new URL(`../web/suburbs/${name}-councils.svg`, import.meta.url);
writeFileSync(picture("nsw"), drawPicture(map.nsw, NSW_TOWNS));
writeFileSync(picture("sydney"), drawPicture(map.sydney, SYDNEY_TOWNS));
console.log(`${map.nsw.councils.length} councils, ${map.sydney.councils.length} of them in Greater Sydney`);
