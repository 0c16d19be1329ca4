/** A user's quiet hours, and the messages that wait for their end. */
import { and, eq, ne, sql } from "drizzle-orm";

import { type QuietHours, USUAL_QUIET_HOURS } from "../../contract/notifications.ts";
import type { BusinessScope } from "../identity/auth/rights.ts";
import type { Db } from "../platform/db/client.ts";
import { alertSettings, messages } from "../platform/db/schema.ts";
import { moveDigests } from "./digest-commands.ts";
import { endOfQuiet, endOfRest } from "../outbox/quiet-rules.ts";
import { RULES } from "../outbox/registry.ts";

/** Returns the statement that reschedules messages waiting for the end of quiet hours, except digests. */
const moveOthers = (db: Db, userId: string, from: number | null, due: number) =>
  db
    .update(messages)
    .set({
      due,
      // A mention expires this long after quiet hours end, whenever that is.
      expiresAt: sql`CASE ${messages.template} WHEN 'mentioned' THEN ${due + RULES.mentioned.lifetimeMs}
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
 * Sets a user's quiet hours. Messages that wait for the old hours are due when the new ones end, or now.
 * @returns the ids of the messages that are due now
 */
export async function setQuietHours(
  db: Db,
  scope: BusinessScope,
  hours: QuietHours,
  now: number,
): Promise<string[]> {
  const { userId } = scope;
  const [row] = await db.select().from(alertSettings).where(eq(alertSettings.userId, userId));
  const before = row?.quietHours ?? USUAL_QUIET_HOURS;
  const pausedUntil = row?.pausedUntil ?? null;
  const save = db
    .insert(alertSettings)
    .values({ userId, quietHours: hours })
    .onConflictDoUpdate({ target: alertSettings.userId, set: { quietHours: hours } });
  // If a pause ends in quiet hours, digests wait although it is not quiet now.
  const restUntil = endOfRest(now, before, pausedUntil);
  if (restUntil === null) {
    await save;
    return [];
  }
  const quiet = endOfQuiet(now, hours) ?? now;
  const rest = endOfRest(now, hours, pausedUntil) ?? now;
  const [digests, , others] = await db.batch([
    ...moveDigests(db, userId, sql`${messages.due} = ${restUntil} AND ${messages.due} <> ${rest}`, rest, now),
    moveOthers(db, userId, endOfQuiet(now, before), quiet),
    save,
  ]);
  return [...(rest === now ? digests : []), ...(quiet === now ? others : [])].map(({ id }) => id);
}
