/** Statements that enqueue and delete messages. Run each in the batch of the change that causes it. */

import { and, eq, is, isNotNull, SQL, sql, type SQLWrapper } from "drizzle-orm";

import type { UserRow } from "../platform/caller.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import {
  type MessagePayload,
  alertSettings,
  attention,
  messages,
  pushDevices,
} from "../platform/db/messages.ts";
import { newId } from "../platform/ids.ts";
import { log } from "../platform/log.ts";
import { hasDailyMaximum, STRANGERS_ACCOUNT_EMAILS } from "./channel-queries.ts";
import { canSendEmail } from "./email.ts";
import type { DeviceRow, Enqueued, Rows } from "./message.ts";

/** SQLite creates the ids for many rows, with the same characters as our other ids. */
const randomIdSql = sql`'msg_' || lower(hex(randomblob(10)))`;

/** Wraps a column, because drizzle drops its table name in a select from raw SQL. */
const qualifiedColumn = (value: unknown) => sql`${sql`${value}`}`;

type RowSql = Record<Exclude<keyof typeof messages.$inferInsert, "state" | "attempts" | "triedAt">, SQL>;

/**
 * Returns the only statement that inserts into the outbox. A repeated key changes nothing, except that a waiting digest
 * now starts from its earliest lead.
 */
function insertRows(db: Db, row: RowSql, from: SQL, where: SQL | undefined) {
  const columns = {
    id: row.id.as("id"),
    dedupeKey: row.dedupeKey.as("dedupe_key"),
    channel: row.channel.as("channel"),
    template: row.template.as("template"),
    recipient: row.recipient.as("recipient"),
    userId: row.userId.as("user_id"),
    leadId: row.leadId.as("lead_id"),
    payload: row.payload.as("payload"),
    due: row.due.as("due"),
    expiresAt: row.expiresAt.as("expires_at"),
    state: sql`'waiting'`.as("state"),
    attempts: sql`0`.as("attempts"),
    triedAt: sql`NULL`.as("tried_at"),
    createdAt: row.createdAt.as("created_at"),
  };
  const { dedupeKey, template, state, payload } = messages;
  return db
    .insert(messages)
    .select(
      db
        .select(columns)
        .from(from)
        .where(where ?? sql`true`),
    )
    .onConflictDoUpdate({
      target: dedupeKey,
      set: { payload: sql`excluded.payload` as never },
      setWhere: sql`${template} = 'lead_digest' AND ${state} = 'waiting'
        AND excluded.payload ->> 'since' < ${payload} ->> 'since'`,
    });
}

/**
 * Returns the statement that enqueues a message, one row for each recipient.
 * @param now epoch ms
 * @param own replaces what `message.to` returns. `when`: a further condition
 */
export function enqueue<Subject extends object>(
  db: Db,
  message: Enqueued<Subject>,
  subject: Subject,
  now: number,
  { when, ...own }: Partial<Rows> & { when?: SQL | undefined } = {},
) {
  const rows: Rows = { channel: "email", ...message.to?.(subject, now), ...own };
  const { channel, from, keyPrefix, keySuffix } = rows;
  const id = rows.id ?? (from ? randomIdSql : newId("msg"));
  // An email to an account belongs to no request: it has no visitors' limit, and stays when the request is erased.
  const isToAccount = channel === "email" && rows.userId !== undefined;
  const { leadId = null } = isToAccount ? {} : (subject as { leadId?: string });
  const payload = rows.payload ?? subject;
  const keyParts = [keyPrefix ?? [], sql`${message.key?.(subject) ?? id}`, keySuffix ?? []].flat();
  const row = {
    id: qualifiedColumn(id),
    // A text needs its own key, apart from the email of the same name.
    dedupeKey: sql`${`${message.name}:`} || iif(${channel} = 'sms', ${channel} || ':', '') || ${sql.join(keyParts, sql` || ':' || `)}`,
    channel: sql`${channel}`,
    template: sql`${message.name}`,
    recipient: qualifiedColumn(rows.recipient ?? null),
    userId: qualifiedColumn(rows.userId ?? null),
    leadId: qualifiedColumn(rows.leadId === undefined ? leadId : rows.leadId),
    payload: qualifiedColumn(is(payload, SQL) ? payload : JSON.stringify(payload)),
    due: qualifiedColumn(rows.due ?? now),
    expiresAt: qualifiedColumn(rows.expiresAt ?? now + message.lifetimeMs),
    createdAt: sql`${now}`,
  };
  return insertRows(db, row, from ?? sql`(SELECT 1)`, and(rows.where, when));
}

