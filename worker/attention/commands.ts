import { isNotNull } from "drizzle-orm";

import type { Db } from "../db/client.ts";
import { attention } from "../db/schema.ts";

/** Records that something needs a super admin's eyes. Repeated reports keep the first time; one that was resolved opens again. */
export async function raiseAttention(db: Db, kind: string, subjectId: string, detail: string, now: number) {
  await db
    .insert(attention)
    .values({ kind, subjectId, detail, since: now })
    .onConflictDoUpdate({
      target: [attention.kind, attention.subjectId],
      set: { detail, since: now, resolvedAt: null },
      setWhere: isNotNull(attention.resolvedAt),
    });
}
