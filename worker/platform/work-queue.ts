/** A waiting request that has not woken for this long has ended. It loses its place in the queue. */
const ABANDONED_AFTER_MS = 10_000;

/**
 * Throttles CPU-heavy work, such as hashing a password. Without it, twenty concurrent pieces of work run back to back
 * and block all other requests to the isolate. Here each piece waits for an idle pause, so that the isolate can respond
 * to other requests in between. A full queue rejects new work.
 *
 * Each waiting request polls for its turn. A request that ends early loses its timers, so no request may depend on
 * another to wake it.
 * @param maxWaiting the maximum number of waiting requests
 * @param idleMs the idle pause between two pieces
 * @param busyError the error for a full queue
 */
export function createWorkQueue({
  maxWaiting,
  idleMs,
  busyError,
  now = Date.now,
  sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
}: {
  maxWaiting: number;
  idleMs: number;
  busyError: () => Error;
  now?: () => number;
  sleep?: (ms: number) => Promise<void>;
}) {
  let queue: { lastPollAt: number }[] = [];
  let done = 0;

  function removeAbandoned(): void {
    const since = now() - ABANDONED_AFTER_MS;
    queue = queue.filter(({ lastPollAt }) => lastPollAt >= since);
  }

  /** @throws `busyError()` when the queue is full */
  function refuseIfFull(): void {
    removeAbandoned();
    if (queue.length >= maxWaiting) throw busyError();
  }

  return {
    refuseIfFull,

    /**
     * Runs a piece of work when it is its turn.
     * @throws `busyError()` when the queue is full; errors of `work` pass through
     */
    async take<T>(work: () => Promise<T>): Promise<T> {
      refuseIfFull();
      const entry = { lastPollAt: now() };
      queue.push(entry);
      try {
        for (let isTurn = false; !isTurn;) {
          const before = done;
          await sleep(idleMs);
          entry.lastPollAt = now();
          removeAbandoned();
          // A request that polled late was dropped. It proceeds at the next idle pause.
          const isFirst = queue[0] === entry || !queue.includes(entry);
          isTurn = isFirst && done === before;
        }
        return await work();
      } finally {
        done += 1;
        queue = queue.filter((other) => other !== entry);
      }
    },
  };
}
