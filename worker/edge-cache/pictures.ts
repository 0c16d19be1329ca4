import { TryLater } from "../errors.ts";
import { makeTurns } from "../turns.ts";

/** Whether an address is a share picture's: drawing one takes a tenth of a second of computing. */
export function isPicture(pathname: string): boolean {
  return pathname.startsWith("/og/");
}

/** Pictures that no cache has are drawn one after the other, so that visitors are answered in between. */
export const drawingTurns = makeTurns({
  most: 8,
  breathMs: 25,
  busyError: () =>
    new TryLater("too_busy", "Many pictures are being drawn just now. Please try again in a few seconds.", 5),
});
