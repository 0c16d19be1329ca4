import { SQL, sql } from "drizzle-orm";

import type { Session } from "../../platform/session.ts";
import type { Db } from "../../platform/db/client.ts";
import { auditLog } from "../../platform/db/schema.ts";

/** The actor of a change: the user at the keyboard, and the user they impersonate. */
export type Actor = { userId: string; asUserId: string | null };

/** The system: alarms and sweeps. */
export const SYSTEM_ACTOR = { userId: null, asUserId: null } as const;

/**
 * An entry of the log. `action` is `subject.verb` ("user.deactivate"). `before` and `after` hold ids, states
 * and amounts, because the log outlives an erasure. They never hold a person's name, number or address.
 */
export type AuditEntry = {
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
 * Returns the audit statement for the batch of a change, so that neither exists without the other. Triggers
 * refuse to change or delete entries.
 */
export function auditEntry(db: Db, actor: Actor | typeof SYSTEM_ACTOR, entry: AuditEntry) {
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
 * Like `auditEntry`, for a change that may do nothing: the entry is written only if `condition` holds. `before`
 * may be SQL that reads the values about to be replaced, so the entry comes first in its batch.
 */
export function auditWhen(
  db: Db,
  condition: SQL,
  actor: Actor | typeof SYSTEM_ACTOR,
  entry: Omit<AuditEntry, "before"> & { before?: AuditEntry["before"] | SQL },
) {
  const { at, action, subjectType, subjectId, before, after, requestId } = entry;
  const json = (value: AuditEntry["before"]) => (value ? JSON.stringify(value) : null);
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
