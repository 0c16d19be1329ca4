/** Time in tests. Tests move the clock instead of waiting. */
import { vi } from "vitest";

import { MINUTE_MS } from "../contract/durations.ts";

const RISING = "risingNow";

/**
 * Makes each reading of the clock later than the one before, as on a slow machine. A test that expects two readings in
 * the same millisecond then fails on every machine.
 */
export function useRisingClock(): void {
  // Files share a process.
  if (Date.now.name === RISING) return;
  const realNow = Date.now.bind(Date);
  let last = 0;
  Date.now = { [RISING]: () => (last = Math.max(realNow(), last + 1)) }[RISING]!;
}

/** Reads the real clock, because the rising one runs ahead of it. */
const currentMinute = () => Math.floor(new Date().getTime() / MINUTE_MS);

/** Retries a failed test whenever the minute changed during it. Rate limits count per minute. */
export async function retryIfMinuteChanges(run: () => Promise<void>): Promise<void> {
  for (;;) {
    const started = currentMinute();
    try {
      return await run();
    } catch (error) {
      if (currentMinute() === started) throw error;
    }
  }
}

/** Moves the clock forward for the Worker and its objects, until the test ends. */
export function advanceClock(ms: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
}

/** Yields to other tasks. Does not use a timer, because a test may have faked them. */
const yieldToTasks = () => scheduler.wait(1);

/**
 * Calls a service that never responds, and advances the clock to the caller's timeout.
 *
 * @param timeoutMs the caller's timeout, to the millisecond
 * @returns the caller's response
 */
export async function callUntilTimeout<T>(timeoutMs: number, call: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isAnswered = false;
  const answer = call().finally(() => (isAnswered = true));
  // A request that has its response clears its timer. The only timer left belongs to the hanging request.
  while (vi.getTimerCount() === 0) await yieldToTasks();
  while (vi.getTimerCount() > 1) await yieldToTasks();
  vi.advanceTimersByTime(timeoutMs - 1);
  await yieldToTasks();
  if (isAnswered) throw new Error(`Answered before ${timeoutMs} ms`);
  vi.advanceTimersByTime(1);
  return answer;
}
