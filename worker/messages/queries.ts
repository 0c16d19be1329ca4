import { and, desc, eq, gt, inArray, sql } from "drizzle-orm";

import type { LeadSummary } from "../../contract/leads.ts";
import { type QuietHours, DEFAULT_QUIET_HOURS } from "../../contract/notifications.ts";
import { isRegion, type Region } from "../../contract/regions.ts";
import { formatDevice } from "../identity/account/views.ts";
import type { BusinessScope } from "../identity/auth/rights.ts";
import type { Session } from "../platform/session.ts";
import type { Db } from "../platform/db/client.ts";
import { alertSettings, leads, pushDevices, sessions, users } from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import { exchangeOf } from "../exchange/stub.ts";
import { listShown } from "../leads/queries.ts";
import { maskedSummary, type ShownLead } from "../leads/views.ts";
import { withTimeout } from "../platform/timeout.ts";
import { type AlertChooser, isWanted, alertRegions, sizeOf } from "./alert-rules.ts";
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

/** A device that can receive messages, with the data for messages about leads. */
export type Recipient =
  Awaited<ReturnType<typeof findRecipients>> extends Map<string, infer Found> ? Found : never;

/**
 * Returns the devices that can receive messages, by id, with their owners' alert settings and quiet hours. Only a user
 * who may buy receives market messages.
 */
export async function findRecipients(context: Context, deviceIds: readonly string[], now: number) {
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

/** A lead's state at its exchange: for sale, held, or gone. */
export type LeadStanding = "available" | "held" | "gone";

/** Returns the states of leads from their exchanges, because D1 does not store holds. */
async function statesOf(context: Context, requested: readonly { id: string; region: string }[]) {
  const byRegion = Map.groupBy(requested, ({ region }) => region);
  const states = await Promise.all(
    [...byRegion].map(([region, those]) =>
      withTimeout(exchangeOf(context, region)!.recordsOf(those.map(({ id }) => id))),
    ),
  );
  return new Map(states.flat().map(({ leadId, state }) => [leadId, state]));
}

/** Returns leads as rivals see them, with their current state. Omits unknown leads and leads of another generation. */
export async function findLeadsToAlert(
  context: Context,
  requested: readonly { leadId: string; generation: number }[],
): Promise<Map<string, { summary: LeadSummary; size: string | null; standing: LeadStanding }>> {
  const generations = new Map(requested.map(({ leadId, generation }) => [leadId, generation]));
  const ids = [...generations.keys()];
  if (ids.length === 0) return new Map();
  const rows = await context.db
    .select()
    .from(leads)
    .where(inArray(leads.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`));
  const sameGeneration = rows.filter(({ id, generation }) => generations.get(id) === generation);
  const stateOf = await statesOf(context, sameGeneration);
  return new Map(
    sameGeneration.map((lead) => {
      const state = stateOf.get(lead.id);
      const isHeld = state === "held" || state === "releasing";
      const standing =
        state === "available" && lead.erasedAt === null ? "available" : isHeld ? "held" : "gone";
      return [lead.id, { summary: maskedSummary(lead), size: sizeOf(lead), standing }];
    }),
  );
}

/** A user with their alert settings. Only owners get market alerts, so the business has their id. */
type MarketReader = AlertChooser & { userId: string };

/** Maximum leads counted in a digest. It names fewer. */
const DIGEST_LEADS = 20;
/** Maximum market pages to search for a user who wants few of many leads. */
const DIGEST_PAGES = 5;

/** Returns the newest leads since a given time in these regions that match the recipient's alert settings. */
async function newestFor(db: Db, recipient: MarketReader, regions: Region[], since: number, now: number) {
  const found: ShownLead[] = [];
  let after: ShownLead | null = null;
  for (let page = 0; page < DIGEST_PAGES && found.length < DIGEST_LEADS; page++) {
    const rows: ShownLead[] = await listShown(db, {
      businessId: recipient.userId,
      regions,
      limit: DIGEST_LEADS,
      after,
      now,
    });
    const fresh = rows.filter(({ createdAt }) => createdAt >= since);
    found.push(...fresh.filter((lead) => isWanted({ ...lead, size: sizeOf(lead) }, recipient)));
    if (fresh.length < DIGEST_LEADS) break;
    after = rows.at(-1) ?? null;
  }
  return found.slice(0, DIGEST_LEADS);
}

/** Returns leads since a given time that match the recipient's alert settings and are still for sale, newest first. */
export async function listForDigest(context: Context, recipient: MarketReader, since: number, now: number) {
  const regions = alertRegions(recipient).filter((slug): slug is Region => isRegion(slug));
  if (regions.length === 0) return [];
  const wanted = await newestFor(context.db, recipient, regions, since, now);
  const stateOf = await statesOf(context, wanted);
  return wanted.filter(({ id }) => stateOf.get(id) === "available").map(maskedSummary);
}
