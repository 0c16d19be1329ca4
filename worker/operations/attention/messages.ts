import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";

import { DAY_MS } from "../../../contract/durations.ts";
import { greetingOf } from "../../../contract/names.ts";
import { findActiveAccount } from "../../identity/messages.ts";
import { mailMessage, UNWANTED } from "../../outbox/message.ts";
import { attention } from "../../platform/db/messages.ts";
import { users } from "../../platform/db/users.ts";

/** Maximum items per email. Further items go into an email in the next minute. */
const MAX_ITEMS_PER_EMAIL = 20;
/** Maximum super admins who receive the email. */
const MAX_ADMINS = 20;

/**
 * SQL for the items that no email has reported yet, oldest first. All statements of one batch select the same items.
 */
export const unreported = sql`(SELECT rowid FROM attention WHERE resolved_at IS NULL AND told_at IS NULL
  ORDER BY since, rowid LIMIT ${MAX_ITEMS_PER_EMAIL})`;

/**
 * One email for each active super admin with an address. It contains ids and amounts only, no names. Each email stores
 * its own items, so concurrent runs do not report an item twice.
 */
export const adminAttention = mailMessage({
  name: "attention",
  reason: "Something needs a super admin.",
  lifetimeMs: DAY_MS,
  to: ({ run }: { run: string }) => {
    const isAdmin = and(
      // Must match the partial index on super admins. A filter on the user type would read all providers every minute.
      sql`${users.isSuperAdmin} = 1`,
      eq(users.isActive, true),
      isNotNull(users.email),
      sql`EXISTS ${unreported}`,
    );
    return {
      channel: "email",
      from: sql`(SELECT id, email FROM users WHERE ${isAdmin} ORDER BY users.created_at LIMIT ${MAX_ADMINS}) AS admin`,
      recipient: sql`lower(admin.email)`,
      userId: sql`admin.id`,
      keySuffix: sql`admin.id`,
      id: sql`${run} || '_' || admin.id`,
      payload: sql`(SELECT json_object('items', json_group_array(json_array(kind, subject_id, since)))
        FROM attention WHERE rowid IN ${unreported})`,
    };
  },
  key: ({ run }) => run,
  load: async (loading) => {
    const { db, message } = loading;
    const account = await findActiveAccount(loading);
    if (!account?.user.isSuperAdmin) return UNWANTED;
    const items = await db
      .select({ detail: attention.detail, subjectId: attention.subjectId })
      .from(attention)
      .where(
        and(
          // An item that was resolved and reopened belongs to a later email.
          sql`(${attention.kind}, ${attention.subjectId}, ${attention.since}) IN (SELECT value ->> 0, value ->> 1, value ->> 2
            FROM json_each(${JSON.stringify(message.payload.items ?? [])}))`,
          isNull(attention.resolvedAt),
        ),
      );
    return items.length > 0 ? { firstName: account.firstName, items } : UNWANTED;
  },
  email: ({ firstName, items }, { siteUrl }) => {
    const count = items.length === 1 ? "One thing needs" : `${items.length} things need`;
    return {
      subject: `${count} your attention at Naturestrip`,
      parts: [
        greetingOf(firstName),
        `${count} your attention:`,
        { list: items.map(({ detail, subjectId }) => `${detail} (${subjectId})`) },
        siteUrl
          ? { link: `${siteUrl}/admin`, words: "Open the list" }
          : "You'll find the list on the main admin page.",
      ],
    };
  },
});
