/** CPU limits for a request. */

/** The limit for everything except password hashing and pictures, which are slow on purpose. */
export const MAX_CPU_MS = 200;

/** Rendering a share picture takes a tenth of a second in production, so the edge caches them. */
const PICTURE_MS = 200;
const PICTURE = /^GET \/og\//;

/** Time to hash one password in production (worker/identity/auth/passwords.ts). */
const HASH_MS = 140;

/** Maximum number of passwords that a request hashes. */
const HASHES: readonly [goal: RegExp, hashes: number][] = [
  [/^PUT \/api\/user\/password|^POST \/choose-password/, 2],
  [/^POST \S*(login|signup|reset-password|team-members|confirm\/password|user\/closure)\b/, 1],
];

export function hashesOf(goal: string): number {
  return HASHES.find(([pattern]) => pattern.test(goal))?.[1] ?? 0;
}

/**
 * Returns the limit for a request. A machine that hashes slowly has a higher one.
 * @param hashMs time to hash one password on this machine
 */
export function allowedCpuMs(goal: string, hashMs: number): number {
  const limit = MAX_CPU_MS + (PICTURE.test(goal) ? PICTURE_MS : 0);
  return limit * Math.max(1, hashMs / HASH_MS) + hashMs * hashesOf(goal);
}
