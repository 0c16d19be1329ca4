/** What a request may take of the processor. */

/** Everything but hashing passwords, which is meant to take long. */
export const MOST_CPU_MS = 200;

/** How many passwords a request hashes at most. */
const HASHES: readonly [goal: RegExp, hashes: number][] = [
  [/^PUT \/api\/user\/password|^POST \/choose-password/, 2],
  [/^POST \S*(login|signup|reset-password|team-members|confirm\/password)\b/, 1],
];

export function hashesOf(goal: string): number {
  return HASHES.find(([pattern]) => pattern.test(goal))?.[1] ?? 0;
}

/** @param hashMs what hashing one password takes here */
export function allowedCpuMs(goal: string, hashMs: number): number {
  return MOST_CPU_MS + hashMs * hashesOf(goal);
}
