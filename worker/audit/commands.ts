import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

import type { Session } from "../auth/queries.ts";
import type { Db } from "../db/client.ts";
import { auditLog } from "../db/schema.ts";

/** Who did something: the person at the keyboard, and whom they were impersonating. */
export type Actor = { userId: string; asUserId: string | null };

/** The system itself: alarms and sweeps. */
export const SYSTEM_ACTOR = { userId: null, asUserId: null } as const;

/** The person at the keyboard behind a session; an impersonated session names both. */
export function actorOf(session: Session): Actor {
  return session.impersonatorId === null
    ? { userId: session.user.id, asUserId: null }
    : { userId: session.impersonatorId, asUserId: session.user.id };
}

/**
 * The log's line about a change, as a statement for the batch of the change itself, so that neither
 * exists without the other. Lines are never changed or deleted: triggers refuse it.
 * @param entry `action` as `subject.verb` ("user.deactivate"); `before` and `after` hold ids, states and
 *   amounts, never names, numbers or addresses of people, because the log outlives an erasure
 */
export function auditEntry(
  db: Db,
  actor: Actor | typeof SYSTEM_ACTOR,
  entry: {
    at: number;
    action: string;
    subjectType: string;
    subjectId: string;
    before?: Record<string, unknown> | null;
    after?: Record<string, unknown> | null;
    requestId?: string | null;
  },
) {
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
 * The same line for a change that may find nothing to change: one line per row of `rows`, none when the
 * change's own condition holds for none. Stands before the change in its batch.
 * @param entry `before` is SQL over the row, such as `json_object('state', state)`
 */
export function auditEntryWhere(
  db: Db,
  actor: Actor | typeof SYSTEM_ACTOR,
  entry: {
    at: number;
    action: string;
    subjectType: string;
    subjectId: string;
    before?: SQL;
    after?: Record<string, unknown> | null;
    requestId?: string | null;
  },
  rows: { from: SQLiteTable; where: SQL | undefined },
) {
  const after = entry.after ? JSON.stringify(entry.after) : null;
  return db.insert(auditLog).select(
    db
      .select({
        id: sql`NULL`.as("id"),
        at: sql`${entry.at}`.as("at"),
        actorUserId: sql`${actor.userId}`.as("actor_user_id"),
        asUserId: sql`${actor.asUserId}`.as("as_user_id"),
        action: sql`${entry.action}`.as("action"),
        subjectType: sql`${entry.subjectType}`.as("subject_type"),
        subjectId: sql`${entry.subjectId}`.as("subject_id"),
        before: (entry.before ?? sql`NULL`).as("before"),
        after: sql`${after}`.as("after"),
        requestId: sql`${entry.requestId ?? null}`.as("request_id"),
      })
      .from(rows.from)
      .where(rows.where),
  );
}
