/** Sends due messages. A crash is safe at any step: a message not recorded as sent is retried after its lease. */

import { and, eq, inArray, isNull, lte, notInArray, sql } from "drizzle-orm";

import { DAY_MS, MINUTE_MS } from "../../contract/durations.ts";
import { sydneyDay } from "../../contract/sydney-time.ts";
import {
  dueIds,
  isDelayedByLimit,
  keepsFailing,
  kindsToSend,
  limitOf,
  type MessageKind,
} from "../outbox/channel-queries.ts";
import { enqueueRows, raiseAttention, raiseAttentionOnce } from "../outbox/commands.ts";
import { canSendEmail } from "../outbox/email.ts";
import { checkAgainAt, type MessageRow, type Skip } from "../outbox/message.ts";
import type { LimitedChannel } from "../outbox/rules.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import { attention, messages, pushDevices } from "../platform/db/messages.ts";
import { log } from "../platform/log.ts";
import { enqueueDue, enqueueIds } from "./queue-commands.ts";
import { type ChannelSender, type Result, retryAfter } from "./sender.ts";
import { createEmailSender, createPushSender, createTextSender } from "./senders.ts";
import { spread } from "./spread-commands.ts";

/** A worker leases a message for this long. After that another worker may take it. */
const LEASE_MS = 2 * MINUTE_MS;
/** A run starts no new group after this long. Remaining messages are due again when their lease expires. */
const MAX_RUN_MS = LEASE_MS - 30_000;
/** Maximum messages of each kind per call. Each message costs 2.3 ms of CPU. */
const MAX_BATCH_SIZE = 100;
/** Maximum rounds per sweep. Keeps it within its minute and a Worker's limit on subrequests. */
const MAX_ROUNDS = 4;
/** Maximum messages that one statement expires or deletes. It reads five rows for each. */
const MAX_ROWS = 150;
/** After this long in the queue, the sweep sends the message itself. */
const QUEUE_TIMEOUT_MS = 2 * MINUTE_MS;
/** Attempts before a message that throws is marked failed and shown to an admin. A throw means a bug in our code. */
const MAX_ATTEMPTS = 5;

/** How long finished messages stay in D1. Their keys prevent duplicates. */
const RETENTION_MS = 7 * DAY_MS;

type Due = { ids: readonly string[] | null; dueBy: number };

/** Leases due messages, oldest first. No other worker sends them until the lease expires. */
async function leaseMessages(
  db: Db,
  kind: MessageKind,
  { ids, dueBy }: Due,
  now: number,
): Promise<MessageRow[]> {
  return db
    .update(messages)
    .set({ attempts: sql`${messages.attempts} + 1`, due: now + LEASE_MS, triedAt: now })
    .where(
      and(
        inArray(messages.id, sql`(${dueIds(kind, dueBy, ids)})`),
        eq(messages.state, "waiting"),
        lte(messages.due, dueBy),
      ),
    )
    .returning();
}

/**
 * Records the results, deletes dead devices and enqueues replacement messages. Skips a message that is no longer
 * waiting: a delivery report or an opt-out came first.
 */
async function recordResults(db: Db, results: readonly Result[]): Promise<void> {
  const rows = JSON.stringify(results.map(({ id, state, due, untried }) => ({ id, state, due, untried })));
  const of = (field: string) =>
    sql`(SELECT value ->> ${field} FROM json_each(${rows}) WHERE value ->> 'id' = ${messages.id})`;
  const deadDeviceIds = results.flatMap((one) => one.deadDeviceId ?? []);
  const replacements = results.flatMap((one) => one.replacement ?? []);
  await db.batch([
    db
      .update(messages)
      .set({
        state: of("$.state") as never,
        due: of("$.due") as never,
        attempts: sql`${messages.attempts} - coalesce(${of("$.untried")}, 0)`,
        // A check alone does not count towards a daily limit.
        triedAt: sql`iif(${messages.attempts} = coalesce(${of("$.untried")}, 0), NULL, ${messages.triedAt})`,
      })
      .where(
        and(
          inArray(messages.id, sql`(SELECT value ->> 'id' FROM json_each(${rows}))`),
          eq(messages.state, "waiting"),
        ),
      ),
    ...(deadDeviceIds.length > 0
      ? [
          db
            .delete(pushDevices)
            .where(
              inArray(pushDevices.id, sql`(SELECT value FROM json_each(${JSON.stringify(deadDeviceIds)}))`),
            ),
        ]
      : []),
    ...(replacements.length > 0 ? [enqueueRows(db, replacements)] : []),
  ]);
}