/** SQL: a field of a row of `json_each`. */
const field = (name: keyof DeviceRow) => sql`value ->> ${sql.raw(`'${name}'`)}`;

/** Returns the statement that enqueues messages to many devices. */
export function enqueueRows(db: Db, rows: readonly DeviceRow[]) {
  const row = {
    id: field("id"),
    dedupeKey: field("dedupeKey"),
    channel: sql`'push'`,
    template: field("template"),
    recipient: field("recipient"),
    userId: field("userId"),
    leadId: sql`NULL`,
    payload: sql`value -> 'payload'`,
    due: field("due"),
    expiresAt: field("expiresAt"),
    createdAt: field("createdAt"),
  };
  return insertRows(db, row, sql`json_each(${JSON.stringify(rows)})`, undefined);
}

/**
 * Returns the devices of each row as recipients.
 * @param from `push_devices`, with its joins
 */
export const toDevices = (where: SQL | undefined, from: SQL = sql`${pushDevices}`): Rows => ({
  channel: "push",
  from,
  where,
  recipient: sql`${pushDevices.id}`,
  userId: sql`${pushDevices.userId}`,
  keySuffix: sql`${pushDevices.id}`,
});

/**
 * SQL: a device's alert about a lead is waiting, or was sent since a time.
 * @param kind only alerts of this kind
 */
export const hasRecentAlert = (name: string, leadId: SQLWrapper, since: number, kind?: SQLWrapper | string) =>
  sql`EXISTS (SELECT 1 FROM ${messages} AS earlier
    WHERE earlier.recipient = ${pushDevices.id} AND earlier.template = ${name} AND earlier.lead_id = ${leadId}
      ${kind === undefined ? sql`` : sql`AND earlier.payload ->> 'kind' = ${kind}`}
      AND (earlier.state = 'waiting' OR (earlier.state = 'sent' AND earlier.tried_at > ${since})))`;

/** An email about an account. `to`: the address from before the change. */
export type AccountEmail<Subject extends object = MessagePayload> = {
  message: Enqueued<Subject>;
  subject: Subject;
  to: string;
  userId: string;
  /** Epoch ms. */
  expiresAt?: number;
};

/**
 * Returns the statement that enqueues an email. `when`: enqueue only where this holds. A mailbox gets only a few emails a
 * day that a stranger can trigger.
 * @param id id of the message, for sending it at once
 */
export function enqueueEmail<Subject extends object>(
  db: Db,
  id: string,
  { message, subject, to, userId, ...own }: AccountEmail<Subject>,
  now: number,
  when?: SQL,
) {
  const recipient = sql`${to.trim().toLowerCase()}`;
  const isLimited = STRANGERS_ACCOUNT_EMAILS.includes(message.name);
  const where = isLimited ? sql`NOT ${hasDailyMaximum(recipient, message.name, now)}` : undefined;
  return enqueue(db, message, subject, now, { ...own, id, recipient, userId: sql`${userId}`, where, when });
}

/**
 * Returns the statements that delete a user's messages, devices and alert settings. Keeps an email about the account's
 * closure until it is sent: the erasure may run before its retry.
 */
export function deleteRecipient(db: Db, userId: string) {
  const isClosureWaiting = sql`${messages.template} IN ('account_closed', 'customer_account_closed') AND ${messages.state} = 'waiting'`;
  return [
    db.delete(messages).where(and(eq(messages.userId, userId), sql`NOT (${isClosureWaiting})`)),
    db.delete(pushDevices).where(eq(pushDevices.userId, userId)),
    db.delete(alertSettings).where(eq(alertSettings.userId, userId)),
  ] as const;
}

