import { and, eq, exists, isNotNull, isNull, sql } from "drizzle-orm";

import { type Db, database } from "../../platform/db/client.ts";
import { attention, messages, users } from "../../platform/db/schema.ts";
import type { Env } from "../../platform/env.ts";
import { newId } from "../../platform/ids.ts";
import { EMAIL_LIFETIME_MS } from "../../outbox/registry.ts";
import { deliver } from "../../messages/deliver-commands.ts";
import { rowColumns } from "../../outbox/enqueue-commands.ts";
import { canSendEmail } from "../../outbox/email.ts";

/** Maximum items per email. The rest goes into the next minute's. */
const MOST_TOLD = 20;
/** Maximum super admins who receive the email. */
const MOST_ADMINS = 20;

/**
 * Claims the items that no email has reported yet. Of two concurrent runs, each item belongs to one. `now` has to be
 * later than any earlier run's: the emails find their items by it.
 */
function claimUntold(db: Db, now: number) {
  const untold = sql`(SELECT rowid FROM attention WHERE resolved_at IS NULL AND told_at IS NULL ORDER BY since LIMIT ${MOST_TOLD})`;
  return db
    .update(attention)
    .set({ toldAt: now })
    .where(sql`rowid IN ${untold}`)
    .returning({ subjectId: attention.subjectId });
}

/** Returns the statement that enqueues one email for each active super admin with an address. */
function writeToAdmins(db: Db, run: string, now: number) {
  const claimed = db
    .select({ id: attention.subjectId })
    .from(attention)
    .where(and(eq(attention.toldAt, now), isNull(attention.resolvedAt)));
  return db
    .insert(messages)
    .select(
      db
        .select(
          rowColumns({
            id: sql`${run} || ${users.id}`,
            dedupeKey: sql`${`attention:${now}:`} || ${users.id}`,
            channel: "email",
            template: "attention",
            recipient: sql`lower(${users.email})`,
            userId: sql`${users.id}`,
            payload: sql`${JSON.stringify({ toldAt: now })}`,
            due: sql`${now}`,
            expiresAt: sql`${now + EMAIL_LIFETIME_MS.attention}`,
            createdAt: sql`${now}`,
          }),
        )
        .from(users)
        .where(
          and(
            // Must match the partial index on super admins. A filter on the user type would read all providers every
            // minute.
            sql`${users.isSuperAdmin} = 1`,
            eq(users.isActive, true),
            isNotNull(users.email),
            exists(claimed),
          ),
        )
        .orderBy(users.createdAt)
        .limit(MOST_ADMINS),
    )
    .onConflictDoNothing()
    .returning({ id: messages.id });
}

/**
 * Emails every open item to every super admin, once per item, if email is set up. Rejected emails are retried.
 * @returns reported items, and emails not sent yet
 */
export async function sweepAttention(env: Env, now: number): Promise<{ told: number; failed: number }> {
  if (!canSendEmail(env)) return { told: 0, failed: 0 };
  const db = database(env.DB);
  const [items, written] = await db.batch([claimUntold(db, now), writeToAdmins(db, `${newId("msg")}_`, now)]);
  if (written.length === 0) return { told: 0, failed: 0 };
  const ids = written.map(({ id }) => id);
  const { waiting = 0, failed = 0 } = await deliver(env, ids, now);
  return { told: items.length, failed: waiting + failed };
}
