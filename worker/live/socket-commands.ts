/** Lists and deletes records of sockets that ended sessions may still have open. */
import { and, eq, sql } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { liveSockets, type Place } from "../platform/db/schema.ts";

/** Maximum rows per call. A user has about a dozen. The next sweep handles any further rows. */
const MAX_SOCKETS = 500;

/** One place, and the sessions to close there. */
export type SocketsToClose = { place: Place; sessionIds: string[] };

/**
 * Lists the sockets that ended sessions may still have open, by place.
 * @param sessionIds only these sessions; all sessions if absent. Returns at most 500 rows
 */
export async function listSocketsToClose(db: Db, sessionIds?: readonly string[]): Promise<SocketsToClose[]> {
  const rows = await db
    .select({ place: liveSockets.place, sessionId: liveSockets.sessionId })
    .from(liveSockets)
    .where(
      and(
        // Repeats the condition of the partial index.
        sql`ended`,
        sessionIds &&
          sql`${liveSockets.sessionId} IN (SELECT value FROM json_each(${JSON.stringify(sessionIds)}))`,
      ),
    )
    .limit(MAX_SOCKETS);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return [...byPlace].map(([place, some]) => ({ place, sessionIds: some.map(({ sessionId }) => sessionId) }));
}

/** Deletes the rows of ended sessions at one place, after their sockets are closed. */
export async function deleteClosed(db: Db, { place, sessionIds }: SocketsToClose): Promise<void> {
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
