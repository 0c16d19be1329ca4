/** Alerts admins to emails and texts that are not sent, and closes the alerts once they are. */
import { and, inArray, isNull, notInArray, sql } from "drizzle-orm";

import { sydneyDay } from "../../contract/sydney-time.ts";
import { raiseAttention, raiseAttentionOnce } from "../outbox/attention-commands.ts";
import { canSendEmail } from "../outbox/email.ts";
import type { Context } from "../platform/context.ts";
import { attention } from "../platform/db/schema.ts";
import { isDelayedByLimit, keepsFailing, limitOf } from "../outbox/channel-queries.ts";
import type { LimitedChannel } from "../outbox/channel-rules.ts";

const KINDS = ["messages_stuck", "message_limit"];
const NAMES: Readonly<Record<LimitedChannel, { label: string; logEvent: string }>> = {
  email: { label: "Emails", logEvent: "email_not_taken" },
  sms: { label: "Texts", logEvent: "text_not_taken" },
};

/** Checks the channels. Notifications are free, and devices are often unreachable, so they raise no alert. */
export async function updateMessageAlerts(context: Context, now: number): Promise<void> {
  const { db, settings } = context;
  const channels: LimitedChannel[] = [
    ...(canSendEmail(context) ? (["email"] as const) : []),
    ...(settings.sms ? (["sms"] as const) : []),
  ];
  const open: string[] = [];
  for (const channel of channels) {
    const { label, logEvent } = NAMES[channel];
    const [state] = await db.all<{ limit: number; isDelayed: number; isFailing: number }>(
      sql`SELECT ${limitOf(channel)} AS "limit", ${isDelayedByLimit(db, channel, now)} AS "isDelayed",
        ${keepsFailing(db, channel, now)} AS "isFailing"`,
    );
    const { limit, isDelayed, isFailing } = state!;
    if (isFailing) {
      open.push(channel);
      await raiseAttention(
        db,
        "messages_stuck",
        channel,
        `${label} keep failing: look for ${logEvent} in the log`,
        now,
      );
    }
    if (isDelayed) {
      // One alert a day: an admin who resolves it knows.
      const subjectId = `${channel} ${sydneyDay(now)}`;
      open.push(subjectId);
      const detail =
        limit === 0
          ? "the daily limit is 0. They wait until you raise it"
          : `today's limit of ${limit.toLocaleString("en-AU")} has been reached. The rest are waiting until tomorrow`;
      await raiseAttentionOnce(db, "message_limit", subjectId, `${label}: ${detail}`, now);
    }
  }
  await db
    .update(attention)
    .set({ resolvedAt: now })
    .where(
      and(
        isNull(attention.resolvedAt),
        inArray(attention.kind, KINDS),
        notInArray(attention.subjectId, open),
      ),
    );
}
