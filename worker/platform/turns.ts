/** A waiting request that has not woken for this long has ended. It loses its place in the queue. */
const GONE_MS = 10_000;

type Place = { heardAt: number; limits: PlaceLimits };

/** The maximum number of places in the queue by group, e.g. a network or an account. */
export type PlaceLimits = Readonly<Record<string, number>>;

/**
 * Throttles CPU-heavy work, such as hashing a password. Without it, twenty concurrent pieces of work run back to back
 * and block all other requests to the isolate. Here each piece waits for an idle pause, so that the isolate can respond
 * to other requests in between. A full queue rejects new work.
 *
 * Each waiting request polls for its turn. A request that ends early loses its timers, so no request may depend on
 * another to wake it.
 * @param most the maximum number of waiting requests
 * @param breathMs the idle pause between two pieces
 * @param busyError the error for a full queue
 */
export function makeTurns({
  most,
  breathMs,
  busyError,
  now = Date.now,
  sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
}: {
  most: number;
  breathMs: number;
  busyError: () => Error;
  now?: () => number;
  sleep?: (ms: number) => Promise<void>;
}) {
  let line: Place[] = [];
  let done = 0;

  function forgetTheGone(): void {
    const since = now() - GONE_MS;
    line = line.filter(({ heardAt }) => heardAt >= since);
  }

  /** Waits until the request is first in the queue and an idle pause has passed. */
  async function waitForTurn(place: Place): Promise<void> {
    for (;;) {
      const before = done;
      await sleep(breathMs);
      place.heardAt = now();
      forgetTheGone();
      // A request that lost its place by mistake continues without one.
      const isFirst = line[0] === place || !line.includes(place);
      if (isFirst && done === before) return;
    }
  }

  /** Returns whether one of these groups has reached its limit. */
  function isFull(limits: PlaceLimits): boolean {
    return Object.entries(limits).some(
      ([group, limit]) => line.filter((place) => group in place.limits).length >= limit,
    );
  }

  return {
    /**
     * Runs a piece of work when it is its turn.
     * @param limits the caller's groups
     * @throws `busyError()` when the queue or a group is full; errors of `work` pass through
     */
    async take<T>(work: () => Promise<T>, limits: PlaceLimits = {}): Promise<T> {
      forgetTheGone();
      if (line.length >= most || isFull(limits)) throw busyError();
      const place = { heardAt: now(), limits };
      line.push(place);
      try {
        await waitForTurn(place);
        return await work();
      } finally {
        done += 1;
        line = line.filter((other) => other !== place);
      }
    },
  };
}
