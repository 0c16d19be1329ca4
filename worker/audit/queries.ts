import { and, desc, eq, gte, lt, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { AuditFilter, AuditLine } from "../../contract/audit.ts";
import type { Db } from "../db/client.ts";
import type { After } from "../db/paging.ts";
import { auditLog, users } from "../db/schema.ts";

function person(id: string | null, first: string | null, last: string | null) {
  return id === null ? null : { id, name: first === null ? "" : `${first} ${last}` };
}

/** Which lines are asked for, other than by whom. */
function matching({ action, subjectId, region, from, to }: AuditFilter, after: After): SQL | undefined {
  return and(
    after ? sql`(${auditLog.at}, ${auditLog.id}) < (${after.createdAt}, ${Number(after.id)})` : undefined,
    action?.includes(".") ? eq(auditLog.action, action) : undefined,
    // "user" finds "user.created" as well; underscores of actions are no wildcards here.
    action && !action.includes(".")
      ? or(
          eq(auditLog.action, action),
          and(gte(auditLog.action, `${action}.`), lt(auditLog.action, `${action}/`)),
        )
      : undefined,
    subjectId ? eq(auditLog.subjectId, subjectId) : undefined,
    // By its plus the log is walked from its newest line on, not by all that was ever said of a region's leads.
    region
      ? sql`(+${auditLog.subjectId} = ${region} OR (+${auditLog.subjectId} >= ${`lead_${region}_`} AND +${auditLog.subjectId} < ${`lead_${region}\``}))`
      : undefined,
    from === undefined ? undefined : gte(auditLog.at, from),
    to === undefined ? undefined : lt(auditLog.at, to),
  );
}

/**
 * Lines of the log, latest first, with the names of those in it as they are today.
 * @param after only lines older than this one
 */
export async function listAudit(
  db: Db,
  filter: AuditFilter & { after: After; limit: number },
): Promise<AuditLine[]> {
  const { userId, after, limit } = filter;
  const [actors, others] = [alias(users, "actors"), alias(users, "others")];
  const wanted = matching(filter, after);
  const latest = [desc(auditLog.at), desc(auditLog.id)];
  // As many lines of one who acts, and of one through whose eyes somebody looks, as the page has: each from its index.
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
