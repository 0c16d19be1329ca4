/** Notifies a business's open windows through its room. */

import type { BusinessMessage } from "../../contract/exchange.ts";
import type { Context } from "../platform/context.ts";
import { type Bindings, NEAR_SYDNEY } from "../platform/env.ts";
import { log } from "../platform/log.ts";
import { withTimeout } from "../platform/timeout.ts";
import type { SocketHost } from "./sockets.ts";
import { hasOwnSession } from "./window-queries.ts";

/** Returns the room of a business. `businessId` must come from a scope or a sale, not from an unchecked request. */
export function roomOf(
  context: Pick<Bindings, "BUSINESS_ROOM">,
  businessId: string,
): DurableObjectStub<RoomObject> {
  const namespace = context.BUSINESS_ROOM as DurableObjectNamespace<RoomObject>;
  return namespace.get(namespace.idFromName(businessId), NEAR_SYDNEY);
}

/** Timeout of the call to a room that lists open windows. */
const ROOM_TIMEOUT_MS = 2_000;

/**
 * Returns whether a user has an open window with recent activity. Treats a room that does not respond as empty, because
 * an extra message is better than a missing one. Windows of an impersonating admin do not count.
 * @throws D1's errors
 */
export async function hasWindowOf(context: Context, businessId: string, userId: string): Promise<boolean> {
  const active = await listActiveSessions(context, businessId, userId);
  return active.length > 0 && hasOwnSession(context.db, active);
}

async function listActiveSessions(context: Context, businessId: string, userId: string): Promise<string[]> {
  try {
    return await withTimeout(roomOf(context, businessId).sessionsHeardOf(userId), ROOM_TIMEOUT_MS);
  } catch (error) {
    log("warn", "room_unreachable", { error });
    return [];
  }
}

/** Notifies a business's windows that a customer replied. */
export async function notifyAnswered(
  context: Context,
  { businessId, purchaseId }: { businessId: string; purchaseId: string },
): Promise<void> {
  try {
    const notice = { type: "purchase_changed", purchaseId, byUserId: "system", isAnswer: true } as const;
    await roomOf(context, businessId).notify(notice);
  } catch (error) {
    log("warn", "room_unreachable", { error });
  }
}

/** Notifies businesses' windows that an offer to them began or ended. A window that misses it asks when it reconnects. */
export async function notifyOffers(
  context: Pick<Bindings, "BUSINESS_ROOM">,
  businessIds: readonly string[],
): Promise<void> {
  for (const businessId of businessIds) {
    try {
      await roomOf(context, businessId).notify({ type: "offers_changed" });
    } catch (error) {
      log("warn", "room_unreachable", { error });
    }
  }
}

/**
 * Notifies a business's windows that a purchase changed. A window that misses the notice catches up when it reconnects.
 */
export async function notifyRoom(
  context: Context,
  { businessId, userId }: { businessId: string; userId: string },
  purchaseId: string,
): Promise<void> {
  try {
    const notice = { type: "purchase_changed", purchaseId, byUserId: userId } as const;
    await roomOf(context, businessId).notify(notice);
  } catch (error) {
    log("warn", "room_unreachable", { error });
  }
}

type WithoutServerTime<Message> = Message extends unknown ? Omit<Message, "serverNow"> : never;

/** A message without `serverNow`, which the room adds. */
export type RoomNotice = WithoutServerTime<Exclude<BusinessMessage, { type: "hello" }>>;

/** The interface of a business's room. */
export interface RoomObject extends Rpc.DurableObjectBranded, SocketHost {
  /** Sends a notice to every window of the business. A window that misses it catches up when it reconnects. */
  notify: (notice: RoomNotice) => Promise<void>;
  /** Returns the user's sessions that have an open window here with recent activity. */
  sessionsHeardOf: (userId: string) => Promise<string[]>;
}
