/** Timeout for a call to a Durable Object. A working object responds well within it. */
export const OBJECT_TIMEOUT_MS = 10_000;

/**
 * Awaits `work` with a timeout. After a timeout, `work` may still complete, so it must be idempotent.
 * @throws Error when `work` takes longer; errors of `work` pass through
 */
export async function withTimeout<T>(work: PromiseLike<T>, timeoutMs = OBJECT_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
