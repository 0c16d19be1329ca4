import { and, eq, isNotNull, sql } from "drizzle-orm";

import type { Db } from "../../platform/db/client.ts";
import { attention, messages, users } from "../../platform/db/schema.ts";
import type { Context } from "../../platform/context.ts";
import { newId } from "../../platform/ids.ts";
import { deliver } from "../../messages/deliver-commands.ts";
import { enqueue, type Recipients } from "../../outbox/commands.ts";
import { canSendEmail } from "../../outbox/email.ts";

/** Maximum items per email. Further items go into an email in the next minute. */
const MAX_ITEMS_PER_EMAIL = 20;
/** Maximum super admins who receive the email. */
const MAX_ADMINS = 20;

/**
 * SQL for the items that no email has reported yet, oldest first. All statements of one batch select the same items.
 */
const unreported = sql`(SELECT rowid FROM attention WHERE resolved_at IS NULL AND told_at IS NULL
  ORDER BY since, rowid LIMIT ${MAX_ITEMS_PER_EMAIL})`;

/** Marks the items as reported. Must follow the statement that enqueues their emails, in the same batch. */
const markReported = (db: Db, now: number) =>
  db
    .update(attention)
    .set({ toldAt: now })
    .where(sql`rowid IN ${unreported}`)
    .returning({ subjectId: attention.subjectId });

/**
 * Returns the statement that enqueues one email for each active super admin with an address. Each email stores its
 * own items, so concurrent runs do not report an item twice.
 */
function enqueueAdminEmails(db: Db, run: string, now: number) {
  const admins = db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(
      and(
        // Must match the partial index on super admins. A filter on the user type would read all providers every minute.
        sql`${users.isSuperAdmin} = 1`,
        eq(users.isActive, true),
        isNotNull(users.email),
        sql`EXISTS ${unreported}`,
      ),
    )
    .orderBy(users.createdAt)
    .limit(MAX_ADMINS);
  const to: Recipients = {
    channel: "email",
    from: sql`${admins} AS admin`,
    recipient: sql`lower(admin.email)`,
    userId: sql`admin.id`,
    keySuffix: sql`admin.id`,
  };
  const payload = sql`(SELECT json_object('items', json_group_array(json_array(kind, subject_id, since)))
    FROM attention WHERE rowid IN ${unreported})`;
  const id = sql`${run} || '_' || admin.id`;
  return enqueue(db, "attention", { id, to, subject: { run }, payload }, now).returning({ id: messages.id });
}

/**
 * Emails each open item once to all super admins, if email is set up. Rejected emails are retried.
 * @returns the number of reported items, and of emails not sent yet
 */
export async function sweepAttention(
  context: Context,
  now: number,
): Promise<{ told: number; failed: number }> {
  if (!canSendEmail(context)) return { told: 0, failed: 0 };
  const db = context.db;
  const [written, items] = await db.batch([enqueueAdminEmails(db, newId("msg"), now), markReported(db, now)]);
  if (written.length === 0) return { told: 0, failed: 0 };
  const ids = written.map(({ id }) => id);
  const { waiting = 0, failed = 0 } = await deliver(context, ids, now);
  return { told: items.length, failed: waiting + failed };
}
