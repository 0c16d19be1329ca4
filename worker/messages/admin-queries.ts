/** Queries for the admins' pages about messages. */
import { and, desc, inArray, or, type SQL, sql } from "drizzle-orm";

import {
  type AdminChannel,
  type ChannelState,
  MESSAGE_CHANNELS,
  type MessageSummary,
  type MessageView,
} from "../../contract/messages.ts";
import type { Db } from "../platform/db/client.ts";
import { type After, olderThan } from "../platform/db/paging.ts";
import { messageChannels, messages, users } from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import { canSendEmail } from "../outbox/email.ts";
import { phoneKey } from "../../contract/phone.ts";
import { maskRecipient, DEFAULT_LIMIT, DEFAULT_IS_ON } from "./channel-rules.ts";

const HISTORY = 50;

type MessageRow = typeof messages.$inferSelect;

/** Returns whether this deployment is configured to send on a channel. */
function isReady(context: Context, channel: AdminChannel): boolean {
  return channel === "email" ? canSendEmail(context) : context.settings[channel] !== null;
}

const isWaiting = sql`${messages.state} = 'waiting'`;

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

function lineOf(row: MessageRow): MessageSummary {
  const { id, channel, template, state, attempts, recipient, leadId, userId, createdAt, triedAt } = row;
  const to = maskRecipient(recipient);
  return { id, channel, template, state, attempts, to, about: leadId ?? userId, createdAt, triedAt };
}

/** Each view must repeat the condition of its partial index, or SQLite does not use the index. */
const VIEWS: Readonly<Record<MessageView, SQL>> = {
  failed: sql`${messages.state} = 'failed'`,
  waiting: isWaiting,
  over: sql`${messages.state} <> 'waiting'`,
};

/** Returns messages, newest first. Sorts waiting ones by due time, latest first. */
export async function listMessages(
  db: Db,
  filter: { view: MessageView; after: After; limit: number },
): Promise<{ lines: MessageSummary[]; at: { createdAt: number; id: string }[] }> {
  const { view, after, limit } = filter;
  const order = view === "waiting" ? messages.due : messages.createdAt;
  const rows = await db
    .select()
    .from(messages)
    .where(and(VIEWS[view], olderThan(order, messages.id, after)))
    .orderBy(desc(order), desc(messages.id))
    .limit(limit);
  const at = rows.map(({ id, due, createdAt }) => ({ createdAt: view === "waiting" ? due : createdAt, id }));
  return { lines: rows.map(lineOf), at };
}

/** Returns messages to an email address or a number, and to the devices of its user, newest first. */
export async function listHistory(db: Db, address: string): Promise<MessageSummary[]> {
  const email = address.includes("@") ? address.trim().toLowerCase() : (phoneKey(address) ?? "");
  const matchingUsers = db
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = ${email}`);
  const rows = await db
    .select()
    .from(messages)
    .where(or(sql`${messages.recipient} = ${email}`, inArray(messages.userId, matchingUsers)))
    .orderBy(desc(messages.createdAt))
    .limit(HISTORY);
  return rows.map(lineOf);
}
