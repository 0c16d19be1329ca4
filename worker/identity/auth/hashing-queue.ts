import { TryLater } from "../../platform/errors.ts";
import { createFairQueue, type QueueLimits } from "../../platform/fair-queue.ts";

/** Maximum requests in the queue. At 140 ms per password, the last request waits under two seconds. */
export const MAX_WAITING = 12;

/** Maximum requests from unknown places. The rest of the queue is reserved for known devices and networks. */
export const MAX_UNKNOWN_PLACES = 8;

/** Maximum queued requests per network (a /48 or an IPv4 address) and per account. */
const MAX_PER_GROUP = 2;

/** Returns the limits for a sign-in from a device or network known to the account. */
export const knownPlaceLimits = (network: string, account: string): QueueLimits => ({
  [`network ${network}`]: MAX_PER_GROUP,
  [`account ${account}`]: MAX_PER_GROUP,
});

/** Returns the limits for a sign-up, or for a sign-in from an unknown place. */
export const unknownPlaceLimits = (network: string): QueueLimits => ({
  [`network ${network}`]: MAX_PER_GROUP,
  strangers: MAX_UNKNOWN_PLACES,
});

/** The queue for all password hashing in this isolate. */
export const hashingQueue = createFairQueue({
  maxWaiting: MAX_WAITING,
  idleMs: 25,
  busyError: () =>
    new TryLater(
      "too_busy",
      "A lot of people are signing in right now. Please try again in a few seconds.",
      5,
    ),
});
