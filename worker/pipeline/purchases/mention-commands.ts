/** The statements that enqueue mentions of team members in a purchase's notes. */
import { and, eq, exists, inArray, type SQL, sql } from "drizzle-orm";

import { newlyMentioned } from "../../../contract/mentions.ts";
import { USUAL_QUIET_HOURS } from "../../../contract/notifications.ts";
import { USUAL_TEAM_ALERTS } from "../../../contract/team.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { Db } from "../../platform/db/client.ts";
import { alertSettings, leadPurchases, messages, pushDevices, users } from "../../platform/db/schema.ts";
import { rowColumns } from "../../outbox/enqueue-commands.ts";
import { idSql } from "../../outbox/own-lead-commands.ts";
import { endOfQuiet } from "../../outbox/quiet-rules.ts";
import { RULES } from "../../outbox/registry.ts";
import { listMates } from "../../identity/team/queries.ts";

/** Returns those users who may receive alerts about mentions, each with their quiet hours. */
export async function listMentionable(db: Db, userIds: readonly string[]) {
  const rows = await db
    .select({ id: users.id, hours: alertSettings.quietHours })
    .from(users)
    .leftJoin(alertSettings, eq(alertSettings.userId, users.id))
    .where(
      and(
        inArray(users.id, sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`),
        // An owner has no team alerts: no other user chooses an owner's alerts.
        sql`(${users.teamOwnerId} IS NULL OR coalesce(${alertSettings.team} ->> 'mentions', ${USUAL_TEAM_ALERTS.mentions}))`,
      ),
    );
  return rows.map(({ id, hours }) => ({ id, hours: hours ?? USUAL_QUIET_HOURS }));
}

/** Notes are autosaved while the user types. The alert waits until the name is probably complete. */
const SETTLED_IN_MS = 30_000;

/** The purchase before its notes are saved. */
type Before = { id: string; leadId: string; salesNotes: string | null };

/** Returns whether a device has a waiting or recent alert about a mention in these notes. */
const wasNotified = (leadId: string, now: number) => sql`EXISTS (SELECT 1 FROM ${messages} AS told
  WHERE told.recipient = ${pushDevices.id} AND told.template = 'mentioned' AND told.lead_id = ${leadId}
    AND (told.state = 'waiting' OR (told.state = 'sent' AND told.tried_at > ${now - RULES.mentioned.windowMs})))`;

/** The users to alert about a mention, and when. */
export type Mentions = {
  purchaseId: string;
  leadId: string;
  byUserId: string;
  people: { id: string; due: number; expiresAt: number }[];
};

/**
 * Finds the team members whom the new notes mention and the old ones did not. Excludes the writer and users of other
 * businesses.
 * @param before the purchase as it was read; notes with a version are saved only if it is still current
 * @returns null when there are no new mentions
 */
export async function findMentions(
  db: Db,
  scope: BusinessScope,
  before: Before,
  notes: string,
  now: number,
): Promise<Mentions | null> {
  const mates = await listMates(db, scope);
  const added = newlyMentioned(before.salesNotes ?? "", notes, mates).filter((id) => id !== scope.userId);
  if (added.length === 0) return null;
  const people = (await listMentionable(db, added)).map(({ id, hours }) => {
    const due = endOfQuiet(now, hours) ?? now + SETTLED_IN_MS;
    return { id, due, expiresAt: due + RULES.mentioned.lifetimeMs };
  });
  return { purchaseId: before.id, leadId: before.leadId, byUserId: scope.userId, people };
}

/**
 * Builds the statement that enqueues the alerts for each device. Put it before the statement that saves the notes, in
 * the same batch.
 * @param mine the condition under which the notes are saved
 */
export function noteMentions(db: Db, { people, ...about }: Mentions, mine: SQL | undefined, now: number) {
  const { purchaseId, leadId } = about;
  return db
    .insert(messages)
    .select(
      db
        .select(
          rowColumns({
            id: idSql,
            dedupeKey: sql`${`mentioned:${purchaseId}:${now}:`} || ${pushDevices.id}`,
            channel: "push",
            template: "mentioned",
            recipient: sql`${pushDevices.id}`,
            userId: sql`${pushDevices.userId}`,
            leadId: sql`${leadId}`,
            payload: sql`${JSON.stringify(about)}`,
            due: sql`person.value ->> 'due'`,
            expiresAt: sql`person.value ->> 'expiresAt'`,
            createdAt: sql`${now}`,
          }),
        )
        .from(sql`json_each(${JSON.stringify(people)}) AS person`)
        .innerJoin(pushDevices, eq(pushDevices.userId, sql`person.value ->> 'id'`))
        .where(
          and(
            exists(db.select({ id: leadPurchases.id }).from(leadPurchases).where(mine)),
            sql`NOT ${wasNotified(leadId, now)}`,
          ),
        ),
    )
    .onConflictDoNothing();
}
