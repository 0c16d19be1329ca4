/**
 * Caches sessions that this isolate has just read from D1. Use a cached session only if the response to it reveals
 * nothing. A losing claim gets its response from the exchange. D1 confirms the session of a winning claim before the
 * Worker returns data.
 */
import { MINUTE_MS } from "../../../contract/durations.ts";
import type { Session } from "../../platform/session.ts";

const CACHE_MS = MINUTE_MS;
const MAX_SESSIONS = 5_000;

const recent = new Map<string, { session: Session; readAt: number }>();

/** Caches a session read from D1. A null session clears the entry. */
export function cacheSession(tokenHash: string, session: Session | null, now: number): void {
  // Re-insert it, so that the first entry is always the oldest.
  recent.delete(tokenHash);
  if (!session) return;
  recent.set(tokenHash, { session, readAt: now });
  if (recent.size > MAX_SESSIONS) recent.delete(recent.keys().next().value!);
}

/** Returns a session read from D1 within the last minute; null if there is none. */
export function findCachedSession(tokenHash: string, now: number): Session | null {
  const entry = recent.get(tokenHash);
  return entry && now - entry.readAt < CACHE_MS ? entry.session : null;
}