/** Returns the result of a message that threw: a retry with backoff, or `failed` after the last attempt. */
const resultAfterError = (
  { id, attempts, due }: Pick<MessageRow, "id" | "attempts" | "due">,
  now: number,
): Result =>
  attempts < MAX_ATTEMPTS
    ? { id, state: "waiting", due: now + retryAfter(attempts) }
    : { id, state: "failed", due };

/** Returns the result of a message that was not sent now. */
const skipped = ({ id, due }: MessageRow, { due: again, replacement }: Skip): Result =>
  again === null
    ? { id, due, state: "dropped", ...(replacement && { replacement }) }
    : { id, due: again, state: "waiting", untried: true };

/**
 * Sends one message.
 * @param busyUntil when each busy service accepts messages again, epoch ms
 */
async function sendOne(
  sender: ChannelSender,
  message: MessageRow,
  busyUntil: Map<string, number>,
  now: number,
): Promise<Result> {
  const { id, due, template, attempts, recipient } = message;
  if (message.expiresAt <= now) return { id, due, state: "expired" };
  const skip = sender.check?.(message, now);
  if (skip) return skipped(message, skip);
  const service = sender.serviceOf?.(message) ?? sender.name;
  const busy = busyUntil.get(service) ?? 0;
  if (busy > now) return skipped(message, checkAgainAt(busy));
  const prepared = await sender.prepare(message, now);
  if (typeof prepared !== "function") return skipped(message, prepared);
  const outcome = await prepared();
  if (outcome.kind === "sent") return { id, due, state: "sent" };
  if (outcome.kind === "gone") return { id, due, state: "dropped", deadDeviceId: recipient! };
  log("warn", `${sender.name}_not_taken`, {
    messageId: id,
    template,
    attempts,
    ...(sender.serviceOf && { host: service }),
    ...outcome.detail,
  });
  if (outcome.kind === "refused") return { id, due, state: "failed" };
  const waitMs = outcome.afterMs ?? retryAfter(attempts);
  if (outcome.kind === "busy") busyUntil.set(service, now + Math.max(waitMs, MINUTE_MS));
  return { id, due: now + waitMs, state: "waiting" };
}

/**
 * Sends a channel's messages in groups while their lease lasts. Records the results after each group, so a crash loses
 * only one group's results. If one message throws, the rest of its group is still sent.
 */
async function sendAll(
  db: Db,
  sender: ChannelSender,
  leased: readonly MessageRow[],
  now: number,
): Promise<Result[]> {
  const results: Result[] = [];
  const busyUntil = new Map<string, number>();
  const began = Date.now();
  for (let from = 0; from < leased.length; from += sender.groupSize) {
    const elapsed = Date.now() - began;
    if (elapsed >= MAX_RUN_MS) break;
    // Check the time again: a text behind many others may only be sent once quiet hours have begun.
    const at = now + elapsed;
    const group = leased.slice(from, from + sender.groupSize);
    await sender.begin?.(group);
    const sent = await Promise.all(
      group.map(async (message) => {
        try {
          return await sendOne(sender, message, busyUntil, at);
        } catch (error) {
          const { id: messageId, template, attempts } = message;
          log("error", "message_broken", { messageId, template, attempts, error });
          return resultAfterError(message, at);
        }
      }),
    );
    await recordResults(db, sent);
    results.push(...sent);
  }
  return results;
}

/** Leases messages of the configured channels, up to the current allowance of each. */
async function leaseAll(context: Context, due: Due, now: number): Promise<MessageRow[]> {
  const db = context.db;
  const kinds = kindsToSend(context, db, now, MAX_BATCH_SIZE);
  return (await Promise.all(kinds.map((kind) => leaseMessages(db, kind, due, now)))).flat();
}

/**
 * Expands each `spread` note into one message per recipient and enqueues them. A note that throws is retried a few
 * times and delays no other message.
 * @returns the number of recipients
 */
async function spreadAll(context: Context, notes: readonly MessageRow[], now: number): Promise<number> {
  let count = 0;
  for (const one of notes) {
    if (one.expiresAt <= now) {
      await recordResults(context.db, [{ id: one.id, due: one.due, state: "expired" }]);
      continue;
    }
    try {
      const { recipients, dueIds: ids } = await spread(context, one, now);
      count += recipients;
      if (ids.length > 0) await enqueueIds(context, ids);
    } catch (error) {
      log("error", "spread_broken", { messageId: one.id, attempts: one.attempts, error });
      await recordResults(context.db, [resultAfterError(one, now)]);
    }
  }
  return count;
}

