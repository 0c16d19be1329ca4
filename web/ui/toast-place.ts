/** A part of the window, in CSS pixels. */
export type Box = { x: number; y: number; width: number; height: number };

/** Where a message should not stand, and how bad it is for each pixel that it covers. */
export type Cover = Box & { weight: number };

/** What is needed next: a pixel of it is worse than all else in a window, so any other place is better. */
export const NEEDED = 1e9;

/** So far a message stays from the window's edge; half as far from what it must not cover. */
const GAP_PX = 8;
/** Places are looked at in steps of this. */
const STEP_PX = 4;

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The same box with a margin around it. */
function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** How bad it is to stand there; 0 when nothing is covered. */
export function costAt(place: Box, covers: readonly Cover[]): number {
  return covers.reduce((sum, cover) => sum + cover.weight * overlap(place, grown(cover, GAP_PX / 2)), 0);
}

/**
 * Where a message stands: in its usual place, unless that covers something; then as high or as low as covers
 * least, and of those the nearest.
 * @param usual where it stands when nothing is in the way
 * @param windowHeight of the visible window
 * @returns the top of its place, in CSS pixels from the window's
 */
export function topFor(usual: Box, covers: readonly Cover[], windowHeight: number): number {
  let best = { top: usual.y, cost: costAt(usual, covers) };
  if (best.cost === 0) return best.top;
  for (let top = GAP_PX; top + usual.height <= windowHeight - GAP_PX; top += STEP_PX) {
    const cost = costAt({ ...usual, y: top }, covers);
    const isNearer = Math.abs(top - usual.y) < Math.abs(best.top - usual.y);
    if (cost < best.cost || (cost === best.cost && isNearer)) best = { top, cost };
  }
  return best.top;
}
