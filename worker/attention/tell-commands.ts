import { and, asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";

import { type Db, database } from "../db/client.ts";
import { attention, users } from "../db/schema.ts";
import { type Env, settings } from "../env.ts";
import { log } from "../log.ts";
import { canSendEmail, sendEmail } from "../notify/email.ts";
import { needsYou } from "../notify/messages.ts";

/** Things told in one email; the rest comes with the next minute's. */
const MOST_TOLD = 20;
/** A team of more super admins is not what they are for. */
const MOST_ADMINS = 20;

/** Takes what nobody was told of yet: of two runs at once each thing is one's. */
function claimUntold(db: Db, now: number) {
  const untold = sql`(SELECT rowid FROM attention WHERE resolved_at IS NULL AND told_at IS NULL ORDER BY since LIMIT ${MOST_TOLD})`;
  return db
    .update(attention)
    .set({ toldAt: now })
    .where(sql`rowid IN ${untold}`)
    .returning({ kind: attention.kind, subjectId: attention.subjectId, detail: attention.detail });
}

/** Super admins who may sign in and have an address. */
function listAdmins(db: Db) {
  return db
    .select({ id: users.id, firstName: users.firstName, email: users.email })
    .from(users)
    .where(
      and(
        eq(users.userType, "provider"),
        eq(users.isSuperAdmin, true),
        eq(users.isActive, true),
        isNotNull(users.email),
      ),
    )
    .orderBy(asc(users.createdAt))
    .limit(MOST_ADMINS);
}

/**
 * Writes to every super admin what needs a person, once for each thing, where email is set up. What reached
 * nobody is told with the next run.
 * @returns things told, and emails that did not go
 */
export async function sweepAttention(env: Env, now: number): Promise<{ told: number; failed: number }> {
  if (!canSendEmail(env)) return { told: 0, failed: 0 };
  const db = database(env.DB);
  const items = await claimUntold(db, now);
  if (items.length === 0) return { told: 0, failed: 0 };
  const admins = await listAdmins(db);
  const answers = await Promise.allSettled(
    admins.map((admin) =>
      sendEmail(env, { to: admin.email!, ...needsYou(admin, settings(env).siteHost, items) }),
    ),
  );
  const failed = answers.filter(({ status }) => status === "rejected").length;
  // Where no admin has an address, nobody is waited for.
  if (failed < admins.length || admins.length === 0)
    return { told: admins.length === 0 ? 0 : items.length, failed };
  log("warn", "attention_not_told", { items: items.length, admins: admins.length });
  const subjects = items.map(({ subjectId }) => subjectId);
  await db
    .update(attention)
    .set({ toldAt: null })
    .where(
      and(inArray(attention.subjectId, subjects), eq(attention.toldAt, now), isNull(attention.resolvedAt)),
    );
  return { told: 0, failed };
}