/**
 * Expands and sends due messages, up to the limit per call.
 * @param ids only these messages; null for all due messages
 * @param dueBy only messages due by this time, epoch ms; the default is `now`
 * @returns the number of messages by result; `waiting` messages are retried
 * @throws D1's errors; leased messages are due again when the lease expires
 */
export async function deliver(context: Context, ids: readonly string[] | null, now: number, dueBy = now) {
  const { push, sms } = context.settings;
  const leased = Map.groupBy(await leaseAll(context, { ids, dueBy }, now), ({ channel }) => channel);
  const db = context.db;
  const counts: Record<string, number> = {
    spread: await spreadAll(context, leased.get("spread") ?? [], now),
  };
  const { push: pushes, email: emails, sms: texts } = Object.fromEntries(leased);
  // A failing channel does not block the others.
  const runs = await Promise.allSettled([
    push && pushes
      ? createPushSender(context, push, pushes, now).then((sender) => sendAll(db, sender, pushes, now))
      : [],
    emails ? sendAll(db, createEmailSender(context), emails, now) : [],
    sms && texts ? sendAll(db, createTextSender(context, sms), texts, now) : [],
  ]);
  for (const { state } of runs.flatMap((run) => (run.status === "fulfilled" ? run.value : [])))
    counts[state] = (counts[state] ?? 0) + 1;
  const broken = runs.find((run) => run.status === "rejected");
  if (broken) throw broken.reason;
  return counts;
}

/** The sweep looks for expired messages only after this long: one lead may have thousands of due messages. */
const EXPIRES_AFTER_MS = 10 * MINUTE_MS;

/** Expires messages that were not sent in time because their channel is off or not configured. */
async function expireLate(db: Db, now: number): Promise<void> {
  const late = db
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        sql`${messages.state} = 'waiting'`,
        lte(messages.due, now - EXPIRES_AFTER_MS),
        lte(messages.expiresAt, now),
      ),
    )
    .limit(MAX_ROWS);
  await db.update(messages).set({ state: "expired" }).where(inArray(messages.id, late));
}

/** Deletes finished messages, and waiting ones that will never be sent, after `RETENTION_MS`. */
async function deleteOld(db: Db, now: number): Promise<number> {
  const old = lte(messages.createdAt, now - RETENTION_MS);
  const done = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.state} <> 'waiting'`, old))
    .limit(MAX_ROWS);
  const stale = db
    .select({ id: messages.id })
    .from(messages)
    .where(and(sql`${messages.state} = 'waiting'`, lte(messages.due, now - RETENTION_MS)))
    .limit(MAX_ROWS);
  const deleted = await db.batch([
    db.delete(messages).where(inArray(messages.id, done)).returning({ id: messages.id }),
    db.delete(messages).where(inArray(messages.id, stale)).returning({ id: messages.id }),
  ]);
  return deleted.flat().length;
}

/**
 * Runs every minute. Enqueues due messages and deletes old ones. If the queue is unavailable, the sweep sends the
 * messages itself. It also sends messages that stayed in the queue too long.
 */
export async function sweepMessages(context: Context, now: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const began = Date.now();
  const isEnqueued = await enqueueDue(context, now);
  for (let round = 0, isMore = true; isMore && round < MAX_ROUNDS; round++) {
    // Messages expanded in one round are due in the next. Start each round's leases at its own time.
    const at = now + (Date.now() - began);
    const dueBy = isEnqueued ? now - QUEUE_TIMEOUT_MS : at;
    const done = Object.entries(await deliver(context, null, at, dueBy));
    for (const [name, count] of done) counts[name] = (counts[name] ?? 0) + count;
    isMore = done.some(([, count]) => count > 0);
  }
  const db = context.db;
  await expireLate(db, now);
  await updateMessageAlerts(context, now);
  return { ...counts, forgotten: await deleteOld(db, now) };
}

// Alerts admins to emails and texts that are not sent, and closes the alerts once they are.

const KINDS = ["messages_stuck", "message_limit"];
const NAMES: Readonly<Record<LimitedChannel, { label: string; logEvent: string }>> = {
  email: { label: "Emails", logEvent: "email_not_taken" },
  sms: { label: "Texts", logEvent: "text_not_taken" },
};

/** Checks the channels. Notifications are free, and devices are often unreachable, so they raise no alert. */
async function updateMessageAlerts(context: Context, now: number): Promise<void> {
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
