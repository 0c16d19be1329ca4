/** Queries for the admins' pages about messages. */
import { and, desc, eq, gt, inArray, lte, min, or, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import {
  type AdminChannel,
  type ChannelState,
  MESSAGE_CHANNELS,
  type MessageSummary,
  type MessageView,
  type MessagesOverview,
  type TemplateCount,
} from "../../contract/messages.ts";
import type { Db } from "../platform/db/client.ts";
import { type After, olderThan } from "../platform/db/paging.ts";
import { messageChannels, messages, users } from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import { canSendEmail } from "../outbox/email.ts";
import { phoneKey } from "../../contract/phone.ts";
import { findLimit } from "./channel-queries.ts";
import { maskRecipient, DEFAULT_LIMIT, DEFAULT_IS_ON } from "./channel-rules.ts";
import type { MessageState } from "../platform/db/message-types.ts";

/** Maximum messages counted, newest first. A busy market may have more in a day. */
const MAX_COUNTED = 20_000;
const HISTORY = 50;

type MessageRow = typeof messages.$inferSelect;
type Counted = { channel: string; template: string; state: MessageState; count: number };

/** Returns whether this deployment is configured to send on a channel. */
export function isReady(context: Context, channel: AdminChannel): boolean {
  return channel === "email" ? canSendEmail(context) : context.settings[channel] !== null;
}

const isWaiting = sql`${messages.state} = 'waiting'`;

export async function listChannels(context: Context, now: number): Promise<ChannelState[]> {
  const db = context.db;
  const { sms } = context.settings;
  const [stored, texts, waiting] = await db.batch([
    db.select().from(messageChannels),
    db
      .select({ count: sql<number>`count(*)` })
      .from(messages)
      .where(
        and(
          eq(messages.channel, "sms"),
          gt(messages.triedAt, now - DAY_MS),
          inArray(messages.state, ["sent", "delivered"]),
        ),
      ),
    db
      .select({ channel: messages.channel, due: sql<number>`count(*)`, oldest: min(messages.due) })
      .from(messages)
      .where(and(isWaiting, lte(messages.due, now)))
      .groupBy(messages.channel),
  ]);
  const limits = await Promise.all(MESSAGE_CHANNELS.map((channel) => findLimit(db, channel, now)));
  return MESSAGE_CHANNELS.map((channel, i) => {
    const { isReached, nextAt } = limits[i]!;
    const row = stored.find((one) => one.channel === channel);
    // A `spread` note becomes notifications when it is expanded.
    const those = waiting.filter((one) => (one.channel === "spread" ? "push" : one.channel) === channel);
    return {
      channel,
      isReady: isReady(context, channel),
      isOn: row?.isOn ?? DEFAULT_IS_ON[channel],
      mostADay: row?.mostADay ?? DEFAULT_LIMIT[channel],
      due: those.reduce((sum, { due }) => sum + due, 0),
      oldestDueAt: those.length > 0 ? Math.min(...those.map(({ oldest }) => oldest ?? now)) : null,
      limit: isReached ? { nextAt } : null,
      costCents: channel === "sms" && sms ? (texts[0]?.count ?? 0) * sms.centsEach : null,
    };
  });
}

const EMPTY = { sent: 0, failed: 0, ended: 0, waiting: 0 };
const COUNTED_AS: Readonly<Record<MessageState, keyof typeof EMPTY>> = {
  sent: "sent",
  delivered: "sent",
  failed: "failed",
  expired: "ended",
  dropped: "ended",
  waiting: "waiting",
};

function byTemplate(rows: readonly Counted[]): TemplateCount[] {
  const counts = new Map<string, TemplateCount>();
  for (const { channel, template, state, count } of rows) {
    const known = MESSAGE_CHANNELS.find((one) => one === channel);
    if (!known) continue;
    const key = `${channel} ${template}`;
    const row = counts.get(key) ?? { channel: known, template, ...EMPTY };
    row[COUNTED_AS[state]] += count;
    counts.set(key, row);
  }
  return [...counts.values()].toSorted(
    (a, b) => a.channel.localeCompare(b.channel) || a.template.localeCompare(b.template),
  );
}

const isAll = (rows: readonly Counted[]) => rows.reduce((sum, { count }) => sum + count, 0) < MAX_COUNTED;

/** Counts the messages of the last 24 hours by template and result, and all waiting ones. */
export async function countTemplates(
  db: Db,
  now: number,
): Promise<Pick<MessagesOverview, "templates" | "isWhole">> {
  const newest = (which: SQL | undefined, order: SQL) =>
    db
      .select({ channel: messages.channel, template: messages.template, state: messages.state })
      .from(messages)
      .where(which)
      .orderBy(order)
      .limit(MAX_COUNTED)
      .as("newest");
  const counted = (from: ReturnType<typeof newest>) =>
    db
      .select({
        channel: from.channel,
        template: from.template,
        state: from.state,
        count: sql<number>`count(*)`,
      })
      .from(from)
      .groupBy(from.channel, from.template, from.state);
  const isOver = and(sql`${messages.state} <> 'waiting'`, gt(messages.createdAt, now - DAY_MS));
  const [over, waiting] = await db.batch([
    counted(newest(isOver, desc(messages.createdAt))),
    counted(newest(isWaiting, desc(messages.due))),
  ]);
  return { templates: byTemplate([...over, ...waiting]), isWhole: isAll(over) && isAll(waiting) };
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
