import { SQL, sql } from "drizzle-orm";

import type { Session } from "../platform/session.ts";
import type { Db } from "../db/client.ts";
import { auditLog } from "../db/schema.ts";

/** Who did something: the person at the keyboard, and whom they were impersonating. */
export type Actor = { userId: string; asUserId: string | null };

/** The system itself: alarms and sweeps. */
export const SYSTEM_ACTOR = { userId: null, asUserId: null } as const;

/**
 * A line of the log: `action` as `subject.verb` ("user.deactivate"); `before` and `after` hold ids, states
 * and amounts, never names, numbers or addresses of people, because the log outlives an erasure.
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

/** The person at the keyboard behind a session; an impersonated session names both. */
export function actorOf(session: Session): Actor {
  return session.impersonatorId === null
    ? { userId: session.user.id, asUserId: null }
    : { userId: session.impersonatorId, asUserId: session.user.id };
}

/**
 * The log's line about a change, as a statement for the batch of the change itself, so that neither
 * exists without the other. Lines are never changed or deleted: triggers refuse it.
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
 * The same for a change that may find nothing to do: the line is written only where `condition` holds.
 * `before` may be SQL that reads what the change is about to replace; the line stands first in its batch.
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
