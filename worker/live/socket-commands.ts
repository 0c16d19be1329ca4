/** The sockets that ended sessions may still have open. */
import { and, eq, sql } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { liveSockets, type Place } from "../db/schema.ts";

/** One closing takes so many rows; a person has a dozen, the sweep comes back for the rest. */
const MOST = 500;

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
