import type { Act } from "../audit/act.ts";
import { and, eq, sql } from "drizzle-orm";

import { auditEntry } from "../audit/commands.ts";
import type { EndedSession } from "../auth/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch } from "../../platform/db/guarded-batch.ts";
import { oneTimeSecrets, sessions, users, leadPurchases } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";
import { deleteRecipient } from "../../outbox/commands.ts";
import type { BusinessScope } from "../auth/rights.ts";
import { nextUpdatedAt } from "../../platform/db/next-updated-at.ts";
import { isMemberOf } from "./queries.ts";
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
