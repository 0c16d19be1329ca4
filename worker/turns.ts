/** How long nothing is heard of somebody in the line until they count as gone: their request was ended. */
const GONE_MS = 10_000;

type Place = { heardAt: number };

/**
 * Takes turns at work that keeps a whole isolate busy, such as hashing a password: without, twenty pieces
 * that come at once run one behind the other, and whoever else asks the same isolate waits for all of
 * them. Here a piece is done only after a breath in which none was, so that others are answered in
 * between, and a line that is full is not joined.
 *
 * Everybody in the line looks for themselves whether it is their turn: a request that is ended in the
 * middle takes its timers along, and nobody may depend on being woken by it.
 * @param most how many may wait
 * @param breathMs how long nothing is done between two pieces
 * @param busyError what whoever finds the line full is told
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

  /** Waits for a breath in which nothing was done, and for the head of the line. */
  async function waitForTurn(place: Place): Promise<void> {
    for (;;) {
      const before = done;
      await sleep(breathMs);
      place.heardAt = now();
      forgetTheGone();
      // Somebody taken for gone who is there after all goes on without a place.
      const isFirst = line[0] === place || !line.includes(place);
      if (isFirst && done === before) return;
    }
  }

  return {
    /**
     * Does a piece of work when its turn has come.
     * @throws `busyError()` when the line is full; what `work` throws passes through
     */
    async take<T>(work: () => Promise<T>): Promise<T> {
      forgetTheGone();
      if (line.length >= most) throw busyError();
      const place = { heardAt: now() };
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
