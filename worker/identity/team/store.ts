import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";

import type { Mate } from "../../../contract/mentions.ts";
import { DEFAULT_TEAM_ALERTS, type TeamAlerts, type TeamMember } from "../../../contract/team.ts";
import { deleteRecipient } from "../../outbox/commands.ts";
import type { UserRow } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch } from "../../platform/db/guarded-batch.ts";
import { oneTimeSecrets } from "../tables.ts";
import { alertSettings, messages } from "../../platform/db/messages.ts";
import { leadPurchases } from "../../platform/db/purchases.ts";
import { sessions, users } from "../../platform/db/users.ts";
import { nextUpdatedAt } from "../../platform/db/sql.ts";
import { DomainError } from "../../platform/errors.ts";
import { type Act, auditEntry } from "../audit/store.ts";
import type { EndedSession } from "../auth/commands.ts";
import type { BusinessScope } from "../auth/rules.ts";

/**
 * Removes a member from a team and ends all their sessions, in one batch. The member can no longer sign in or receive
 * alerts. Their name stays on their work, and their email becomes available again.
 * @returns the ended sessions; the caller closes their sockets
 * @throws DomainError not_found if the user is not in this team
 */
export async function removeMember(
  db: Db,
  act: Act,
  scope: BusinessScope,
  memberId: string,
): Promise<EndedSession[]> {
  const where = and(eq(users.id, memberId), isMemberOf(scope));
  const refusal = new DomainError("not_found", "Team member not found");
  const [ended] = await guardedBatch(db, { from: users, where, refusal }, [
    db
      .delete(sessions)
      .where(eq(sessions.userId, memberId))
      .returning({ id: sessions.id, userId: sessions.userId }),
    db.update(users).set(removedMember(memberId, act.now)).where(eq(users.id, memberId)),
    db
      .delete(oneTimeSecrets)
      .where(and(eq(oneTimeSecrets.userId, memberId), eq(oneTimeSecrets.purpose, "password"))),
    unassign(db, memberId, act.now),
    ...deleteRecipient(db, memberId),
    auditEntry(db, act.actor, {
      at: act.now,
      action: "team_member.removed",
      subjectType: "user",
      subjectId: memberId,
      requestId: act.requestId,
    }),
  ]);
  return ended;
}

/** SQL: the business of a user: a team member's owner, or else the user. */
const businessIdOf = (userId: string) =>
  sql`coalesce((SELECT team_owner_id FROM users WHERE id = ${userId}), ${userId})`;

/** Returns the statement that unassigns a user's leads when they leave the team. */
export function unassign(db: Db, userId: string, now: number) {
  return db
    .update(leadPurchases)
    .set({ assignedToUserId: null, updatedAt: nextUpdatedAt(now) })
    .where(and(eq(leadPurchases.buyerId, businessIdOf(userId)), eq(leadPurchases.assignedToUserId, userId)));
}

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

/**
 * Returns a team member as their owner sees them.
 * @param alerts null if the owner has not chosen any alerts
 */
export function toTeamMember(user: UserRow, alerts: TeamAlerts | null): TeamMember {
  return {
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    phone: user.phone,
    mustChangePassword: user.mustChangePassword,
    alerts: alerts ? { sales: alerts.sales, mentions: alerts.mentions } : DEFAULT_TEAM_ALERTS,
    createdAt: user.createdAt,
  };
}

/**
 * Returns the column values for a removed member. The name stays, because their work shows it. The email and the
 * identical username become available again.
 */
function removedMember(id: string, now: number) {
  return {
    username: `removed-${id}`,
    email: null,
    phone: null,
    // No password matches this hash.
    passwordHash: "",
    isActive: false,
    removedAt: now,
    updatedAt: now,
  };
}

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
