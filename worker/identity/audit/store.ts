import { and, desc, eq, gte, lt, or, SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { AuditEntry, AuditFilter } from "../../../contract/audit.ts";
import type { Session } from "../../platform/caller.ts";
import type { Db } from "../../platform/db/client.ts";
import { auditLog } from "../tables.ts";
import { users } from "../../platform/db/users.ts";
import type { After } from "../../platform/db/sql.ts";

/** The actor of a change: the signed-in user, and the user they impersonate, if any. */
export type Actor = { userId: string; asUserId: string | null };

/** The system as actor, for alarms and sweeps. */
export const SYSTEM_ACTOR = { userId: null, asUserId: null } as const;

/**
 * An audit log entry. `action` is `subject.verb` ("user.deactivate"). `before` and `after` contain ids, states and
 * amounts. They never contain a person's name, number or address, because the log survives an erasure.
 */
type NewAuditEntry = {
  at: number;
  action: string;
  subjectType: string;
  subjectId: string;
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  requestId?: string | null;
};

/** Returns the actor of a session. While impersonating, it names both the admin and the target. */
function actorOf(session: Session): Actor {
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

function person(id: string | null, first: string | null, last: string | null) {
  return id === null ? null : { id, name: first === null ? "" : `${first} ${last}` };
}

/** Returns the SQL condition for every filter except the user. */
function matching({ action, subjectId, region, from, to }: AuditFilter, after: After): SQL | undefined {
  return and(
    after ? sql`(${auditLog.at}, ${auditLog.id}) < (${after.createdAt}, ${Number(after.id)})` : undefined,
    action?.includes(".") ? eq(auditLog.action, action) : undefined,
    // "user" also finds "user.created". A LIKE would treat underscores in actions as wildcards.
    action && !action.includes(".")
      ? or(
          eq(auditLog.action, action),
          and(gte(auditLog.action, `${action}.`), lt(auditLog.action, `${action}/`)),
        )
      : undefined,
    subjectId ? eq(auditLog.subjectId, subjectId) : undefined,
    // The unary plus stops SQLite from using the subject index. It reads the log from the newest entry instead of
    // reading all entries about the region's leads.
    region
      ? sql`(+${auditLog.subjectId} = ${region} OR (+${auditLog.subjectId} >= ${`lead_${region}_`} AND +${auditLog.subjectId} < ${`lead_${region}\``}))`
      : undefined,
    from === undefined ? undefined : gte(auditLog.at, from),
    to === undefined ? undefined : lt(auditLog.at, to),
  );
}

/**
 * Lists audit entries, newest first, with the current names of their users.
 * @param after returns only entries older than this one
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter & { after: After; limit: number },
): Promise<AuditEntry[]> {
  const { userId, after, limit } = filter;
  const [actors, others] = [alias(users, "actors"), alias(users, "others")];
  const wanted = matching(filter, after);
  const latest = [desc(auditLog.at), desc(auditLog.id)];
  // Selects the newest entries by the actor and by the impersonated user, each from its own index.
  const newestBy = (column: SQLiteColumn) =>
    db
      .select({ id: auditLog.id })
      .from(auditLog)
      .where(and(eq(column, userId!), wanted))
      .orderBy(...latest)
      .limit(limit);
  const isTheirs = () =>
    sql`${auditLog.id} IN (SELECT id FROM (${newestBy(auditLog.actorUserId)}) UNION ALL SELECT id FROM (${newestBy(auditLog.asUserId)}))`;
  const rows = await db
    .select({
      line: auditLog,
      actorFirst: actors.firstName,
      actorLast: actors.lastName,
      asFirst: others.firstName,
      asLast: others.lastName,
    })
    .from(auditLog)
    .leftJoin(actors, eq(actors.id, auditLog.actorUserId))
    .leftJoin(others, eq(others.id, auditLog.asUserId))
    .where(userId ? isTheirs() : wanted)
    .orderBy(...latest)
    .limit(limit);
  return rows.map(({ line, actorFirst, actorLast, asFirst, asLast }) => ({
    id: line.id,
    at: line.at,
    actor: person(line.actorUserId, actorFirst, actorLast),
    as: person(line.asUserId, asFirst, asLast),
    action: line.action,
    subjectType: line.subjectType,
    subjectId: line.subjectId,
    before: line.before,
    after: line.after,
    requestId: line.requestId,
  }));
}

/** The actor, time (epoch milliseconds) and request id of a change. */
export type Act<By = Actor> = { actor: By; now: number; requestId: string };

/** An act without its actor. A link's token or a new account supplies the actor later. */
export type UnsignedAct = Omit<Act, "actor">;

/** Returns the act of a session's user. Gates create it, and commands take it unchanged. */
export function actOf(session: Session, requestId: string, now: number): Act {
  return { actor: actorOf(session), now, requestId };
}
