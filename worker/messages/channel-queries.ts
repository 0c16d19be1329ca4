/** Finds messages that may be sent now: due messages of enabled channels, up to each channel's allowance. */
import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";

import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { canSendEmail } from "../outbox/email.ts";
import type { Db } from "../platform/db/client.ts";
import { messageChannels, messages } from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import {
  CATCHING_UP_MS,
  type Channel,
  MAX_EMAILS_PER_MINUTE,
  type LimitState,
  limitStateOf,
  DEFAULT_LIMIT,
  DEFAULT_IS_ON,
} from "./channel-rules.ts";

/** SQL: the number of a channel's messages leased since a time. */
const leasedSince = (db: Db, channel: Channel, since: number) =>
  db
    .select({ count: sql`count(*)` })
    .from(messages)
    .where(
      and(eq(messages.channel, channel), sql`${messages.triedAt} IS NOT NULL`, gt(messages.triedAt, since)),
    );

/** SQL: the rest of a channel's daily limit. An admin's limit replaces the default. May be negative. */
function remainingToday(db: Db, channel: Channel, now: number): SQL<number> {
  return sql`coalesce((SELECT ${messageChannels.mostADay} FROM ${messageChannels}
    WHERE ${messageChannels.channel} = ${channel}), ${DEFAULT_LIMIT[channel]}) - (${leasedSince(db, channel, now - DAY_MS)})`;
}

/** SQL: the rest of a channel's daily limit, at most `maxCount`. Counts the day only if a message is due. */
function allowance(db: Db, channel: Channel, now: number, maxCount: number): SQL<number> {
  const due = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.state} = 'waiting'`, lte(messages.due, now), eq(messages.channel, channel)))
    .limit(1);
  return sql`CASE WHEN EXISTS ${due} THEN max(0, min(${maxCount}, ${remainingToday(db, channel, now)})) ELSE ${maxCount} END`;
}

/** SQL: how many emails about requests may be leased now. Visitors trigger them, so they are limited. */
function visitorAllowance(db: Db, now: number) {
  return sql`max(0, min(${MAX_EMAILS_PER_MINUTE} - (${leasedSince(db, "email", now - MINUTE_MS)}),
    ${remainingToday(db, "email", now)}))`;
}

/** Emails that users with an account trigger, then emails that visitors trigger. */
export const EMAIL_KINDS = [
  and(eq(messages.channel, "email"), isNull(messages.leadId))!,
  and(eq(messages.channel, "email"), isNotNull(messages.leadId))!,
] as const;

/** Returns the state of a channel's daily limit. Reads at most as many index entries as the limit. */
export async function findLimit(db: Db, channel: Channel, now: number): Promise<LimitState> {
  const [setting] = await db
    .select({ mostADay: messageChannels.mostADay })
    .from(messageChannels)
    .where(eq(messageChannels.channel, channel));
  const mostADay = setting?.mostADay ?? DEFAULT_LIMIT[channel];
  if (mostADay <= 0) return limitStateOf(channel, mostADay, null, now);
  const [last] = await db
    .select({ triedAt: messages.triedAt })
    .from(messages)
    .where(
      and(
        eq(messages.channel, channel),
        sql`${messages.triedAt} IS NOT NULL`,
        gt(messages.triedAt, now - DAY_MS - CATCHING_UP_MS),
      ),
    )
    .orderBy(desc(messages.triedAt))
    .limit(1)
    .offset(mostADay - 1);
  return limitStateOf(channel, mostADay, last?.triedAt ?? null, now);
}

const PUSH_KINDS = inArray(messages.channel, ["spread", "push"]);

/** SQL: the channel is off. Waiting messages may be sent once an admin switches it on. */
export const isSwitchedOff = (channel: Channel) => sql`coalesce((SELECT ${messageChannels.isOn} = 0
  FROM ${messageChannels} WHERE ${messageChannels.channel} = ${channel}), ${DEFAULT_IS_ON[channel] ? 0 : 1})`;

/** Messages that share one limit. */
export type MessageKind = { condition: SQL; maxCount: number | SQL };

const kindOf = (channel: Channel, condition: SQL, maxCount: number | SQL): MessageKind => ({
  condition: and(condition, sql`NOT ${isSwitchedOff(channel)}`)!,
  maxCount,
});

export function canSend(context: Context): boolean {
  const { push, sms } = context.settings;
  return push !== null || sms !== null || canSendEmail(context);
}

/**
 * Returns the kinds of messages that this deployment sends, each with its current allowance.
 * @param maxCount maximum of each kind, even if its allowance is higher
 */
export function kindsToSend(context: Context, db: Db, now: number, maxCount: number): MessageKind[] {
  const { push, sms } = context.settings;
  return [
    ...(push ? [kindOf("push", PUSH_KINDS, allowance(db, "push", now, maxCount))] : []),
    ...(sms ? [kindOf("sms", eq(messages.channel, "sms"), allowance(db, "sms", now, maxCount))] : []),
    ...(canSendEmail(context)
      ? [
          kindOf("email", EMAIL_KINDS[0], maxCount),
          kindOf("email", EMAIL_KINDS[1], visitorAllowance(db, now)),
        ]
      : []),
  ];
}

/**
 * Returns the query for the ids of due messages of a kind, oldest first.
 * @param ids only these messages; null for all due messages
 */
export function dueIds(
  { condition, maxCount }: MessageKind,
  dueBy: number,
  ids: readonly string[] | null = null,
): SQL {
  const isDue = and(
    // With ids, avoid the partial index: it would scan every due row.
    ids ? eq(messages.state, "waiting") : sql`${messages.state} = 'waiting'`,
    lte(messages.due, dueBy),
    condition,
    ids ? inArray(messages.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`) : undefined,
  );
  return sql`SELECT ${messages.id} FROM ${messages} WHERE ${isDue} ORDER BY ${messages.due} LIMIT ${maxCount}`;
}

/** Returns the ids of messages that may be sent now, the oldest of each kind. @param maxCount maximum of each kind */
export async function listDue(context: Context, now: number, maxCount: number): Promise<string[]> {
  const db = context.db;
  const found = await Promise.all(
    kindsToSend(context, db, now, maxCount).map((kind) => db.all<{ id: string }>(dueIds(kind, now))),
  );
  return found.flat().map(({ id }) => id);
}
