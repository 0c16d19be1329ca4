/** Which new leads ring, and the pause: set by a person, and kept to when a message's turn comes. */
import { and, eq, gt, inArray, sql } from "drizzle-orm";

import type { LeadAlertsForm } from "../../contract/lead-alerts.ts";
import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import type { BusinessScope } from "../auth/rights.ts";
import type { Db } from "../db/client.ts";
import { leadAlerts, messages } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { mergeDigests } from "./digest-commands.ts";
import { rowColumns } from "./outbox-commands.ts";
import { findQuietHours } from "./queries.ts";
import { digestPlan, endOfRest } from "./quiet-rules.ts";

/** The digests of a person that wait for a pause that is in force, and for longer than until a moment. */
function waitingFor(userId: string, end: number, now: number) {
  const isPaused = sql`EXISTS (SELECT 1 FROM ${leadAlerts}
    WHERE ${leadAlerts.userId} = ${userId} AND ${leadAlerts.pausedUntil} > ${now})`;
  return and(
    eq(messages.userId, userId),
    eq(messages.template, "lead_digest"),
    eq(messages.state, "waiting"),
    gt(messages.due, end),
    isPaused,
  );
}

/**
 * The statements that bring forward what waits for a pause that now ends earlier: one digest for each device. A pause
 * that ends later needs none: what is due meanwhile is put off when its turn comes.
 */
function bringForward(db: Db, userId: string, end: number, now: number) {
  const waiting = waitingFor(userId, end, now);
  const { expiresAt } = digestPlan("", end);
  const [before, behind] = digestPlan("|", end).key.split("|");
  return [
    db
      .insert(messages)
      .select(
        db
          .select(
            rowColumns({
              id: sql`${newId("msg")} || '_' || ${messages.recipient}`,
              dedupeKey: sql`${before} || ${messages.recipient} || ${behind}`,
              channel: "push",
              template: "lead_digest",
              recipient: sql`${messages.recipient}`,
              userId: sql`${userId}`,
              payload: sql`json_object('since', min(${messages.payload} ->> 'since'))`,
              due: sql`${end}`,
              expiresAt: sql`${expiresAt}`,
              createdAt: sql`${now}`,
            }),
          )
          .from(messages)
          .where(waiting)
          .groupBy(messages.recipient),
      )
      .onConflictDoUpdate(mergeDigests())
      .returning({ id: messages.id }),
    // Gone, not dropped: the pause may come to end at that moment once more.
    db
      .delete(messages)
      .where(inArray(messages.id, db.select({ id: messages.id }).from(messages).where(waiting))),
  ] as const;
}

/**
 * Sets which new leads ring and until when none does; what is left out stays as it is. When a pause ends earlier,
 * what waited for it is due then.
 * @returns the ids of the digests that are due now
 */
export async function setLeadAlerts(
  db: Db,
  scope: BusinessScope,
  { pausedUntil: day, ...choices }: LeadAlertsForm,
  now: number,
): Promise<string[]> {
  const { userId } = scope;
  const pause = day === undefined ? {} : { pausedUntil: day === null ? null : startOfSydneyDay(day) };
  const set = { ...choices, ...pause, updatedAt: now };
  const save = db
    .insert(leadAlerts)
    .values({ userId, ...set })
    .onConflictDoUpdate({ target: leadAlerts.userId, set });
  if (pause.pausedUntil === undefined) {
    await save;
    return [];
  }
  const end = endOfRest(now, await findQuietHours(db, scope), pause.pausedUntil);
  const [forward] = await db.batch([...bringForward(db, userId, end ?? now, now), save]);
  return end === null ? forward.map(({ id }) => id) : [];
}
