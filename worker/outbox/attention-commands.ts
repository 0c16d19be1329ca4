import { isNotNull, lte } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../platform/db/client.ts";
import { attention } from "../platform/db/schema.ts";

/** Raises an alert for super admins. A repeated report keeps the first time. A resolved alert reopens. */
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

/** Raises an alert for a state that may last for days. It is sent once in 24 hours, resolved or not. */
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

/** Raises an alert for an event that happens once. Later reports of the event never reopen it. */
export async function raiseAttentionOnce(
  db: Db,
  kind: string,
  subjectId: string,
  detail: string,
  now: number,
) {
  await db.insert(attention).values({ kind, subjectId, detail, since: now }).onConflictDoNothing();
}
