/** Finds the team members to alert about mentions in a purchase's notes. */
import { and, eq, inArray, sql } from "drizzle-orm";

import { findNewMentions } from "../../../contract/mentions.ts";
import { DEFAULT_QUIET_HOURS } from "../../../contract/notifications.ts";
import { DEFAULT_TEAM_ALERTS } from "../../../contract/team.ts";
import type { BusinessScope } from "../../identity/auth/rights.ts";
import type { Db } from "../../platform/db/client.ts";
import { alertSettings, users } from "../../platform/db/schema.ts";
import { endOfQuiet } from "../../outbox/quiet-rules.ts";
import { listTeammates } from "../../identity/team/queries.ts";
import { mentioned, type Mentions } from "./messages.ts";

/** Returns the users who may receive alerts about mentions, with the quiet hours of each. */
export async function listMentionable(db: Db, userIds: readonly string[]) {
  const rows = await db
    .select({ id: users.id, hours: alertSettings.quietHours })
    .from(users)
    .leftJoin(alertSettings, eq(alertSettings.userId, users.id))
    .where(
      and(
        inArray(users.id, sql`(SELECT value FROM json_each(${JSON.stringify(userIds)}))`),
        // The team settings do not apply to owners, because other users cannot choose an owner's alerts.
        sql`(${users.teamOwnerId} IS NULL OR coalesce(${alertSettings.team} ->> 'mentions', ${DEFAULT_TEAM_ALERTS.mentions}))`,
      ),
    );
  return rows.map(({ id, hours }) => ({ id, hours: hours ?? DEFAULT_QUIET_HOURS }));
}

/** Delay before an alert, because notes are autosaved while the user types and the name may be incomplete. */
const ALERT_DELAY_MS = 30_000;

/** The purchase before its notes are saved. */
type Before = { id: string; leadId: string; salesNotes: string | null };

/**
 * Finds the team members that the new notes mention and the old notes did not. Excludes the writer and users of other
 * businesses.
 * @param before the purchase as it was read
 * @returns null if there are no new mentions
 */
export async function findMentions(
  db: Db,
  scope: BusinessScope,
  before: Before,
  notes: string,
  now: number,
): Promise<Mentions | null> {
  const teammates = await listTeammates(db, scope);
  const added = findNewMentions(before.salesNotes ?? "", notes, teammates).filter(
    (id) => id !== scope.userId,
  );
  if (added.length === 0) return null;
  const people = (await listMentionable(db, added)).map(({ id, hours }) => {
    const due = endOfQuiet(now, hours) ?? now + ALERT_DELAY_MS;
    return { id, due, expiresAt: due + mentioned.lifetimeMs };
  });
  return { purchaseId: before.id, leadId: before.leadId, byUserId: scope.userId, people };
}
