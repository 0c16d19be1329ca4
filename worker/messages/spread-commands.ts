/** Expands a new lead into one message for each recipient device. */

import { and, eq, gt, inArray, ne, sql, type SQL } from "drizzle-orm";

import type { LeadAlerts } from "../../contract/lead-alerts.ts";
import { DEFAULT_QUIET_HOURS } from "../../contract/notifications.ts";
import { sydneyDay } from "../../contract/sydney-time.ts";
import { signedInAt } from "../identity/auth/queries.ts";
import { type BusinessScope, MAX_SESSION_MS } from "../identity/auth/rules.ts";
import { type AlertableLead, planFor, shuffle, sizeOf, sizesUpTo } from "../leads/alerts/rules.ts";
import { CHOICES, pick } from "../leads/views.ts";
import { enqueueRows } from "../outbox/commands.ts";
import type { MessageRow } from "../outbox/message.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { leads } from "../platform/db/leads.ts";
import { alertSettings, messages, pushDevices } from "../platform/db/messages.ts";
import { sessions, users } from "../platform/db/users.ts";
import { newId } from "../platform/ids.ts";

/** Maximum rows per statement: a D1 value holds a megabyte. */
const MAX_ROWS = 500;

/** SQL: when a device last got an alert for a single lead. */
const lastAlertAt = sql<number | null>`(SELECT max(earlier.created_at) FROM ${messages} AS earlier
  WHERE earlier.recipient = ${pushDevices.id} AND earlier.template = 'new_lead')`;

/** SQL: the user can receive messages: an active user of an active business with an unexpired session. */
export function isReachable(now: number) {
  return and(
    eq(users.isActive, true),
    inArray(users.userType, ["provider", "team_member"]),
    eq(users.mustChangePassword, false),
    sql`(${users.teamOwnerId} IS NULL OR EXISTS (SELECT 1 FROM ${users} AS owner
      WHERE owner.id = ${users.teamOwnerId} AND owner.is_active = 1))`,
    gt(sessions.expiresAt, now),
    gt(signedInAt, now - MAX_SESSION_MS),
  );
}

/** SQL: the user receives market messages: a reachable provider who may buy. */
export function canReceiveMarket(now: number, requireVerified: boolean) {
  return and(
    isReachable(now),
    eq(users.userType, "provider"),
    requireVerified ? eq(users.isVerified, true) : undefined,
  );
}

/**
 * Returns the devices to alert: the business watches the region and offers the service, and the user wants the alert.
 */
function listRecipients(
  db: Db,
  { excludedBusinessId, ...lead }: AlertableLead & { excludedBusinessId: string | null },
  now: number,
  requireVerified: boolean,
) {
  return db
    .select({
      id: pushDevices.id,
      userId: pushDevices.userId,
      quietHours: alertSettings.quietHours,
      pausedUntil: alertSettings.pausedUntil,
      lastAlertAt: lastAlertAt.as("last_alert_at"),
    })
    .from(pushDevices)
    .innerJoin(sessions, and(eq(sessions.id, pushDevices.sessionId), eq(sessions.userId, pushDevices.userId)))
    .innerJoin(users, eq(users.id, pushDevices.userId))
    .leftJoin(alertSettings, eq(alertSettings.userId, pushDevices.userId))
    .where(
      and(
        canReceiveMarket(now, requireVerified),
        excludedBusinessId ? ne(users.id, excludedBusinessId) : undefined,
        ...wantsConditions(lead),
      ),
    );
}

/**
 * Expands the note of a new lead into one message per recipient device, all or none. Idempotent.
 * @returns the number of devices, and the ids of messages due now, in sending order. Messages from an earlier run have
 * other ids
 * @throws D1's errors; the note stays and is retried
 */
