import { and, eq, sql } from "drizzle-orm";

import { isRegion } from "../../contract/regions.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { liveSockets, type Place } from "../platform/db/users.ts";
import { NEAR_SYDNEY } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { withTimeout } from "../platform/timeout.ts";
import { roomOf } from "./room.ts";
import type { SocketHost } from "./sockets.ts";

/** Returns the Durable Object with the sockets of a place; null for an unknown region. */
function objectAt(context: Context, place: Place): SocketHost | null {
  const name = place.slice(place.indexOf(":") + 1);
  if (!place.startsWith("region:")) return roomOf(context, name);
  if (!isRegion(name)) return null;
  const exchanges = context.LEAD_EXCHANGE as DurableObjectNamespace<Rpc.DurableObjectBranded & SocketHost>;
  return exchanges.get(exchanges.idFromName(name), NEAR_SYDNEY);
}

/**
 * Closes the sockets of ended sessions at one place, then deletes their rows.
 * @throws if the object does not respond in time
 */
async function closeAt(context: Context, toClose: SocketsToClose): Promise<number> {
  const object = objectAt(context, toClose.place);
  for (const sessionId of object ? toClose.sessionIds : [])
    await withTimeout(object!.closeSockets({ sessionId }));
  await deleteClosed(context.db, toClose);
  return toClose.sessionIds.length;
}

async function closeAll(
  context: Context,
  places: SocketsToClose[],
): Promise<{ closed: number; failed: number }> {
  const counts = { closed: 0, failed: 0 };
  for (const result of await Promise.allSettled(places.map((toClose) => closeAt(context, toClose)))) {
    if (result.status === "fulfilled") {
      counts.closed += result.value;
    } else {
      counts.failed += 1;
      log("warn", "close_sockets_failed", { error: result.reason });
    }
  }
  return counts;
}

/**
 * Closes all sockets of ended sessions, including those of impersonating admins. Logs failures without throwing,
 * because the sweep retries every minute.
 */
export async function closeSockets(context: Context, ended: readonly { id: string }[]): Promise<void> {
  if (ended.length === 0) return;
  try {
    await closeAll(
      context,
      await listSocketsToClose(
        context.db,
        ended.map(({ id }) => id),
      ),
    );
  } catch (error) {
    log("warn", "close_sockets_failed", { error });
  }
}

/**
 * Closes sockets that stayed open after their session ended, e.g. because the object was unreachable or the session's
 * row was deleted manually.
 */
export async function sweepSockets(context: Context): Promise<{ closed: number; failed: number }> {
  return closeAll(context, await listSocketsToClose(context.db));
}

// Lists and deletes records of sockets that ended sessions may still have open.

/** Maximum rows per call. A user has about a dozen. The next sweep handles any further rows. */
const MAX_SOCKETS = 500;

/** One place, and the sessions to close there. */
type SocketsToClose = { place: Place; sessionIds: string[] };

/**
 * Lists the sockets that ended sessions may still have open, by place.
 * @param sessionIds only these sessions; all sessions if absent. Returns at most 500 rows
 */
async function listSocketsToClose(db: Db, sessionIds?: readonly string[]): Promise<SocketsToClose[]> {
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
async function deleteClosed(db: Db, { place, sessionIds }: SocketsToClose): Promise<void> {
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
