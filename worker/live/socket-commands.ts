/** Which objects a session may have sockets at: written down before each is opened, read when it ends. */
import { and, eq, sql } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { liveSockets, type Place, sessions, users } from "../db/schema.ts";
import { isTheirs, signedInAt, type SocketSession, whereLive } from "../auth/queries.ts";
import { SESSION_MOST_MS } from "../auth/rules.ts";

/** One closing takes so many rows; a person has a dozen, the sweep comes back for the rest. */
const MOST = 500;

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

/** Sockets to close: of a place, whose sessions. */
export type ToClose = { place: Place; sessionIds: string[] };

/**
 * What ended sessions may still have open, by place.
 * @param sessionIds only theirs; left out, everybody's, some hundred at a time
 */
export async function listToClose(db: Db, sessionIds?: readonly string[]): Promise<ToClose[]> {
  const rows = await db
    .select({ place: liveSockets.place, sessionId: liveSockets.sessionId })
    .from(liveSockets)
    .where(
      and(
        // The words of the partial index.
        sql`ended`,
        sessionIds &&
          sql`${liveSockets.sessionId} IN (SELECT value FROM json_each(${JSON.stringify(sessionIds)}))`,
      ),
    )
    .limit(MOST);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return [...byPlace].map(([place, some]) => ({ place, sessionIds: some.map(({ sessionId }) => sessionId) }));
}

/** Forgets what a place has closed. */
export async function forgetClosed(db: Db, { place, sessionIds }: ToClose): Promise<void> {
  await db
    .delete(liveSockets)
    .where(
      and(
        sql`ended`,
        eq(liveSockets.place, place),
        sql`${liveSockets.sessionId} IN (SELECT value FROM json_each(${JSON.stringify(sessionIds)}))`,
      ),
    );
}
