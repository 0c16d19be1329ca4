/** Time in tests: it passes when a test says so, and nobody waits for it. */
import { vi } from "vitest";

import { MINUTE_MS } from "../contract/durations.ts";

const windowNow = () => Math.floor(Date.now() / MINUTE_MS);

/** Limits count by the minute: a test that a new minute began in is run once more. */
export async function withinOneWindow(run: () => Promise<void>): Promise<void> {
  const started = windowNow();
  try {
    await run();
  } catch (error) {
    if (windowNow() === started) throw error;
    await run();
  }
}

/** It is so much later, for the Worker and its objects, until the test ends. */
export function letTimePass(ms: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
}

/** Gives everybody else their turn. Not with a timer: those may be a test's own. */
const giveWay = () => scheduler.wait(1);

/**
 * Calls somebody who waits for an answer that never comes, and lets their patience end.
 * @param patienceMs how long they wait for it, to the millisecond
 * @returns what they answer
 */
export async function whenPatienceEnds<T>(patienceMs: number, call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isAnswered = false;
  const answer = call().finally(() => (isAnswered = true));
  // Whoever is answered stops waiting: what is left is the one that hangs.
  while (vi.getTimerCount() === 0) await giveWay();
  while (vi.getTimerCount() > 1) await giveWay();
  vi.advanceTimersByTime(patienceMs - 1);
  await giveWay();
  if (isAnswered) throw new Error(`Answered before ${patienceMs} ms`);
  vi.advanceTimersByTime(1);
  return answer;
}
