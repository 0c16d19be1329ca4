import { TryLater } from "../errors.ts";
import { makeTurns } from "../turns.ts";

/** Maximum requests in the queue. At 165 ms a password, the last one waits about two seconds. */
export const MOST_WAITING = 12;

/** The queue for all password hashing in this isolate. */
export const hashingTurns = makeTurns({
  most: MOST_WAITING,
  breathMs: 25,
  busyError: () =>
    new TryLater(
      "too_busy",
      "A lot of people are signing in right now. Please try again in a few seconds: nothing is lost.",
      5,
    ),
});
