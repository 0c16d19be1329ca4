import { and, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import type { AttentionItem } from "../../../contract/attention.ts";
import { DAY_MS } from "../../../contract/durations.ts";
import { type Act, auditEntry } from "../../identity/audit/store.ts";
import { enqueue } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/db/client.ts";
import { guardedBatch } from "../../platform/db/guarded-batch.ts";
import { attention, messages } from "../../platform/db/messages.ts";
import { DomainError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { adminAttention, unreported } from "./messages.ts";

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

/** Lists the open or the resolved problems that need a person, newest first. */
export function listAttention(
  db: Db,
  filter: { resolved: boolean; limit: number },
): Promise<AttentionItem[]> {
  return db
    .select()
    .from(attention)
    .where(filter.resolved ? isNotNull(attention.resolvedAt) : isNull(attention.resolvedAt))
    .orderBy(desc(filter.resolved ? attention.resolvedAt : attention.since))
    .limit(filter.limit);
}

/** Marks the items as reported. Must follow the statement that enqueues their emails, in the same batch. */
const markReported = (db: Db, now: number) =>
  db
    .update(attention)
    .set({ toldAt: now })
    .where(sql`rowid IN ${unreported}`)
    .returning({ subjectId: attention.subjectId });

/** Returns the condition that a lead of an alert exists with this property. */
const leadIs = (property: SQL) => sql`EXISTS (SELECT 1 FROM leads WHERE id = subject_id AND (${property}))`;

/** SQL: the business of an alert is active. */
const isActive = sql`EXISTS (SELECT 1 FROM users WHERE id = subject_id AND is_active)`;

/**
 * SQL: the fault of an alert is gone. Other kinds are closed by the code that raises them, or by a person: alerts about past
 * events need a look. A person also closes these:
 * - a changed name that is right again: we do not store the name that the check was about;
 * - two accounts of one person that no longer match: a provider could hide the match by typing another number.
 * A payment that does not match is refunded at once, so its alert stays open until the email to admins is enqueued.
 */
const isGone = (now: number) => sql`CASE kind
  WHEN 'held_in_vain' THEN ${leadIs(sql`status <> 'available'`)}
  WHEN 'release_stuck' THEN NOT EXISTS (SELECT 1 FROM payments WHERE lead_id = subject_id AND slot IS NOT NULL)
  WHEN 'refund_failed' THEN EXISTS (SELECT 1 FROM payments WHERE id = subject_id AND state = 'refunded')
  WHEN 'refund_came_back' THEN EXISTS (SELECT 1 FROM payments WHERE id = subject_id AND state = 'refunded')
  WHEN 'never_asked' THEN ${leadIs(sql`erased_at IS NOT NULL`)} OR NOT EXISTS (
    SELECT 1 FROM lead_purchases WHERE lead_id = subject_id AND call_clock ->> 'answer' = 'never_asked')
  WHEN 'rescue_needed' THEN ${leadIs(sql`erased_at IS NOT NULL OR status = 'withdrawn'`)}
  WHEN 'closure_failed' THEN EXISTS (SELECT 1 FROM users WHERE id = subject_id AND username = 'erased-' || id)
  WHEN 'payment_mismatch' THEN told_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM payments WHERE lead_id = subject_id AND state = 'refund_pending')
  WHEN 'same_person' THEN NOT ${isActive}
  WHEN 'page_reported' THEN NOT ${isActive}
    OR NOT EXISTS (SELECT 1 FROM provider_profiles WHERE business_id = subject_id AND hidden_at IS NULL)
  WHEN 'checked_name_changed' THEN NOT ${isActive}
    OR NOT EXISTS (SELECT 1 FROM provider_checks WHERE business_id = subject_id AND +state = 'valid')
  WHEN 'call_log_review' THEN NOT EXISTS (SELECT 1 FROM lead_purchases WHERE lead_id = subject_id
    AND removed_at IS NULL AND payment_status <> 'refunded' AND call_clock ->> 'answer' = 'not_yet')
  WHEN 'newcomer_share' THEN since < ${now - DAY_MS}
  ELSE 0 END`;

/** Closes the alerts whose fault is gone. If it comes back, the alert is raised again. */
async function closeGone(db: Db, now: number): Promise<void> {
  await db
    .update(attention)
    .set({ resolvedAt: now })
    .where(and(isNull(attention.resolvedAt), isGone(now)));
}

/**
 * Closes the alerts whose fault is gone. Emails each open item once to all super admins, if email is set up. Rejected
 * emails are retried.
 * @param deliver sends messages at once, and counts them by result. The cron passes it: delivery is in a higher layer
 * @returns the number of reported items, and of emails not sent yet
 */
export async function sweepAttention(
  context: Context,
  now: number,
  deliver: (context: Context, ids: readonly string[], now: number) => Promise<Record<string, number>>,
): Promise<{ told: number; failed: number }> {
  const db = context.db;
  await closeGone(db, now);
  if (!canSendEmail(context)) return { told: 0, failed: 0 };
  const emails = enqueue(db, adminAttention, { run: newId("msg") }, now).returning({ id: messages.id });
  const [written, items] = await db.batch([emails, markReported(db, now)]);
  if (written.length === 0) return { told: 0, failed: 0 };
  const ids = written.map(({ id }) => id);
  const { waiting = 0, failed = 0 } = await deliver(context, ids, now);
  return { told: items.length, failed: waiting + failed };
}
