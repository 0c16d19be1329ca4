import { isRegion } from "../../contract/regions.ts";
import type { EndedSession } from "../auth/commands.ts";
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

/**
 * Closes every socket of sessions that have ended: in the regions they watched and in their business's
 * room. A failure is logged and swallowed: sockets end by themselves within the hour.
 * @param businessId room of these people, if they have one
 */
export async function closeSockets(
  env: Env,
  ended: EndedSession[],
  businessId?: string | null,
): Promise<void> {
  const closings = ended.flatMap((session) => {
    const selector = { sessionId: session.id };
    const exchanges = session.liveRegions.map((region) => exchangeOf(env, region)?.closeSockets(selector));
    return businessId ? [...exchanges, roomOf(env, businessId).closeSockets(selector)] : exchanges;
  });
  for (const result of await Promise.allSettled(closings.map((closing) => closing && inTime(closing)))) {
    if (result.status === "rejected") {
      log("warn", "close_sockets_failed", { error: result.reason });
    }
  }
}
