/** The room of a business: where its windows hear of each other's changes. */
import { database } from "../db/client.ts";
import { type Env, NEAR_SYDNEY } from "../env.ts";
import { log } from "../log.ts";
import { inTime } from "../patience.ts";
import type { RoomObject } from "./room-object.ts";
import { isAnyOwn } from "./window-queries.ts";

/** The room of a business. `businessId` comes from a scope or a sale, never from a request. */
export function roomOf(env: Env, businessId: string): DurableObjectStub<RoomObject> {
  const namespace = env.BUSINESS_ROOM as DurableObjectNamespace<RoomObject>;
  return namespace.get(namespace.idFromName(businessId), NEAR_SYDNEY);
}

/** Longer than this nobody waits for a room to say who is there. */
const ROOM_PATIENCE_MS = 2_000;

/**
 * Whether a person has a window open that was heard of lately. A room that does not answer is taken for an empty one:
 * a word too many is better than one too few. What an admin sees through somebody's eyes is not seen by them.
 * @throws D1's errors
 */
export async function hasWindowOf(env: Env, businessId: string, userId: string): Promise<boolean> {
  const heard = await listHeard(env, businessId, userId);
  return heard.length > 0 && isAnyOwn(database(env.DB), heard);
}

async function listHeard(env: Env, businessId: string, userId: string): Promise<string[]> {
  try {
    return await inTime(roomOf(env, businessId).sessionsHeardOf(userId), ROOM_PATIENCE_MS);
  } catch (error) {
    log("warn", "room_unreachable", { error });
    return [];
  }
}

/** Tells a business's windows that a customer of theirs wrote back. */
export async function tellAnswered(
  env: Env,
  { businessId, purchaseId }: { businessId: string; purchaseId: string },
): Promise<void> {
  try {
    const notice = { type: "purchase_changed", purchaseId, byUserId: "system", isAnswer: true } as const;
    await roomOf(env, businessId).notify(notice);
  } catch (error) {
    log("warn", "room_unreachable", { error });
  }
}

/** Tells the business's other windows; a missed push is made up for when they reconnect. */
export async function notifyRoom(
  env: Env,
  { businessId, userId }: { businessId: string; userId: string },
  purchaseId: string,
): Promise<void> {
  try {
    const notice = { type: "purchase_changed", purchaseId, byUserId: userId } as const;
    await roomOf(env, businessId).notify(notice);
  } catch (error) {
    log("warn", "room_unreachable", { error });
  }
}
