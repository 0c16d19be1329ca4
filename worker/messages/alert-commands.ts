/** Which new leads ring, and the pause. A user sets both, and they are checked when a message is due. */
import { sql } from "drizzle-orm";

import type { LeadAlertsForm } from "../../contract/lead-alerts.ts";
import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import type { BusinessScope } from "../identity/auth/rights.ts";
import type { Db } from "../platform/db/client.ts";
import { alertSettings, messages } from "../platform/db/schema.ts";
import { moveDigests } from "./digest-commands.ts";
import { findQuietHours } from "./queries.ts";
import { endOfRest } from "../outbox/quiet-rules.ts";

/** SQL: a digest waits for an active pause, and for longer than until `end`. */
function waitLonger(userId: string, end: number, now: number) {
  const isPaused = sql`EXISTS (SELECT 1 FROM ${alertSettings}
    WHERE ${alertSettings.userId} = ${userId} AND ${alertSettings.pausedUntil} > ${now})`;
  return sql`${messages.due} > ${end} AND ${isPaused}`;
}

/**
 * Sets which new leads ring and until when none does. Omitted fields stay as they are. If a pause ends earlier,
 * digests that waited for it are due then.
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
  const row = { userId, ...choices, ...pause };
  const save = db
    .insert(alertSettings)
    .values(row)
    .onConflictDoUpdate({ target: alertSettings.userId, set: row });
  if (pause.pausedUntil === undefined) {
    await save;
    return [];
  }
  const end = endOfRest(now, await findQuietHours(db, scope), pause.pausedUntil);
  const due = end ?? now;
  // A longer pause moves no digest: one that becomes due before its end is postponed then.
  const [forward] = await db.batch([
    ...moveDigests(db, userId, waitLonger(userId, due, now), due, now),
    save,
  ]);
  return end === null ? forward.map(({ id }) => id) : [];
}
