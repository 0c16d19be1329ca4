import { TryLater } from "../../platform/errors.ts";
import { createWorkQueue } from "../../platform/work-queue.ts";

/** Maximum requests in the queue. At 140 ms per password, the last request waits under two seconds. */
export const MAX_WAITING = 12;

/** The queue for all password hashing in this isolate. */
export const hashingQueue = createWorkQueue({
  maxWaiting: MAX_WAITING,
  idleMs: 25,
  busyError: () =>
    new TryLater(
      "too_many_requests",
      "A lot of people are signing in right now. Please try again in a few seconds.",
      5,
    ),
});
