/** Finds messages that may be sent now: due messages of enabled channels, up to each channel's allowance. */

import { and, eq, gte, inArray, isNotNull, isNull, lte, min, type SQL, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS } from "../../contract/durations.ts";
import { startOfSydneyDay, sydneyDay } from "../../contract/sydney-time.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { mailboxOf, messageChannels, messages } from "../platform/db/messages.ts";
import { canSendEmail } from "./email.ts";
import { type Channel, DEFAULT_IS_ON, DEFAULT_LIMIT, type LimitedChannel } from "./rules.ts";

/** A message that fails this often raises an alert. */
const ALERT_AFTER_ATTEMPTS = 3;
/** Longer than the longest backoff. */
const RECENTLY_MS = 2 * HOUR_MS;

/** SQL: a channel's daily limit. An admin's limit replaces the default. */
export const limitOf = (channel: LimitedChannel) =>
  sql<number>`coalesce((SELECT ${messageChannels.mostADay} FROM ${messageChannels}
    WHERE ${messageChannels.channel} = ${channel}), ${DEFAULT_LIMIT[channel]})`;

/** SQL: emails that users with an account trigger. They have no daily limit. */
const isAccountEmail = and(eq(messages.channel, "email"), isNull(messages.leadId))!;

/** SQL: messages that count towards a daily limit, and that it may delay. Visitors trigger these emails. */
const LIMITED: Readonly<Record<LimitedChannel, SQL>> = {
  email: and(eq(messages.channel, "email"), isNotNull(messages.leadId))!,
  sms: eq(messages.channel, "sms"),
};

/** SQL: the message was tried since a time. Repeats the condition of the partial index, or SQLite does not use it. */
const isTriedSince = (since: number) =>
  sql`${messages.triedAt} IS NOT NULL AND ${messages.channel} <> 'push' AND ${messages.triedAt} >= ${since}`;

/** SQL: the rest of a channel's limit for this day in Sydney. May be negative. */
function remainingToday(db: Db, channel: LimitedChannel, now: number): SQL<number> {
  const since = startOfSydneyDay(sydneyDay(now))!;
  const leased = db
    .select({ count: sql`count(*)` })
    .from(messages)
    .where(and(LIMITED[channel], isTriedSince(since)));
  return sql`${limitOf(channel)} - (${leased})`;
}

const isDue = (now: number) => and(sql`${messages.state} = 'waiting'`, lte(messages.due, now));

/** SQL: how many messages of a limited channel may be leased now. Counts the day only if a message is due. */
function allowance(db: Db, channel: LimitedChannel, now: number, maxCount: number): SQL<number> {
  const due = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(isDue(now), LIMITED[channel]))
    .limit(1);
  return sql`CASE WHEN EXISTS ${due}
    THEN max(0, min(${maxCount}, ${remainingToday(db, channel, now)})) ELSE 0 END`;
}

const PUSH_KINDS = inArray(messages.channel, ["spread", "push"]);

/** SQL: the channel is off. Waiting messages may be sent once an admin switches it on. */
const isSwitchedOff = (channel: Channel) => sql`coalesce((SELECT ${messageChannels.isOn} = 0
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
  const limited = (channel: LimitedChannel) =>
    kindOf(channel, LIMITED[channel], allowance(db, channel, now, maxCount));
  return [
    ...(push ? [kindOf("push", PUSH_KINDS, maxCount)] : []),
    ...(sms ? [limited("sms")] : []),
    ...(canSendEmail(context) ? [kindOf("email", isAccountEmail, maxCount), limited("email")] : []),
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

/** SQL: a due message of the channel waits for tomorrow's limit. */
export function isDelayedByLimit(db: Db, channel: LimitedChannel, now: number): SQL<number> {
  const due = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(isDue(now), LIMITED[channel], sql`NOT ${isSwitchedOff(channel)}`));
  return sql`(EXISTS ${due} AND ${remainingToday(db, channel, now)} <= 0)`;
}

/** SQL: a message of the channel keeps failing. Its service may be down, or refuse our key. */
export function keepsFailing(db: Db, channel: LimitedChannel, now: number): SQL<number> {
  const failing = db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.channel, channel),
        isTriedSince(now - RECENTLY_MS),
        eq(messages.state, "waiting"),
        gte(messages.attempts, ALERT_AFTER_ATTEMPTS),
        sql`NOT ${isSwitchedOff(channel)}`,
      ),
    );
  return sql`EXISTS ${failing}`;
}

/** Returns when the oldest message that may be sent now became due, epoch ms; null if there is none. */
export async function findOldestDue(context: Context, now: number): Promise<number | null> {
  const ids = await listDue(context, now, 1);
  if (ids.length === 0) return null;
  const [oldest] = await context.db
    .select({ due: min(messages.due) })
    .from(messages)
    .where(inArray(messages.id, ids));
  return oldest?.due ?? null;
}

// Daily limits of emails and texts. A stranger may enter any address.

/** Emails about accounts that a stranger can trigger. */
export const STRANGERS_ACCOUNT_EMAILS: readonly string[] = [
  "password_link",
  "confirm_email",
  "password_guessed",
];

/**
 * Emails about requests that a stranger can trigger. The others follow from what a provider does. The notice of a removed
 * address is not here. Otherwise a person could use up the limit, replace the address, and so hide the notice.
 */
const STRANGERS_REQUEST_EMAILS: readonly string[] = [
  "request_received",
  "request_email_added",
  "request_list",
  "inspection_received",
  "request_withdrawn",
];

/** Maximum messages of a name per mailbox or number and day, about requests. */
const MAX_PER_ADDRESS_AND_DAY = 3;

/** Maximum emails to a mailbox a day that a stranger can trigger: about accounts, and as many about requests. */
const MAX_PER_MAILBOX_AND_DAY = 5;

/** SQL: whether at least this many of the earlier messages match. */
const isReached = (limit: number, matches: SQL) => sql`count(*) FILTER (WHERE ${matches}) >= ${limit}`;

/**
 * SQL: whether the recipient has reached a daily limit: that of emails a stranger can trigger, or that of this message
 * about requests.
 * @param recipient in lower case
 * @param name the message's
 */
export function hasDailyMaximum(recipient: SQL, name: string, now: number): SQL {
  const isAccount = STRANGERS_ACCOUNT_EMAILS.includes(name);
  const strangers = [STRANGERS_ACCOUNT_EMAILS, STRANGERS_REQUEST_EMAILS].find((all) => all.includes(name));
  // Strangers cannot use up the last account email: it is a password link, which the owner can use.
  const max = MAX_PER_MAILBOX_AND_DAY - (isAccount && name !== "password_link" ? 1 : 0);
  const reached = [
    ...(strangers ? [isReached(max, sql`earlier.template IN ${strangers}`)] : []),
    ...(isAccount ? [] : [isReached(MAX_PER_ADDRESS_AND_DAY, sql`earlier.template = ${name}`)]),
  ];
  return sql`(SELECT ${sql.join(reached, sql` OR `)} FROM ${messages} AS earlier
    WHERE ${mailboxOf(sql`earlier.recipient`)} = ${mailboxOf(recipient)}
    AND earlier.channel <> 'push' AND earlier.created_at > ${now - DAY_MS})`;
}
