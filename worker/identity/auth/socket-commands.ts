/** Records the Durable Objects where a session may have sockets, before each socket opens. */
import { and, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { liveSockets, type Place, sessions, users } from "../../platform/db/schema.ts";
import type { SocketSession } from "../../platform/session.ts";
import { isSessionUser, signedInAt, whereLive } from "./queries.ts";
import { MAX_SESSION_MS } from "./rules.ts";

const ownRoom = sql<Place>`'room:' || coalesce(${users.teamOwnerId}, ${users.id})`;

/**
 * SQL: the session may open a socket, by the same rules as the gate (`socketScope`). A refused session leaves no
 * record.
 */
const canOpenSocket = and(
  isSessionUser,
  sql`${users.userType} <> 'customer'`,
  sql`(NOT ${users.mustChangePassword} OR ${sessions.impersonatorId} IS NOT NULL)`,
)!;

/**
 * Records that a live session may have a socket at a place, in one transaction. If the session ends concurrently,
 * either its end finds the record or nothing is recorded.
 * @param place a region's exchange, or the room of the session's own business
 * @returns the session and its user; null if the session has ended or never existed. Do not open a socket then.
 */
export async function recordSocket(
  db: Db,
  tokenHash: string,
  place: { region: string } | "own-room",
  now: number,
): Promise<SocketSession | null> {
  const name = place === "own-room" ? ownRoom : sql<Place>`${`region:${place.region}`}`;
  const note = { sessionId: sessions.id, place: name.as("place"), ended: sql<boolean>`0`.as("ended") };
  // Alias the columns: in a batch, drizzle drops one of two columns with the same name.
  const who = {
    id: sql<string>`${sessions.id}`.as("session_id"),
    impersonatorId: sessions.impersonatorId,
    expiresAt: sql<number>`min(${sessions.expiresAt}, ${signedInAt} + ${MAX_SESSION_MS})`.as("ends_at"),
    userId: sql<string>`${users.id}`.as("person_id"),
    userType: users.userType,
    teamOwnerId: users.teamOwnerId,
    mustChangePassword: users.mustChangePassword,
  };
  const [, [found]] = await db.batch([
    db
      .insert(liveSockets)
      .select(
        whereLive(db.select(note).from(sessions).innerJoin(users, canOpenSocket).$dynamic(), tokenHash, now),
      )
      .onConflictDoNothing(),
    whereLive(db.select(who).from(sessions).innerJoin(users, isSessionUser).$dynamic(), tokenHash, now),
  ]);
  if (!found) return null;
  const { id, impersonatorId, expiresAt, userId, ...person } = found;
  return { id, impersonatorId, expiresAt, user: { id: userId, ...person } };
}
