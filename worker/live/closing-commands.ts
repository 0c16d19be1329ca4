import type { Place } from "../platform/db/schema.ts";
import { isRegion } from "../../contract/regions.ts";
import type { Context } from "../platform/context.ts";
import { NEAR_SYDNEY } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { withTimeout } from "../platform/timeout.ts";
import { roomOf } from "./room.ts";
import { deleteClosed, listSocketsToClose, type SocketsToClose } from "./socket-commands.ts";
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
