import { and, eq, isNull } from "drizzle-orm";

import type { Act } from "../../identity/audit/act.ts";
import { auditEntry } from "../../identity/audit/commands.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch } from "../../platform/db/guarded-batch.ts";
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
  const { kind: subjectType, subjectId } = item;
  const open = and(
    eq(attention.kind, subjectType),
    eq(attention.subjectId, subjectId),
    isNull(attention.resolvedAt),
  );
  const refusal = new DomainError("not_found", "That item is no longer open");
  await guardedBatch(db, { from: attention, where: open, refusal }, [
    db.update(attention).set({ resolvedAt: now }).where(open),
    auditEntry(db, actor, { at: now, action: "attention.resolve", subjectType, subjectId, requestId }),
  ]);
}
