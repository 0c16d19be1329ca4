import { and, asc, eq, isNull, or } from "drizzle-orm";

import type { Mate } from "../../contract/mentions.ts";
import { type TeamAlerts, USUAL_TEAM_ALERTS } from "../../contract/team.ts";

import type { UserRow } from "../platform/session.ts";
import type { Db } from "../db/client.ts";
import { teamAlerts, users } from "../db/schema.ts";
import type { BusinessScope } from "../auth/rights.ts";

/** More members than this no team of ours has; the list is read whole. */
const MOST_MEMBERS = 200;

/**
 * Who is a member of a business's team. Only members have an owner (a rule of the table), so the kind of account
 * is not asked for: SQLite without statistics would look through that.
 */
export function isMemberOf(scope: BusinessScope) {
  return and(eq(users.teamOwnerId, scope.businessId), isNull(users.removedAt));
}

/** A business's team, in the order in which they joined, each with what they are told of. */
export function listMembers(db: Db, scope: BusinessScope) {
  return db
    .select({ user: users, alerts: teamAlerts })
    .from(users)
    .leftJoin(teamAlerts, eq(teamAlerts.userId, users.id))
    .where(isMemberOf(scope))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(MOST_MEMBERS);
}

/** One member of a business's team; null when they are not of this team. */
export async function findMember(db: Db, scope: BusinessScope, id: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isMemberOf(scope)));
  return row ?? null;
}

/** More people than this no business of ours has. */
const MOST_MATES = 201;

/** The people of a business who may be mentioned: the owner and the team as it is now. */
export function listMates(db: Db, scope: Pick<BusinessScope, "businessId">): Promise<Mate[]> {
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
    .limit(MOST_MATES);
}

/** What a team member is told of, as their owner has it. */
export async function findTeamAlerts(db: Db, userId: string): Promise<TeamAlerts> {
  const [row] = await db
    .select({ sales: teamAlerts.sales, mentions: teamAlerts.mentions })
    .from(teamAlerts)
    .where(eq(teamAlerts.userId, userId));
  return row ?? USUAL_TEAM_ALERTS;
}
