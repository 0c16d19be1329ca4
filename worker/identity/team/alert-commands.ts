import { and, eq, inArray } from "drizzle-orm";

import type { TeamAlerts } from "../../../contract/team.ts";
import type { Db } from "../../platform/db/client.ts";
import { messages, teamAlerts } from "../../platform/db/schema.ts";

/** Sets a team member's alerts and deletes waiting messages that are now switched off. One batch. */
export async function setTeamAlerts(
  db: Db,
  memberId: string,
  alerts: TeamAlerts,
  now: number,
): Promise<void> {
  const off = [
    ...(alerts.sales ? [] : (["team_sale"] as const)),
    ...(alerts.mentions ? [] : (["mentioned"] as const)),
  ];
  const values = { ...alerts, updatedAt: now };
  await db.batch([
    db
      .insert(teamAlerts)
      .values({ userId: memberId, ...values })
      .onConflictDoUpdate({ target: teamAlerts.userId, set: values }),
    db
      .delete(messages)
      .where(
        and(eq(messages.userId, memberId), inArray(messages.template, off), eq(messages.state, "waiting")),
      ),
  ]);
}
