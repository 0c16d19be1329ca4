/** A waiting request that has not woken for this long has ended. It loses its place in the queue. */
const ABANDONED_AFTER_MS = 10_000;

type QueueEntry = { lastPollAt: number };

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
  let queue: QueueEntry[] = [];
  let done = 0;

  function removeAbandoned(): void {
    const since = now() - ABANDONED_AFTER_MS;
    queue = queue.filter(({ lastPollAt }) => lastPollAt >= since);
  }

  /** Waits until the request is first in the queue and an idle pause has passed. */
  async function waitForTurn(entry: QueueEntry): Promise<void> {
    for (;;) {
      const before = done;
      await sleep(idleMs);
      entry.lastPollAt = now();
      removeAbandoned();
      // `removeAbandoned` may have dropped this request because it polled late. Let it proceed at the next idle pause.
      const isFirst = queue[0] === entry || !queue.includes(entry);
      if (isFirst && done === before) return;
    }
  }

  return {
    /**
     * Runs a piece of work when it is its turn.
     * @throws `busyError()` when the queue is full; errors of `work` pass through
     */
    async take<T>(work: () => Promise<T>): Promise<T> {
      removeAbandoned();
      if (queue.length >= maxWaiting) throw busyError();
      const entry = { lastPollAt: now() };
      queue.push(entry);
      try {
        await waitForTurn(entry);
        return await work();
      } finally {
        done += 1;
        queue = queue.filter((other) => other !== entry);
      }
    },
  };
}
