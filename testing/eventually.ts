import { waitLimitMs } from "./patience.ts";

/** The real timer: tests may fake timers. */
const { setTimeout } = globalThis;

/**
 * Retries `check` until it passes, for effects that follow shortly after an action.
 *
 * @throws the last error of `check`, if it never passes
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + waitLimitMs();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
