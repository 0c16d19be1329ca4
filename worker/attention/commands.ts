import { and, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Act } from "../audit/act.ts";
import { auditWhen } from "../audit/commands.ts";
import type { Db } from "../db/client.ts";
import { attention } from "../db/schema.ts";
import { DomainError } from "../errors.ts";

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

/**
 * Says that somebody has looked after something. Should it happen again, it is raised again.
 * @throws DomainError not_found for nothing that is open
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
  if (resolved.length === 0) throw new DomainError("not_found", "Nothing open by this name");
}
