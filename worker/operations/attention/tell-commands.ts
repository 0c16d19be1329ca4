import { and, eq, exists, isNotNull, isNull, sql } from "drizzle-orm";

import { type Db, database } from "../../platform/db/client.ts";
import { attention, messages, users } from "../../platform/db/schema.ts";
import type { Env } from "../../platform/env.ts";
import { newId } from "../../platform/ids.ts";
import { EMAIL_LIFETIME_MS } from "../../outbox/registry.ts";
import { deliver } from "../../messages/deliver-commands.ts";
import { rowColumns } from "../../outbox/enqueue-commands.ts";
import { canSendEmail } from "../../outbox/email.ts";

/** Things told in one email; the rest comes with the next minute's. */
const MOST_TOLD = 20;
/** A team of more super admins is not what they are for. */
const MOST_ADMINS = 20;

/**
 * Takes what nobody was told of yet: of two runs at once each thing is one's. A moment later than whatever was
 * told before, as the emails find their things by it.
 */
function claimUntold(db: Db, now: number) {
  const untold = sql`(SELECT rowid FROM attention WHERE resolved_at IS NULL AND told_at IS NULL ORDER BY since LIMIT ${MOST_TOLD})`;
  return db
    .update(attention)
    .set({ toldAt: now })
    .where(sql`rowid IN ${untold}`)
    .returning({ subjectId: attention.subjectId });
}

/** The statement that writes one email for each super admin who may sign in and has an address. */
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
            // In the words of their index: asked by what they are, all providers would be read every minute.
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
 * Writes to every super admin what needs a person, once for each thing, where email is set up. What the
 * service does not take is tried again.
 * @returns things told, and emails that did not go yet
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
