/** The room of a business: where its windows hear of each other's changes. */
import { type Env, NEAR_SYDNEY } from "../env.ts";
import { log } from "../log.ts";
import type { RoomObject } from "./room-object.ts";

/** The room of a business. `businessId` comes from a scope or a sale, never from a request. */
export function roomOf(env: Env, businessId: string): DurableObjectStub<RoomObject> {
  return env.BUSINESS_ROOM.get(env.BUSINESS_ROOM.idFromName(businessId), NEAR_SYDNEY);
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
