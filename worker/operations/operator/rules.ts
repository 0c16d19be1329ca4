import { HOUR_MS } from "../../../contract/durations.ts";

/** A job's results as named counts, for the operator. */
export type Counts = Record<string, number>;

/** The result of one part of a job. `pause`: whether the next part waits for the next minute. */
export type JobStep =
  | { state: "done" | "failed"; counts: Counts }
  | { state: "waiting"; counts: Counts; progress: unknown; pause: boolean };

/** The result of one part of a paged job: a cursor, or done. */
export type PagedStep = Extract<JobStep, { state: "waiting" }> | { state: "done"; counts: Counts };

/** Returns the step after a page. @param progress the start of the next page; null after the last page */
export function stepOf({ counts, progress }: { counts: Counts; progress: unknown }): PagedStep {
  return progress === null ? { state: "done", counts } : { state: "waiting", counts, progress, pause: false };
}

/** A job that fails this many times in a row is marked failed. */
export const MAX_ATTEMPTS = 8;

const LEASE_MS = 55_000;

/** Returns the lease after this many failures in a row: about a minute, doubling up to an hour. */
export function leaseMs(failures: number): number {
  return Math.min(LEASE_MS * 2 ** failures, HOUR_MS);
}

export function addCounts(before: Counts | null, more: Counts): Counts {
  const sum = { ...before };
  for (const [name, count] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
