/** Queries for the admins' pages about messages. */
import { and, desc, sql } from "drizzle-orm";

import {
  type AdminChannel,
  type ChannelState,
  MESSAGE_CHANNELS,
  type MessageSummary,
} from "../../contract/messages.ts";
import type { Db } from "../platform/db/client.ts";
import { type After, olderThan } from "../platform/db/paging.ts";
import { messageChannels, messages } from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import { canSendEmail } from "../outbox/email.ts";
import { maskRecipient, DEFAULT_LIMIT, DEFAULT_IS_ON } from "../outbox/channel-rules.ts";

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
    .where(and(sql`${messages.state} = 'failed'`, olderThan(messages.createdAt, messages.id, after)))
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(limit);
  return rows.map(({ id, channel, template, attempts, recipient, leadId, userId, createdAt, triedAt }) => {
    const to = maskRecipient(recipient);
    return { id, channel, template, attempts, to, about: leadId ?? userId, createdAt, triedAt };
  });
}
