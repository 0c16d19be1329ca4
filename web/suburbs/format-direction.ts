const DIRECTIONS = [
  "north",
  "north-east",
  "east",
  "south-east",
  "south",
  "south-west",
  "west",
  "north-west",
] as const;

/**
 * Returns a direction as a word.
 * @param bearing in degrees: 0 is north, 90 is east
 */
export function formatDirection(bearing: number): string {
  return DIRECTIONS[Math.round(bearing / 45) % 8]!;
}
