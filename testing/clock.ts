/** Time in tests. Tests move the clock instead of waiting. */
import { vi } from "vitest";

import { MINUTE_MS } from "../contract/durations.ts";

const windowNow = () => Math.floor(Date.now() / MINUTE_MS);

/** Retries a failed test once if the minute changed during the test. Rate limits count per minute. */
export async function withinOneWindow(run: () => Promise<void>): Promise<void> {
  const started = windowNow();
  try {
    await run();
  } catch (error) {
    if (windowNow() === started) throw error;
    await run();
  }
}

/** Moves the clock forward for the Worker and its objects, until the test ends. */
export function letTimePass(ms: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
}

/** Yields to other tasks. Does not use a timer, because a test may have faked them. */
const giveWay = () => scheduler.wait(1);

/**
 * Calls a service that never responds, and advances the clock to the caller's timeout.
 *
 * @param patienceMs the caller's timeout, to the millisecond
 * @returns the caller's response
 */
export async function whenPatienceEnds<T>(patienceMs: number, call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isAnswered = false;
  const answer = call().finally(() => (isAnswered = true));
  // A request that has its response clears its timer. The only timer left belongs to the hanging request.
  while (vi.getTimerCount() === 0) await giveWay();
  while (vi.getTimerCount() > 1) await giveWay();
  vi.advanceTimersByTime(patienceMs - 1);
  await giveWay();
  if (isAnswered) throw new Error(`Answered before ${patienceMs} ms`);
  vi.advanceTimersByTime(1);
  return answer;
}
