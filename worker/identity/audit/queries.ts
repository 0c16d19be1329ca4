import { and, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { AuditFilter, AuditEntry } from "../../../contract/audit.ts";
import type { Db } from "../../platform/db/client.ts";
import type { After } from "../../platform/db/paging.ts";
import { auditLog, users } from "../../platform/db/schema.ts";

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