/** Returns the statement that deletes a request's messages and their addresses. */
export const deleteRequestMessages = (db: Db, leadId: string) =>
  db.delete(messages).where(eq(messages.leadId, leadId));

/** Returns the statement that deletes all messages to an address, whatever the account. @param email in lower case */
export const deleteAddressMessages = (db: Db, email: string) =>
  db.delete(messages).where(eq(messages.recipient, email));

/**
 * Returns the statement that raises an alert for super admins. A repeated alert does not change its start time. A
 * resolved alert reopens.
 * @param found a condition with its source, such as `FROM payments WHERE …`: the alert is raised if it finds a row
 */
export function attentionWhen(
  db: Db,
  alert: { kind: string; subjectId: string; detail: SQL | string; since: number },
  found: SQL,
) {
  const { kind, subjectId, detail, since } = alert;
  return db
    .insert(attention)
    .select(sql`SELECT ${kind}, ${subjectId}, ${detail}, ${since}, NULL, NULL ${found}`)
    .onConflictDoUpdate({
      target: [attention.kind, attention.subjectId],
      set: { detail: sql`excluded.detail`, since, resolvedAt: null, toldAt: null },
      setWhere: isNotNull(attention.resolvedAt),
    });
}

/** Raises an alert for super admins. A repeated alert does not change its start time. A resolved alert reopens. */
export async function raiseAttention(db: Db, kind: string, subjectId: string, detail: string, now: number) {
  await attentionWhen(db, { kind, subjectId, detail, since: now }, sql`WHERE true`);
}

/** Raises an alert for a one-time event. Later reports of the event never reopen it. */
export async function raiseAttentionOnce(
  db: Db,
  kind: string,
  subjectId: string,
  detail: string,
  now: number,
) {
  await db.insert(attention).values({ kind, subjectId, detail, since: now }).onConflictDoNothing();
}

// Emails to users about a change to their own account.

type Owner = Pick<UserRow, "id" | "email">;
type Call = { env: Context; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/** An email about a change, to enqueue in the change's batch; null without a recipient. */
export type Notice = (AccountEmail<object> & { id: string }) | null;

/**
 * Returns the email about a change to a user's account. Null if email is not configured or the user has no address.
 * @param user the recipient, with the address from before the change
 * @param subject the dedupe key's data; without it, every notice is sent
 */
export function noticeTo<Subject extends object>(
  context: Context,
  user: Owner,
  message: Enqueued<Subject>,
  subject: Subject | Record<string, never> = {},
): Notice {
  if (!user.email || !canSendEmail(context)) return null;
  return { id: newId("msg"), message: message as Enqueued<object>, subject, to: user.email, userId: user.id };
}

/** Returns the statement that enqueues the email in the change's batch. Empty if there is no email. */
export function enqueueNotice(db: Db, notice: Notice, now: number) {
  return notice ? [enqueueEmail(db, notice.id, notice, now)] : [];
}

/** Sends the email after the response. If that fails, the next sweep sends it. */
export function sendNotice(c: Call, notice: Notice): void {
  if (notice) c.executionCtx.waitUntil(c.env.DELIVER?.([notice.id]) ?? Promise.resolve());
}

/** Enqueues and sends a notice after the response, for an event without a batch of its own. */
export function notifyByEmail<Subject extends object>(
  c: Call,
  user: Owner,
  message: Enqueued<Subject>,
  subject: Subject | Record<string, never> = {},
): void {
  const notice = noticeTo(c.env, user, message, subject);
  if (!notice) return;
  const sent = Promise.all(enqueueNotice(c.env.db, notice, Date.now()))
    .then(() => c.env.DELIVER?.([notice.id]))
    .catch((error: unknown) => log("error", "notice_not_written", { userId: user.id, error }));
  c.executionCtx.waitUntil(sent);
}
