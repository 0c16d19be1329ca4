import { isRegion } from "../../contract/regions.ts";
import type { EndedSession } from "../auth/commands.ts";
import { forgetClosed, listToClose, type ToClose } from "../auth/socket-commands.ts";
import { database } from "../db/client.ts";
import type { Place } from "../db/schema.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { inTime } from "../patience.ts";
import type { BusinessRoom } from "./business-room.ts";
import type { LeadExchange } from "./lead-exchange.ts";

/** Oceania: where our customers, providers and D1 are. */
const NEAR_SYDNEY = { locationHint: "oc" } as const;

/** The exchange of a region; null for a name that is no region, before any object is touched. */
export function exchangeOf(env: Env, region: string): DurableObjectStub<LeadExchange> | null {
  if (!isRegion(region)) return null;
  return env.LEAD_EXCHANGE.get(env.LEAD_EXCHANGE.idFromName(region), NEAR_SYDNEY);
}

/** The room of a business. `businessId` comes from a scope or a sale, never from a request. */
export function roomOf(env: Env, businessId: string): DurableObjectStub<BusinessRoom> {
  return env.BUSINESS_ROOM.get(env.BUSINESS_ROOM.idFromName(businessId), NEAR_SYDNEY);
}

/** The object of a place where sockets are. */
function objectAt(
  env: Env,
  place: Place,
): DurableObjectStub<LeadExchange> | DurableObjectStub<BusinessRoom> | null {
  const name = place.slice(place.indexOf(":") + 1);
  return place.startsWith("region:") ? exchangeOf(env, name) : roomOf(env, name);
}

/** Closes at one place; what was closed is forgotten. @throws when the place does not answer in time */
async function closeAt(env: Env, toClose: ToClose): Promise<number> {
  const object = objectAt(env, toClose.place);
  for (const sessionId of object ? toClose.sessionIds : []) await inTime(object!.closeSockets({ sessionId }));
  await forgetClosed(database(env.DB), toClose);
  return toClose.sessionIds.length;
}

async function closeAll(env: Env, places: ToClose[]): Promise<{ closed: number; failed: number }> {
  const counts = { closed: 0, failed: 0 };
  for (const result of await Promise.allSettled(places.map((toClose) => closeAt(env, toClose)))) {
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
 * Closes every socket of sessions that have ended, wherever they are, also those opened through somebody
 * else's eyes. A failure is logged and swallowed: the minute's sweep tries again.
 */
export async function closeSockets(env: Env, ended: EndedSession[]): Promise<void> {
  if (ended.length === 0) return;
  try {
    await closeAll(
      env,
      await listToClose(
        database(env.DB),
        ended.map(({ id }) => id),
      ),
    );
  } catch (error) {
    log("warn", "close_sockets_failed", { error });
  }
}

/** Closes what nobody closed when its session ended: an object was away, or a row was deleted by hand. */
export async function sweepSockets(env: Env): Promise<{ closed: number; failed: number }> {
  return closeAll(env, await listToClose(database(env.DB)));
}
