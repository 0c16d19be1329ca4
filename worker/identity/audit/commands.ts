import { SQL, sql } from "drizzle-orm";

import type { Session } from "../../platform/session.ts";
import type { Db } from "../../platform/db/client.ts";
import { auditLog } from "../../platform/db/schema.ts";

/** The actor of a change: the signed-in user, and the user they impersonate, if any. */
export type Actor = { userId: string; asUserId: string | null };

/** The system as actor, for alarms and sweeps. */
export const SYSTEM_ACTOR = { userId: null, asUserId: null } as const;

/**
 * An audit log entry. `action` is `subject.verb` ("user.deactivate"). `before` and `after` contain ids, states and
 * amounts. They never contain a person's name, number or address, because the log survives an erasure.
 */
export type NewAuditEntry = {
  at: number;
  action: string;
  subjectType: string;
  subjectId: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  requestId?: string | null;
};

/** Returns the actor of a session. While impersonating, it names both the admin and the target. */
export function actorOf(session: Session): Actor {
  return session.impersonatorId === null
    ? { userId: session.user.id, asUserId: null }
    : { userId: session.impersonatorId, asUserId: session.user.id };
}

/**
 * Returns the statement that writes an audit entry. Run it in the same batch as the change, so that both succeed or
 * both fail. Triggers refuse to change or delete entries.
 */
export function auditEntry(db: Db, actor: Actor | typeof SYSTEM_ACTOR, entry: NewAuditEntry) {
  return db.insert(auditLog).values({
    at: entry.at,
    actorUserId: actor.userId,
    asUserId: actor.asUserId,
    action: entry.action,
    subjectType: entry.subjectType,
    subjectId: entry.subjectId,
    before: entry.before ?? null,
    after: entry.after ?? null,
    requestId: entry.requestId ?? null,
  });
}

/**
 * Returns the statement that writes an audit entry only if `condition` holds. Use it when the change itself may do
 * nothing. `before` and the subject's id may be SQL that reads the old values, so run this statement first in the batch.
 */
export function auditWhen(
  db: Db,
  condition: SQL,
  actor: Actor | typeof SYSTEM_ACTOR,
  entry: Omit<NewAuditEntry, "before" | "subjectId"> & {
    before?: NewAuditEntry["before"] | SQL;
    subjectId: string | SQL;
  },
) {
  const { at, action, subjectType, subjectId, before, after, requestId } = entry;
  const json = (value: NewAuditEntry["before"]) => (value ? JSON.stringify(value) : null);
  return db.insert(auditLog).select(
    db
      .select({
        id: sql`NULL`.as("id"),
        at: sql`${at}`.as("at"),
        actorUserId: sql`${actor.userId}`.as("actor_user_id"),
        asUserId: sql`${actor.asUserId}`.as("as_user_id"),
        action: sql`${action}`.as("action"),
        subjectType: sql`${subjectType}`.as("subject_type"),
        subjectId: sql`${subjectId}`.as("subject_id"),
        before: (before instanceof SQL ? before : sql`${json(before)}`).as("before"),
        after: sql`${json(after)}`.as("after"),
        requestId: sql`${requestId ?? null}`.as("request_id"),
      })
      .from(sql`(SELECT 1)`)
      .where(condition),
  );
}
