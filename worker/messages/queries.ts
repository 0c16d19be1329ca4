import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";

import { type QuietHours, DEFAULT_QUIET_HOURS } from "../../contract/notifications.ts";
import { formatDevice } from "../identity/account/queries.ts";
import type { BusinessScope } from "../identity/auth/rules.ts";
import type { Session } from "../platform/caller.ts";
import type { Db } from "../platform/db/client.ts";
import { alertSettings, pushDevices } from "../platform/db/messages.ts";
import { sessions, users } from "../platform/db/users.ts";
import type { Context } from "../platform/context.ts";
import type { Recipient } from "../outbox/message.ts";
import type { PushTarget } from "./push.ts";
import { isReachable, canReceiveMarket } from "./spread-commands.ts";

export async function findQuietHours(db: Db, scope: Pick<BusinessScope, "userId">): Promise<QuietHours> {
  const [row] = await db
    .select({ quietHours: alertSettings.quietHours })
    .from(alertSettings)
    .where(eq(alertSettings.userId, scope.userId));
  return row?.quietHours ?? DEFAULT_QUIET_HOURS;
}

/** Returns a user's devices with an unexpired session, newest first. */
export async function listDevices(db: Db, session: Session, now: number) {
  const rows = await db
    .select({
      id: pushDevices.id,
      createdAt: pushDevices.createdAt,
      endpoint: pushDevices.endpoint,
      sessionId: sessions.id,
      userAgent: sessions.userAgent,
    })
    .from(pushDevices)
    .innerJoin(sessions, eq(sessions.id, pushDevices.sessionId))
    .where(and(eq(pushDevices.userId, session.user.id), gt(sessions.expiresAt, now)))
    .orderBy(desc(pushDevices.createdAt));
  return rows.map(({ id, createdAt, endpoint, sessionId, userAgent }) => ({
    id,
    device: formatDevice(userAgent),
    isCurrent: sessionId === session.id,
    endpoint: sessionId === session.id ? endpoint : null,
    createdAt,
  }));
}

/**
 * Returns the devices that can receive messages, by id, with their owners' alert settings and quiet hours. Only a user
 * who may buy receives market messages.
 */
export async function findRecipients(
  context: Context,
  deviceIds: readonly string[],
  now: number,
): Promise<Map<string, Recipient & PushTarget>> {
  const rows = await context.db
    .select({
      id: pushDevices.id,
      userId: pushDevices.userId,
      endpoint: pushDevices.endpoint,
      p256dh: pushDevices.p256dh,
      auth: pushDevices.auth,
      origin: pushDevices.origin,
      businessId: sql<string>`coalesce(${users.teamOwnerId}, ${users.id})`,
      isTeam: sql<number>`${users.teamOwnerId} IS NOT NULL`.mapWith(Boolean),
      mayBuy: sql<number>`${canReceiveMarket(now, context.settings.requireVerified)}`.mapWith(Boolean),
      watchedRegions: users.watchedRegions,
      services: users.services,
      choices: {
        // Must come first: Drizzle decides by the first column whether there is a row.
        userId: alertSettings.userId,
        regions: alertSettings.regions,
        services: alertSettings.services,
        urgencies: alertSettings.urgencies,
        leastSize: alertSettings.leastSize,
      },
      pausedUntil: alertSettings.pausedUntil,
      quietHours: alertSettings.quietHours,
    })
    .from(pushDevices)
    .innerJoin(sessions, and(eq(sessions.id, pushDevices.sessionId), eq(sessions.userId, pushDevices.userId)))
    .innerJoin(users, eq(users.id, pushDevices.userId))
    .leftJoin(alertSettings, eq(alertSettings.userId, pushDevices.userId))
    .where(
      and(
        inArray(pushDevices.id, sql`(SELECT value FROM json_each(${JSON.stringify(deviceIds)}))`),
        isReachable(now),
      ),
    );
  return new Map(rows.map((row) => [row.id, { ...row, quietHours: row.quietHours ?? DEFAULT_QUIET_HOURS }]));
}
