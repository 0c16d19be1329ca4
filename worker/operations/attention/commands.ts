import { and, eq, isNull, sql } from "drizzle-orm";

import type { Act } from "../../identity/audit/act.ts";
import { auditWhen } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { attention } from "../../platform/db/schema.ts";
import { DomainError } from "../../platform/errors.ts";

/**
 * Marks a problem as resolved. If the problem recurs, it is raised again.
 * @throws DomainError not_found if the problem is not open
 */
export async function resolveAttention(
  db: Db,
  item: { kind: string; subjectId: string },
  { actor, now, requestId }: Act,
): Promise<void> {
  const open = and(
    eq(attention.kind, item.kind),
    eq(attention.subjectId, item.subjectId),
    isNull(attention.resolvedAt),
  );
  const [, resolved] = await db.batch([
    auditWhen(db, sql`EXISTS (SELECT 1 FROM ${attention} WHERE ${open})`, actor, {
      at: now,
      action: "attention.resolve",
      subjectType: item.kind,
      subjectId: item.subjectId,
      requestId,
    }),
    db.update(attention).set({ resolvedAt: now }).where(open).returning({ kind: attention.kind }),
  ]);
  if (resolved.length === 0) throw new DomainError("not_found", "That item is no longer open");
}
