import { and, asc, eq, isNull, or } from "drizzle-orm";

import type { Mate } from "../../../contract/mentions.ts";
import { type TeamAlerts, DEFAULT_TEAM_ALERTS } from "../../../contract/team.ts";

import type { UserRow } from "../../platform/session.ts";
import type { Db } from "../../platform/db/client.ts";
import { alertSettings, users } from "../../platform/db/schema.ts";
import type { BusinessScope } from "../auth/rights.ts";

/** Maximum members listed, without paging. No team has more. */
const MAX_MEMBERS = 200;

/**
 * SQL: the user is a member of a business's team. Do not filter by user type: only members have an owner, and SQLite
 * without statistics would scan the index on user type.
 */
export function isMemberOf(scope: BusinessScope) {
  return and(eq(users.teamOwnerId, scope.businessId), isNull(users.removedAt));
}

/** Lists a business's team in the order they joined, with each member's alerts. */
export function listMembers(db: Db, scope: BusinessScope) {
  return db
    .select({ user: users, alerts: alertSettings.team })
    .from(users)
    .leftJoin(alertSettings, eq(alertSettings.userId, users.id))
    .where(isMemberOf(scope))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(MAX_MEMBERS);
}

/** Returns one member of a business's team; null if they are not in this team. */
export async function findMember(db: Db, scope: BusinessScope, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isMemberOf(scope)));
  return row ?? null;
}

/** Maximum people listed. No business has more. */
const MAX_TEAMMATES = 201;

/** Lists the users of a business whom notes can mention: the owner and the current team. */
export function listTeammates(db: Db, scope: Pick<BusinessScope, "businessId">): Promise<Mate[]> {
  const { businessId } = scope;
  return db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(
      and(
        or(eq(users.id, businessId), eq(users.teamOwnerId, businessId)),
        eq(users.isActive, true),
        isNull(users.removedAt),
      ),
    )
    .orderBy(users.createdAt, users.id)
    .limit(MAX_TEAMMATES);
}

/** Returns a team member's alerts, as set by their owner. */
export async function findTeamAlerts(db: Db, userId: string): Promise<TeamAlerts> {
  const [row] = await db
    .select({ team: alertSettings.team })
    .from(alertSettings)
    .where(eq(alertSettings.userId, userId));
  return row?.team ?? DEFAULT_TEAM_ALERTS;
}
