/** Queries for the admins' pages about messages. */

import { and, desc, eq, inArray, sql } from "drizzle-orm";

import {
  type AdminChannel,
  type ChannelSetting,
  type ChannelState,
  MESSAGE_CHANNELS,
  type MessageSummary,
} from "../../contract/messages.ts";
import { type Act, auditWhen } from "../identity/audit/store.ts";
import { canSendEmail } from "../outbox/email.ts";
import { DEFAULT_IS_ON, DEFAULT_LIMIT, maskRecipient } from "../outbox/rules.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { messageChannels, messages } from "../platform/db/messages.ts";
import { type After, olderThan } from "../platform/db/sql.ts";
import { DomainError } from "../platform/errors.ts";
import { lifetimeOf } from "./registry.ts";

/** Returns whether this deployment is configured to send on a channel. */
function isReady(context: Context, channel: AdminChannel): boolean {
  return channel === "email" ? canSendEmail(context) : context.settings[channel] !== null;
}

/** Returns each channel's settings. */
export async function listChannels(context: Context): Promise<ChannelState[]> {
  const stored = await context.db.select().from(messageChannels);
  return MESSAGE_CHANNELS.map((channel) => {
    const row = stored.find((one) => one.channel === channel);
    return {
      channel,
      isReady: isReady(context, channel),
      isOn: row?.isOn ?? DEFAULT_IS_ON[channel],
      mostADay: channel === "push" ? null : (row?.mostADay ?? DEFAULT_LIMIT[channel]),
    };
  });
}

/** Returns the failed messages, newest first. */
export async function listFailed(db: Db, after: After, limit: number): Promise<MessageSummary[]> {
  const rows = await db
    .select()
    .from(messages)
    .where(
      and(sql`${messages.state} IN ('failed', 'bounced')`, olderThan(messages.createdAt, messages.id, after)),
    )
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(limit);
  return rows.map(
    ({ id, channel, template, state, attempts, recipient, leadId, userId, createdAt, triedAt }) => {
      const [to, about, hasBounced] = [maskRecipient(recipient), leadId ?? userId, state === "bounced"];
      return { id, channel, template, attempts, to, about, hasBounced, createdAt, triedAt };
    },
  );
}

// Admin decisions about channels and messages.

/** Switches a channel on or off and sets its daily limit. The audit log records the previous setting. */
export async function setChannel(
  db: Db,
  channel: AdminChannel,
  setting: ChannelSetting,
  { actor, now, requestId }: Act,
): Promise<void> {
  const { isOn, mostADay = null } = setting;
  const values = { isOn, mostADay };
  const before = sql`(SELECT json_object('isOn', json(iif(${messageChannels.isOn}, 'true', 'false')),
    'mostADay', ${messageChannels.mostADay}) FROM ${messageChannels} WHERE ${messageChannels.channel} = ${channel})`;
  await db.batch([
    auditWhen(db, sql`true`, actor, {
      at: now,
      action: "message.channel_set",
      subjectType: "channel",
      subjectId: channel,
      before,
      after: values,
      requestId,
    }),
    db
      .insert(messageChannels)
      .values({ channel, ...values })
      .onConflictDoUpdate({ target: messageChannels.channel, set: values }),
  ]);
}

const notFailedError = () =>
  new DomainError("not_found", "That message didn't fail, or it's already queued again");

/**
 * Retries a failed message like a new one. The sender rebuilds its content and drops it if it is no longer needed.
 * @throws DomainError not_found if it does not exist or has not failed; another admin may have retried it first
 */
export async function resend(db: Db, id: string, { actor, now, requestId }: Act): Promise<void> {
  const hasFailed = and(eq(messages.id, id), inArray(messages.state, ["failed", "bounced"]));
  const [message] = await db.select({ template: messages.template }).from(messages).where(hasFailed);
  if (!message) throw notFailedError();
  const expiresAt = now + lifetimeOf(message.template);
  const [, changed] = await db.batch([
    auditWhen(db, sql`EXISTS (SELECT 1 FROM ${messages} WHERE ${hasFailed})`, actor, {
      at: now,
      action: "message.sent_again",
      subjectType: "message",
      subjectId: id,
      after: { template: message.template },
      requestId,
    }),
    db
      .update(messages)
      .set({ state: "waiting", due: now, attempts: 0, expiresAt })
      .where(hasFailed)
      .returning({ id: messages.id }),
  ]);
  if (changed.length === 0) throw notFailedError();
}
