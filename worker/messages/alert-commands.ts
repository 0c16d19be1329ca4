/** Which new leads ring, and the pause: set by a person, and kept to when a message's turn comes. */
import { sql } from "drizzle-orm";

import type { LeadAlertsForm } from "../../contract/lead-alerts.ts";
import { startOfSydneyDay } from "../../contract/sydney-time.ts";
import type { BusinessScope } from "../auth/rights.ts";
import type { Db } from "../db/client.ts";
import { leadAlerts, messages } from "../db/schema.ts";
import { moveDigests } from "./digest-commands.ts";
import { findQuietHours } from "./queries.ts";
import { endOfRest } from "../outbox/quiet-rules.ts";

/** Holds for digests that wait for a pause that is in force, and for longer than until a moment. */
function waitLonger(userId: string, end: number, now: number) {
  const isPaused = sql`EXISTS (SELECT 1 FROM ${leadAlerts}
    WHERE ${leadAlerts.userId} = ${userId} AND ${leadAlerts.pausedUntil} > ${now})`;
  return sql`${messages.due} > ${end} AND ${isPaused}`;
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
  const due = end ?? now;
  // A pause that ends later moves none: what is due meanwhile is put off when its turn comes.
  const [forward] = await db.batch([
    ...moveDigests(db, userId, waitLonger(userId, due, now), due, now),
    save,
  ]);
  return end === null ? forward.map(({ id }) => id) : [];
}
