import { TryLater } from "../errors.ts";
import { makeTurns } from "../turns.ts";

/** With 165 ms a password, whoever waits longest waits for two seconds. */
export const MOST_WAITING = 12;

/** Whoever hashes a password waits for their turn here, whatever it is for. */
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
