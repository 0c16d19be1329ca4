/**
 * Sessions that this isolate has just read from D1. Use them only where they reveal nothing by themselves. A
 * losing claim is answered from the exchange alone. A winning claim is confirmed with D1 before anything leaves
 * the server.
 */
import { MINUTE_MS } from "../../../contract/durations.ts";
import type { Session } from "../../platform/session.ts";

const KEPT_MS = MINUTE_MS;
const MAX_SESSIONS = 5_000;

const recent = new Map<string, { session: Session; readAt: number }>();

/** Caches a session read from D1; null removes it. */
export function rememberSession(tokenHash: string, session: Session | null, now: number): void {
  // Re-insert it, so that the first entry is always the oldest.
  recent.delete(tokenHash);
  if (!session) return;
  recent.set(tokenHash, { session, readAt: now });
  if (recent.size > MAX_SESSIONS) recent.delete(recent.keys().next().value!);
}

/** Returns a session read from D1 within the last minute; null if there is none. */
export function recallSession(tokenHash: string, now: number): Session | null {
  const entry = recent.get(tokenHash);
  return entry && now - entry.readAt < KEPT_MS ? entry.session : null;
}
