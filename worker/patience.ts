/** Long enough for any object that works; whoever waits longer waits for nothing. */
export const OBJECT_PATIENCE_MS = 10_000;

/**
 * Waits for something no longer than a while. What comes later is dropped, but may well have happened:
 * only for what may be repeated.
 * @throws Error when `work` takes longer; what `work` throws passes through
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