export async function spread(
  context: Context,
  note: MessageRow,
  now: number,
): Promise<{ recipients: number; dueIds: string[] }> {
  const db = context.db;
  const { leadId = "", generation = 0 } = note.payload;
  const [lead] = await db
    .select({
      ...pick(leads, CHOICES),
      source: leads.source,
      createdAt: leads.createdAt,
      excludedBusinessId: leads.excludedBusinessId,
    })
    .from(leads)
    .where(and(eq(leads.id, leadId), eq(leads.generation, generation), eq(leads.status, "available")));
  const finishNote = (state: MessageRow["state"]) =>
    db
      .update(messages)
      .set({ state })
      .where(inArray(messages.id, [note.id]));
  if (!lead) {
    await finishNote("dropped");
    return { recipients: 0, dueIds: [] };
  }
  const sizedLead = { ...lead, size: sizeOf(lead) };
  const recipients = shuffle(await listRecipients(db, sizedLead, now, context.settings.requireVerified));
  const rows = recipients.map((recipient) => {
    const { id, userId } = recipient;
    const device = { ...recipient, quietHours: recipient.quietHours ?? DEFAULT_QUIET_HOURS };
    const plan = planFor(device, { leadId, generation }, now);
    const { key: dedupeKey, template, due, expiresAt } = plan;
    const payload = template === "new_lead" ? { leadId, generation } : { since: lead.createdAt };
    return {
      id: newId("msg"),
      dedupeKey,
      template,
      recipient: id,
      userId,
      payload,
      due,
      expiresAt,
      createdAt: now,
    };
  });
  const chunks = Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, i) =>
    enqueueRows(db, rows.slice(i * MAX_ROWS, (i + 1) * MAX_ROWS)),
  );
  await db.batch([finishNote("sent"), ...chunks]);
  return { recipients: recipients.length, dueIds: rows.filter(({ due }) => due <= now).map(({ id }) => id) };
}

// Reads users' alert choices, and builds SQL conditions that match leads with them.

/** Returns a user's choices. A user without a row has no choices and no pause. */
export async function findLeadAlerts(
  db: Db,
  scope: Pick<BusinessScope, "userId">,
  now: number,
): Promise<LeadAlerts> {
  const [row] = await db.select().from(alertSettings).where(eq(alertSettings.userId, scope.userId));
  const {
    regions = null,
    services = null,
    urgencies = null,
    leastSize = null,
    pausedUntil = null,
  } = row ?? {};
  return {
    regions,
    services,
    urgencies,
    leastSize,
    pausedUntil: pausedUntil !== null && pausedUntil > now ? sydneyDay(pausedUntil) : null,
  } as LeadAlerts;
}

const jsonValuesOf = (values: readonly string[]) =>
  sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** SQL: a list contains a value. NULL contains every value. */
const names = (list: typeof alertSettings.regions | typeof alertSettings.urgencies, value: string) =>
  sql`(${list} IS NULL OR EXISTS (SELECT 1 FROM json_each(${list}) WHERE value = ${value}))`;

/**
 * SQL: the business offers one of the lead's services, and its owner chose the same service. A business without listed
 * services offers all.
 */
function isWork(services: readonly string[]): SQL {
  const isRequested = sql`value IN ${jsonValuesOf(services)}`;
  const isOffered = sql`(${users.services} = '[]' OR value IN (SELECT value FROM json_each(${users.services})))`;
  return sql`CASE WHEN ${alertSettings.services} IS NULL
    THEN ${users.services} = '[]' OR EXISTS (SELECT 1 FROM json_each(${users.services}) WHERE ${isRequested})
    ELSE EXISTS (SELECT 1 FROM json_each(${alertSettings.services}) WHERE ${isRequested} AND ${isOffered}) END`;
}

/** SQL: a user wants an alert for a lead. The statement must left join the user's row of `alert_settings`. */
function wantsConditions({ region, serviceType, urgency, size }: AlertableLead): SQL[] {
  return [
    sql`EXISTS (SELECT 1 FROM json_each(${users.watchedRegions}) WHERE value = ${region})`,
    isWork(serviceType),
    names(alertSettings.regions, region),
    names(alertSettings.urgencies, urgency),
    sql`(${alertSettings.leastSize} IS NULL OR ${alertSettings.leastSize} IN ${jsonValuesOf(sizesUpTo(size))})`,
  ];
}
