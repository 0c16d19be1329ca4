import { isNotNull, lte } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../platform/db/client.ts";
import { attention } from "../platform/db/schema.ts";

/** Raises an alert for super admins. A repeated alert does not change its start time. A resolved alert reopens. */
export async function raiseAttention(db: Db, kind: string, subjectId: string, detail: string, now: number) {
  await db
    .insert(attention)
    .values({ kind, subjectId, detail, since: now })
    .onConflictDoUpdate({
      target: [attention.kind, attention.subjectId],
      set: { detail, since: now, resolvedAt: null, toldAt: null },
      setWhere: isNotNull(attention.resolvedAt),
    });
}

/** Raises an alert for a condition that may last for days. Admins get it once in 24 hours, resolved or not. */
export async function raiseAttentionDaily(
  db: Db,
  kind: string,
  subjectId: string,
  detail: string,
  now: number,
) {
  await db
    .insert(attention)
    .values({ kind, subjectId, detail, since: now })
    .onConflictDoUpdate({
      target: [attention.kind, attention.subjectId],
      set: { detail, since: now, resolvedAt: null, toldAt: null },
      setWhere: lte(attention.since, now - DAY_MS),
    });
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
