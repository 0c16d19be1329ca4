import type { Act } from "../audit/act.ts";
import { and, eq, inArray, isNotNull } from "drizzle-orm";

import { auditEntry } from "../audit/commands.ts";
import type { EndedSession } from "../auth/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { oneTimeSecrets, sessions, users, leadPurchases } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { deleteRecipient } from "../../outbox/commands.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { findMember, isMemberOf } from "./queries.ts";
import { removedMember } from "./members.ts";

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
  if (!(await findMember(db, scope, memberId))) throw new DomainError("not_found", "Team member not found");
  // If two removals run concurrently, the second ends no session.
  const endedSessions = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, memberId), isNotNull(users.removedAt)));
  const [, ended] = await db.batch([
    db
      .update(users)
      .set(removedMember(memberId, act.now))
      .where(and(eq(users.id, memberId), isMemberOf(scope))),
    db
      .delete(sessions)
      .where(inArray(sessions.userId, endedSessions))
      .returning({ id: sessions.id, userId: sessions.userId }),
    db
      .delete(oneTimeSecrets)
      .where(and(inArray(oneTimeSecrets.userId, endedSessions), eq(oneTimeSecrets.purpose, "password"))),
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

/** Returns the statement that unassigns a user's leads when they leave the team. */
export function unassign(db: Db, userId: string, now: number) {
  return db
    .update(leadPurchases)
    .set({ assignedToUserId: null, updatedAt: nextUpdatedAt(now) })
    .where(eq(leadPurchases.assignedToUserId, userId));
}
