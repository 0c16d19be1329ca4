import { and, desc, eq, gte, lt, or } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { AuditFilter, AuditLine } from "../../contract/admin.ts";
import type { Db } from "../db/client.ts";
import { auditLog, users } from "../db/schema.ts";

function person(id: string | null, first: string | null, last: string | null) {
  return id === null ? null : { id, name: first === null ? "" : `${first} ${last}` };
}

/**
 * Lines of the log, latest first, with the names of those in it as they are today.
 * @param before only lines older than the one with this id
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter & { before: number | null; limit: number },
): Promise<AuditLine[]> {
  const { userId, action, subjectId, from, to, before, limit } = filter;
  const [actors, others] = [alias(users, "actors"), alias(users, "others")];
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
    .where(
      and(
        before === null ? undefined : lt(auditLog.id, before),
        userId ? or(eq(auditLog.actorUserId, userId), eq(auditLog.asUserId, userId)) : undefined,
        // "user" finds "user.created" as well; underscores of actions are no wildcards here.
        action
          ? or(
              eq(auditLog.action, action),
              and(gte(auditLog.action, `${action}.`), lt(auditLog.action, `${action}/`)),
            )
          : undefined,
        subjectId ? eq(auditLog.subjectId, subjectId) : undefined,
        from === undefined ? undefined : gte(auditLog.at, from),
        to === undefined ? undefined : lt(auditLog.at, to),
      ),
    )
    .orderBy(desc(auditLog.id))
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
