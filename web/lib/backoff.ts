/**
 * Returns the delay before a retry. It doubles with each one.
 * @param retries earlier retries
 */
export function backoffMs(retries: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** retries);
}
