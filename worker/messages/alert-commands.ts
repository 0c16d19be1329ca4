/** Saves a user's alert choices, pause and quiet hours. Senders check them when a message is due. */
import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";

import type { LeadAlertsForm } from "../../contract/lead-alerts.ts";
import { type QuietHours, DEFAULT_QUIET_HOURS } from "../../contract/notifications.ts";
import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import type { BusinessScope } from "../identity/auth/rules.ts";
import type { Rows } from "../outbox/message.ts";
import { endOfQuiet, endOfPauseOrQuiet } from "../outbox/rules.ts";
import type { Db } from "../platform/db/client.ts";
import { alertSettings, messages } from "../platform/db/messages.ts";
import { findQuietHours } from "./queries.ts";
import { leadDigest } from "../leads/alerts/messages.ts";
import { enqueue } from "../outbox/commands.ts";
import { mentioned } from "../pipeline/purchases/messages.ts";

/**
 * Returns the statements that merge a user's waiting digests into one per device, from its earliest lead, and
 * reschedule it. The first statement returns the ids.
 * @param which the digests, as a condition on their rows
 * @param due epoch ms
 */
function moveDigests(db: Db, userId: string, which: SQL, due: number, now: number) {
  const waiting = and(
    eq(messages.userId, userId),
    eq(messages.template, "lead_digest"),
    eq(messages.state, "waiting"),
    which,
  );
  const earliest = db
    .select({
      recipient: messages.recipient,
      since: sql`min(${messages.payload} ->> 'since')`.as("since"),
    })
    .from(messages)
    .where(waiting)
    .groupBy(messages.recipient);
  const device = sql`digest.recipient`;
  const rows: Rows = {
    channel: "push",
    from: sql`${earliest} AS digest`,
    recipient: device,
    userId: sql`${userId}`,
    keyPrefix: device,
    payload: sql`json_object('since', digest.since)`,
    due,
    expiresAt: due + leadDigest.lifetimeMs,
  };
  return [
    enqueue(db, leadDigest, { due }, now, rows).returning({ id: messages.id }),
    // Delete instead of dropping: another digest may become due at that time.
    db
      .delete(messages)
      .where(inArray(messages.id, db.select({ id: messages.id }).from(messages).where(waiting))),
  ] as const;
}

/** SQL: a digest waits for an active pause and is due after `end`. */
function isDigestAfterPause(userId: string, end: number, now: number) {
  const isPaused = sql`EXISTS (SELECT 1 FROM ${alertSettings}
    WHERE ${alertSettings.userId} = ${userId} AND ${alertSettings.pausedUntil} > ${now})`;
  return sql`${messages.due} > ${end} AND ${isPaused}`;
}

/**
 * Saves a user's alert choices and pause. Omitted fields do not change. If the pause now ends earlier, waiting digests
 * are due earlier too.
 * @returns ids of the digests that are due now
 */
export async function setLeadAlerts(
  db: Db,
  scope: BusinessScope,
  { pausedUntil: day, ...choices }: LeadAlertsForm,
  now: number,
): Promise<string[]> {
  const { userId } = scope;
  const pause = day === undefined ? {} : { pausedUntil: day === null ? null : startOfSydneyDay(day) };
  const row = { userId, ...choices, ...pause };
  const save = db
    .insert(alertSettings)
    .values(row)
    .onConflictDoUpdate({ target: alertSettings.userId, set: row });
  if (pause.pausedUntil === undefined) {
    await save;
    return [];
  }
  const end = endOfPauseOrQuiet(now, await findQuietHours(db, scope), pause.pausedUntil);
  const due = end ?? now;
  // A longer pause moves no digest. The sender postpones a digest that is due before the pause ends.
  const [forward] = await db.batch([
    ...moveDigests(db, userId, isDigestAfterPause(userId, due, now), due, now),
    save,
  ]);
  return end === null ? forward.map(({ id }) => id) : [];
}

/** Returns the statement that reschedules messages waiting for the end of quiet hours, except digests. */
const moveQuietMessages = (db: Db, userId: string, from: number | null, due: number) =>
  db
    .update(messages)
    .set({
      due,
      // A mention's lifetime starts when quiet hours end.
      expiresAt: sql`CASE ${messages.template} WHEN 'mentioned' THEN ${due + mentioned.lifetimeMs}
        ELSE ${messages.expiresAt} END`,
    })
    .where(
      and(
        eq(messages.userId, userId),
        ne(messages.template, "lead_digest"),
        eq(messages.state, "waiting"),
        sql`${messages.due} = ${from}`,
      ),
    )
    .returning({ id: messages.id });

/**
 * Saves a user's quiet hours. Messages that wait for the old hours are now due when the new hours end, or at once.
 * @returns ids of the messages that are due now
 */
export async function setQuietHours(
  db: Db,
  scope: BusinessScope,
  hours: QuietHours,
  now: number,
): Promise<string[]> {
  const { userId } = scope;
  const [row] = await db.select().from(alertSettings).where(eq(alertSettings.userId, userId));
  const before = row?.quietHours ?? DEFAULT_QUIET_HOURS;
  const pausedUntil = row?.pausedUntil ?? null;
  const save = db
    .insert(alertSettings)
    .values({ userId, quietHours: hours })
    .onConflictDoUpdate({ target: alertSettings.userId, set: { quietHours: hours } });
  // If a pause ends in quiet hours, digests wait for the end of those hours.
  const restUntil = endOfPauseOrQuiet(now, before, pausedUntil);
  if (restUntil === null) {
    await save;
    return [];
  }
  const quiet = endOfQuiet(now, hours) ?? now;
  const rest = endOfPauseOrQuiet(now, hours, pausedUntil) ?? now;
  const [digests, , others] = await db.batch([
    ...moveDigests(db, userId, sql`${messages.due} = ${restUntil} AND ${messages.due} <> ${rest}`, rest, now),
    moveQuietMessages(db, userId, endOfQuiet(now, before), quiet),
    save,
  ]);
  return [...(rest === now ? digests : []), ...(quiet === now ? others : [])].map(({ id }) => id);
}
