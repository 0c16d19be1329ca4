/**
 * Sessions this isolate has read from D1 a moment ago. They may only stand in where nothing is given away
 * on their word: a claim that loses is answered from the exchange alone, and one that wins is confirmed
 * with D1 before anything leaves the server.
 */
import { MINUTE_MS } from "../../contract/durations.ts";
import type { Session } from "../platform/session.ts";

const KEPT_MS = MINUTE_MS;
const MOST = 5_000;

const recent = new Map<string, { session: Session; readAt: number }>();

/** Remembers what D1 said about a session; null forgets it. */
export function rememberSession(tokenHash: string, session: Session | null, now: number): void {
  // Re-inserted, so that the first entry is always the oldest.
  recent.delete(tokenHash);
  if (!session) return;
  recent.set(tokenHash, { session, readAt: now });
  if (recent.size > MOST) recent.delete(recent.keys().next().value!);
}

/** What D1 said about a session within the last minute; null when it was not asked. */
export function recallSession(tokenHash: string, now: number): Session | null {
  const entry = recent.get(tokenHash);
  return entry && now - entry.readAt < KEPT_MS ? entry.session : null;
}
