/** Checks for the health check whether messages are sent. Warns admins about failing channels and used-up limits. */
import { and, eq, gt, gte, inArray, isNull, lte, notInArray, or, type SQL, sql } from "drizzle-orm";

import { HOUR_MS, MINUTE_MS } from "../../contract/durations.ts";
import { raiseAttention, raiseAttentionDaily } from "../outbox/attention-commands.ts";
import { canSendEmail } from "../outbox/email.ts";
import type { Db } from "../platform/db/client.ts";
import { attention, messages } from "../platform/db/schema.ts";
import type { Context } from "../platform/context.ts";
import { EMAIL_KINDS, findLimit, isSwitchedOff } from "./channel-queries.ts";
import {
  type Channel,
  type ChannelHealth,
  MIN_RETRYING,
  formatLimit,
  MAX_FAILING,
  describeProblem,
} from "./channel-rules.ts";

/** Maximum messages counted. */
const MAX_COUNTED = 100;
/** A waiting message with this many attempts and a recent one counts as failing. */
const MIN_ATTEMPTS = 3;
const RECENT_MS = 10 * MINUTE_MS;
/** The sweep runs every minute. A message stays in the queue for two at most. */
const SWEPT_WITHIN_MS = 3 * MINUTE_MS;

async function countMatching(db: Db, condition: SQL | undefined): Promise<number> {
  const matching = db
    .select({ id: messages.id })
    .from(messages)
    .where(condition)
    .limit(MAX_COUNTED)
    .as("some");
  const [row] = await db.select({ count: sql<number>`count(*)` }).from(matching);
  return row?.count ?? 0;
}

/** Messages that a channel's daily limit delays, and messages that are always sent. */
const LIMITED: Readonly<Record<Channel, { limited: SQL; free: SQL | null }>> = {
  email: { limited: EMAIL_KINDS[1], free: EMAIL_KINDS[0] },
  push: { limited: inArray(messages.channel, ["spread", "push"]), free: null },
  sms: { limited: eq(messages.channel, "sms"), free: null },
};

const isDue = (channel: Channel, condition: SQL, now: number) =>
  and(
    sql`${messages.state} = 'waiting'`,
    lte(messages.due, now),
    condition,
    sql`NOT ${isSwitchedOff(channel)}`,
  );

async function oldestDue(db: Db, channel: Channel, condition: SQL, now: number): Promise<number | null> {
  const [oldest] = await db
    .select({ due: messages.due })
    .from(messages)
    .where(isDue(channel, condition, now))
    .orderBy(messages.due)
    .limit(1);
  return oldest?.due ?? null;
}

/** Returns when the oldest due message became due, and the daily limit if it delays messages. */
async function findWaiting(db: Db, channel: Channel, now: number) {
  const { limited, free } = LIMITED[channel];
  const all = free ? eq(messages.channel, channel) : limited;
  const dueSince = await oldestDue(db, channel, all, now);
  // Recently due messages are still waiting for the sweep, so skip the query for the daily limit.
  if (dueSince === null || now - dueSince <= SWEPT_WITHIN_MS) return { dueSince, limit: null };
  const { mostADay, isReached, wasReachedRecently, nextAt } = await findLimit(db, channel, now);
  if (!wasReachedRecently) return { dueSince, limit: null };
  const waiting = isReached ? await countMatching(db, isDue(channel, limited, now)) : 0;
  return {
    dueSince: free ? await oldestDue(db, channel, free, now) : null,
    limit: waiting > 0 ? { channel, mostADay, waiting, nextAt } : null,
  };
}

async function readChannelHealth(db: Db, channel: Channel, now: number): Promise<ChannelHealth> {
  const triedSince = (since: number) => and(eq(messages.channel, channel), gt(messages.triedAt, since));
  const [waiting, refused, retrying] = await Promise.all([
    findWaiting(db, channel, now),
    countMatching(db, and(triedSince(now - HOUR_MS), eq(messages.state, "failed"))),
    countMatching(
      db,
      and(triedSince(now - RECENT_MS), eq(messages.state, "waiting"), gte(messages.attempts, MIN_ATTEMPTS)),
    ),
  ]);
  const failing = Math.min(MAX_COUNTED, refused + retrying);
  const sent =
    failing > MAX_FAILING || retrying >= MIN_RETRYING
      ? await countMatching(
          db,
          and(triedSince(now - HOUR_MS), inArray(messages.state, ["sent", "delivered"])),
        )
      : 0;
  return { channel, ...waiting, failing, retrying, sent };
}

/** Returns the state of each channel that this deployment sends on. */
export function checkChannels(context: Context, now: number): Promise<ChannelHealth[]> {
  const ready: Channel[] = [
    ...(canSendEmail(context) ? (["email"] as const) : []),
    ...(context.settings.push ? (["push"] as const) : []),
    ...(context.settings.sms ? (["sms"] as const) : []),
  ];
  return Promise.all(ready.map((channel) => readChannelHealth(context.db, channel, now)));
}

/** SQL: an alert of this kind about any other channel. */
const isAboutOthers = (kind: string, channels: string[]) =>
  and(eq(attention.kind, kind), notInArray(attention.subjectId, channels));

/**
 * Checks each channel every minute. Raises an alert for one that is stuck, fails, or has used up its daily limit, and
 * closes the alert once that is over.
 * @returns the number of failing channels; a used-up limit does not count
 * @throws D1's errors
 */
export async function watchMessages(context: Context, now: number): Promise<{ failed: number }> {
  const db = context.db;
  const stuck: string[] = [];
  const limited: string[] = [];
  for (const health of await checkChannels(context, now)) {
    const { channel, limit } = health;
    if (limit) {
      limited.push(channel);
      await raiseAttentionDaily(db, "message_limit", channel, formatLimit(limit), now);
    }
    const problem = describeProblem(health, now);
    if (problem === null) continue;
    stuck.push(channel);
    await raiseAttention(db, "messages_stuck", channel, problem, now);
  }
  // A channel that an operator or an admin has switched off is not checked, and needs no alert.
  await db
    .update(attention)
    .set({ resolvedAt: now })
    .where(
      and(
        isNull(attention.resolvedAt),
        or(isAboutOthers("messages_stuck", stuck), isAboutOthers("message_limit", limited)),
      ),
    );
  return { failed: stuck.length };
}
