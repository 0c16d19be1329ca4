import { HOUR_MS } from "../../contract/durations.ts";

/** How often what came of a job; the operator reads it. */
export type Counts = Record<string, number>;

/** How a part of a job ended. `pause` waits for the next minute before the next part. */
export type Step =
  | { state: "done" | "failed"; counts: Counts }
  | { state: "waiting"; counts: Counts; progress: unknown; pause: boolean };

/** A job that failed this often in a row is over. */
export const MOST_ATTEMPTS = 8;

const LEASE_MS = 55_000;

/** How long a job is left alone after so many failures in a row: a minute, then longer up to an hour. */
export function leaseMs(failures: number): number {
  return Math.min(LEASE_MS * 2 ** failures, HOUR_MS);
}

/** Adds up what several parts of a job did. */
export function addCounts(before: Counts | null, more: Counts): Counts {
  const sum = { ...before };
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
