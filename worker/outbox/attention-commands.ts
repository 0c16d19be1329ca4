import { isNotNull, type SQL, sql } from "drizzle-orm";

import type { Db } from "../platform/db/client.ts";
import { attention } from "../platform/db/schema.ts";

/**
 * Returns the statement that raises an alert for super admins. A repeated alert does not change its start time. A
 * resolved alert reopens.
 * @param found a condition with its source, such as `FROM payments WHERE …`: the alert is raised if it finds a row
 */
export function attentionWhen(
  db: Db,
  alert: { kind: string; subjectId: string; detail: SQL | string; since: number },
  found: SQL,
) {
  const { kind, subjectId, detail, since } = alert;
  return db
    .insert(attention)
    .select(sql`SELECT ${kind}, ${subjectId}, ${detail}, ${since}, NULL, NULL ${found}`)
    .onConflictDoUpdate({
      target: [attention.kind, attention.subjectId],
      set: { detail: sql`excluded.detail`, since, resolvedAt: null, toldAt: null },
      setWhere: isNotNull(attention.resolvedAt),
    });
}

/** Raises an alert for super admins. A repeated alert does not change its start time. A resolved alert reopens. */
export async function raiseAttention(db: Db, kind: string, subjectId: string, detail: string, now: number) {
  await attentionWhen(db, { kind, subjectId, detail, since: now }, sql`WHERE true`);
}

/** Raises an alert for a one-time event. Later reports of the event never reopen it. */
export async function raiseAttentionOnce(
  db: Db,
  kind: string,
  subjectId: string,
  detail: string,
  now: number,
) {
  await db.insert(attention).values({ kind, subjectId, detail, since: now }).onConflictDoNothing();
}
