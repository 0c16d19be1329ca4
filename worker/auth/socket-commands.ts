/** Notes at which objects a session may have sockets, before each is opened. */
import { and, sql } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { liveSockets, type Place, sessions, users } from "../db/schema.ts";
import type { SocketSession } from "../platform/session.ts";
import { isTheirs, signedInAt, whereLive } from "./queries.ts";
import { SESSION_MOST_MS } from "./rules.ts";

/** The room of the business that a session's person works for, by SQLite. */
const ownRoom = sql<Place>`'room:' || coalesce(${users.teamOwnerId}, ${users.id})`;

/** Whose session may have one, as the gates have it (`socketScope`): a refused window leaves no note. */
const mayHaveSocket = and(
  isTheirs,
  sql`${users.userType} <> 'customer'`,
  sql`(NOT ${users.mustChangePassword} OR ${sessions.impersonatorId} IS NOT NULL)`,
)!;

/**
 * Notes that a session may have a socket at a place, if it is live: one transaction, so a session that ends
 * at the same moment either finds the note or leaves nothing to note.
 * @param place a region's exchange; or the room of the session's own business
 * @returns the session, with whoever it belongs to; null when it has ended or never was: open nothing then
 */
export async function noteSocket(
  db: Db,
  tokenHash: string,
  place: { region: string } | "own-room",
  now: number,
): Promise<SocketSession | null> {
  const name = place === "own-room" ? ownRoom : sql<Place>`${`region:${place.region}`}`;
  const note = { sessionId: sessions.id, place: name.as("place"), ended: sql<boolean>`0`.as("ended") };
  // Names of their own: in a batch, drizzle loses one of two columns with the same name.
  const who = {
    id: sql<string>`${sessions.id}`.as("session_id"),
    impersonatorId: sessions.impersonatorId,
    expiresAt: sql<number>`min(${sessions.expiresAt}, ${signedInAt} + ${SESSION_MOST_MS})`.as("ends_at"),
    userId: sql<string>`${users.id}`.as("person_id"),
    userType: users.userType,
    teamOwnerId: users.teamOwnerId,
    mustChangePassword: users.mustChangePassword,
  };
  const [, [found]] = await db.batch([
    db
      .insert(liveSockets)
      .select(
        whereLive(db.select(note).from(sessions).innerJoin(users, mayHaveSocket).$dynamic(), tokenHash, now),
      )
      .onConflictDoNothing(),
    whereLive(db.select(who).from(sessions).innerJoin(users, isTheirs).$dynamic(), tokenHash, now),
  ]);
  if (!found) return null;
  const { id, impersonatorId, expiresAt, userId, ...person } = found;
  return { id, impersonatorId, expiresAt, user: { id: userId, ...person } };
}
