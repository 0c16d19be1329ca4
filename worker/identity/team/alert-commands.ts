import { and, eq, inArray } from "drizzle-orm";

import type { TeamAlerts } from "../../../contract/team.ts";
import type { Db } from "../../platform/db/client.ts";
import { alertSettings, messages } from "../../platform/db/schema.ts";

/** Sets a team member's alerts and deletes queued messages for alerts that are now off. Both run in one batch. */
export async function setTeamAlerts(db: Db, memberId: string, alerts: TeamAlerts): Promise<void> {
  const off = [
    ...(alerts.sales ? [] : (["team_sale"] as const)),
    ...(alerts.mentions ? [] : (["mentioned"] as const)),
  ];
  await db.batch([
    db
      .insert(alertSettings)
      .values({ userId: memberId, team: alerts })
      .onConflictDoUpdate({ target: alertSettings.userId, set: { team: alerts } }),
    db
      .delete(messages)
      .where(
        and(eq(messages.userId, memberId), inArray(messages.template, off), eq(messages.state, "waiting")),
      ),
  ]);
}
