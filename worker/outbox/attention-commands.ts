/** Raises what needs a super admin. */
import { isNotNull, lte } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../db/client.ts";
import { attention } from "../db/schema.ts";

/** Records that something needs a super admin's eyes. Repeated reports keep the first time; one that was resolved opens again. */
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

/** Records something that may last for days: told once in 24 hours, whether or not somebody has resolved it. */
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

/** Records something that happened once: however often it is found, whoever has resolved it is not asked again. */
export async function raiseAttentionOnce(
  db: Db,
  kind: string,
  subjectId: string,
  detail: string,
  now: number,
) {
  await db.insert(attention).values({ kind, subjectId, detail, since: now }).onConflictDoNothing();
}
