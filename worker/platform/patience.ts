/** Timeout for a call to a Durable Object. A working object responds well within it. */
export const OBJECT_PATIENCE_MS = 10_000;

/**
 * Awaits `work` with a timeout. After a timeout, `work` may still complete, so it must be idempotent.
 * @throws Error when `work` takes longer; errors of `work` pass through
 */
export async function inTime<T>(work: PromiseLike<T>, patienceMs = OBJECT_PATIENCE_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
