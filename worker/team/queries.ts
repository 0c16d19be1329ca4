import { and, asc, eq, isNull } from "drizzle-orm";

import type { UserRow } from "../auth/rules.ts";
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
