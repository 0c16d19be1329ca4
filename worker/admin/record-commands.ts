import type { Act } from "../audit/act.ts";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";

import { auditWhen } from "../audit/commands.ts";
import type { Db } from "../db/client.ts";
import { attention, bookings } from "../db/schema.ts";
import { DomainError } from "../errors.ts";

/**
 * Marks a booking as dealt with, or as open again. Repeated, it changes nothing and logs nothing.
 * @throws DomainError not_found
 */
export async function markHandled(
  db: Db,
  id: string,
  handled: boolean,
  { actor, now, requestId }: Act,
): Promise<void> {
  const pending = and(
    eq(bookings.id, id),
    handled ? isNull(bookings.handledAt) : isNotNull(bookings.handledAt),
  );
  const action = handled ? "booking.handled" : "booking.reopened";
  const subject = { subjectType: "booking", subjectId: id };
  const [, , known] = await db.batch([
    auditWhen(db, sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${pending})`, actor, {
      at: now,
      action,
      ...subject,
      before: { handled: !handled },
      after: { handled },
      requestId,
    }),
    db
      .update(bookings)
      .set({ handledAt: handled ? now : null, handledByUserId: handled ? actor.userId : null })
      .where(pending),
    db.select({ id: bookings.id }).from(bookings).where(eq(bookings.id, id)),
  ]);
  if (known.length === 0) throw new DomainError("not_found", "Booking not found");
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
