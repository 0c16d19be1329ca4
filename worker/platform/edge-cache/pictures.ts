import { TryLater } from "../errors.ts";
import { createWorkQueue } from "../work-queue.ts";

/** Returns whether a path belongs to a share picture. Drawing a picture takes about 100 ms of CPU. */
export function isPicture(pathname: string): boolean {
  return pathname.startsWith("/og/");
}

/** Draws pictures one at a time, so that the isolate can respond to visitors in between. */
export const drawingQueue = createWorkQueue({
  maxWaiting: 8,
  idleMs: 25,
  busyError: () =>
    new TryLater(
      "too_busy",
      "Many pictures are being drawn right now. Please try again in a few seconds.",
      5,
    ),
});
