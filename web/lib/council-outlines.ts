/** The councils' outlines, in two drawings: all of New South Wales and, larger, Greater Sydney. */
import councilMap from "../../data/council-map.json";

export const DRAWINGS = councilMap;
export type DrawingName = keyof typeof DRAWINGS;
export type CouncilDrawing = (typeof DRAWINGS)[DrawingName];
export type Box = { left: number; top: number; right: number; bottom: number };
type Point = { x: number; y: number };
type Position = { latitude: number; longitude: number };

/** Returns the rings of an outline. It has relative points: "M9 4l2-1 3 5z". */
function readRings(path: string): Point[][] {
  return path
    .split("z")
    .filter(Boolean)
    .map((ring) => {
      const numbers = (ring.match(/-?\d+/g) ?? []).map(Number);
      const points: Point[] = [];
      let [x, y] = [0, 0];
      for (let i = 0; i + 1 < numbers.length; i += 2) {
        x += numbers[i]!;
        y += numbers[i + 1]!;
        points.push({ x, y });
      }
      return points;
    });
}

/** Returns the smallest box around points. */
export function boxAround(points: readonly Point[]): Box {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Returns the box around a council's outline. */
export const boxOfOutline = (path: string): Box => boxAround(readRings(path).flat());

/** Smallest height of a view, in units of the drawing, so that neighbours show around a small council. */
const MIN_HEIGHT = 90;
const WIDTH_TO_HEIGHT = 1.6;

/** Returns the part of a drawing around these boxes, in a map's proportions. */
export function viewAround(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const height = Math.max((bottom - top) * 1.3, ((right - left) * 1.3) / WIDTH_TO_HEIGHT, MIN_HEIGHT);
  const width = height * WIDTH_TO_HEIGHT;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

/** Returns a view as an SVG's viewBox. */
export const formatView = ({ left, top, right, bottom }: Box): string =>
  [left, top, right - left, bottom - top].map(Math.round).join(" ");

export const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Returns a place's point in a drawing. */
export function project(drawing: CouncilDrawing, { latitude, longitude }: Position): Point {
  return {
    x: Math.round(((longitude - drawing.west) / (drawing.east - drawing.west)) * drawing.width),
    y: Math.round(((drawing.north - latitude) / (drawing.north - drawing.south)) * drawing.height),
  };
}

/** Returns the larger drawing if it has all these councils. */
export function chooseDrawing(councils: Iterable<string>): CouncilDrawing {
  const inSydney = new Set(DRAWINGS.sydney.councils.map(({ name }) => name));
  return [...councils].every((name) => inSydney.has(name)) ? DRAWINGS.sydney : DRAWINGS.nsw;
}

/** Returns whether a point is inside a ring: a line from the point to the right crosses the ring an odd number of times. */
function isInside({ x, y }: Point, ring: readonly Point[]): boolean {
  let inside = false;
  for (const [i, a] of ring.entries()) {
    const b = ring.at(i - 1)!;
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** Returns the place at a point of a drawing. */
export function unproject(drawing: CouncilDrawing, { x, y }: Point): Position {
  return {
    latitude: drawing.north - (y / drawing.height) * (drawing.north - drawing.south),
    longitude: drawing.west + (x / drawing.width) * (drawing.east - drawing.west),
  };
}

/** Returns the council at a place, from the larger drawing if it has the place. Returns null outside the state. */
export function findCouncilAt(position: Position): string | null {
  const found = [DRAWINGS.sydney, DRAWINGS.nsw].flatMap((drawing) => {
    const point = project(drawing, position);
    return drawing.councils.filter(({ path }) => readRings(path).some((ring) => isInside(point, ring)));
  });
  return found[0]?.name ?? null;
}
