/** Statements that enqueue and delete messages. Run each in the batch of the change that causes it. */
import { and, eq, is, isNotNull, isNull, SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../platform/db/client.ts";
import type { MessageChannel, MessagePayload } from "../platform/db/message-types.ts";
import {
  alertSettings,
  bookings,
  leads,
  mailboxOf,
  messageChannels,
  messages,
  pushDevices,
} from "../platform/db/schema.ts";
import { newId } from "../platform/ids.ts";
import type { PushTemplate } from "./notifications.ts";
import { type MessageTemplate, type SubjectOf, TEMPLATES } from "./registry.ts";
import {
  MAX_PER_ADDRESS_AND_DAY,
  type RequestTemplate,
  STRANGERS_REQUEST_EMAILS,
} from "./request-messages.ts";
import { STRANGERS_ACCOUNT_EMAILS } from "./account-emails.ts";

/** The recipients of a message, as SQL: one for each row of `from`. */
export type Recipients = {
  channel: MessageChannel;
  /** A table, a join or a subquery. The default is one row. */
  from?: SQL;
  where?: SQL | undefined;
  recipient?: SQL;
  userId?: SQL;
  /** Suffix of the dedupe key when `from` has many rows. */
  keySuffix?: SQL;
  /** Prefix of the dedupe key. */
  keyPrefix?: SQL;
};

type Draft<Name extends MessageTemplate> = {
  to: Recipients;
  /** Data for the dedupe key. */
  subject: SubjectOf<Name>;
  /** Stored for the render. Defaults to the subject. */
  payload?: MessagePayload | SQL;
  /** The message's id. Defaults to a new one. Must differ for each row of `to.from`. */
  id?: string | SQL;
  /** Id of the lead or booking, for erasing its customer. */
  leadId?: string | SQL;
  /** Epoch ms. Defaults to now. */
  due?: number | SQL;
  /** Epoch ms. Defaults to the template's lifetime from now. */
  expiresAt?: number | SQL;
};

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
 * Returns the statement that enqueues a message for each of its recipients.
 * @param now epoch ms
 */
export function enqueue<Name extends MessageTemplate>(
  db: Db,
  template: Name,
  { to, subject, leadId, expiresAt, ...own }: Draft<Name>,
  now: number,
) {
  const entry: { lifetimeMs: number; key?: (subject: never) => string } = TEMPLATES[template];
  const payload: object = own.payload ?? subject;
  const id = own.id ?? (to.from ? randomIdSql : newId("msg"));
  const key = entry.key?.(subject as never) ?? id;
  // A text needs its own key, apart from the email of the same template.
  const prefix = to.channel === "sms" ? `${template}:sms:` : `${template}:`;
  const { keyPrefix, keySuffix } = to;
  const ownKey = typeof key === "string" ? sql`${key}` : key;
  const parts = [...(keyPrefix ? [keyPrefix] : []), ownKey, ...(keySuffix ? [keySuffix] : [])];
  const row = {
    id: qualifiedColumn(id),
    dedupeKey: sql`${prefix} || ${sql.join(parts, sql` || ':' || `)}`,
    channel: sql`${to.channel}`,
    template: sql`${template}`,
    recipient: qualifiedColumn(to.recipient ?? null),
    userId: qualifiedColumn(to.userId ?? null),
    leadId: qualifiedColumn(leadId ?? null),
    payload: qualifiedColumn(is(payload, SQL) ? payload : JSON.stringify(payload)),
    due: qualifiedColumn(own.due ?? now),
    expiresAt: qualifiedColumn(expiresAt ?? now + entry.lifetimeMs),
    createdAt: sql`${now}`,
  };
  return insertRows(db, row, to.from ?? sql`(SELECT 1)`, to.where);
}

/** A row for a message to one of many devices. */
export type DeviceRow = {
  id: string;
  dedupeKey: string;
  template: PushTemplate;
  recipient: string;
  userId: string;
  payload: MessagePayload;
  due: number;
  expiresAt: number;
  createdAt: number;
};

/** Returns the statement that enqueues messages to many devices. */
export function enqueueRows(db: Db, rows: readonly DeviceRow[]) {
  const field = (name: keyof DeviceRow) => sql`value ->> ${sql.raw(`'${name}'`)}`;
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
export const toDevices = (where: SQL | undefined, from: SQL = sql`${pushDevices}`): Recipients => ({
  channel: "push",
  from,
  where,
  recipient: sql`${pushDevices.id}`,
  userId: sql`${pushDevices.userId}`,
  keySuffix: sql`${pushDevices.id}`,
});

/** An email about an account. */
export type AccountEmail<Name extends MessageTemplate = MessageTemplate> = Pick<
  Draft<Name>,
  "subject" | "payload" | "expiresAt"
> & {
  template: Name;
  /** The address from before the change. */
  to: string;
  userId: string;
};

/**
 * Returns the statement that enqueues an email. `condition`: enqueue only where this holds. A mailbox gets only a few
 * emails a day that a stranger can trigger.
 * @param id id of the message, for sending it at once
 */
export function enqueueEmail<Name extends MessageTemplate>(
  db: Db,
  id: string,
  { template, to, userId, ...draft }: AccountEmail<Name>,
  now: number,
  condition?: SQL,
) {
  const address = sql`${to.trim().toLowerCase()}`;
  const isLimited = STRANGERS_ACCOUNT_EMAILS.includes(template);
  const recipients = {
    channel: "email",
    where: isLimited ? and(condition, sql`NOT ${hasDailyMaximum(address, template, now)}`) : condition,
    recipient: address,
    userId: sql`${userId}`,
  } as const;
  return enqueue(db, template, { ...draft, id, to: recipients } as Draft<Name>, now);
}

/** SQL: whether at least this many of the earlier messages match. */
const isReached = (limit: number, matches: SQL) => sql`count(*) FILTER (WHERE ${matches}) >= ${limit}`;

/** Maximum emails to a mailbox a day that a stranger can trigger: about accounts, and as many about requests. */
const MAX_PER_MAILBOX_AND_DAY = 5;

/**
 * SQL: whether the recipient has reached a daily limit: that of emails a stranger can trigger, or that of this request
 * template. A stranger may enter any address.
 * @param recipient in lower case
 */
export function hasDailyMaximum(recipient: SQL, template: MessageTemplate, now: number): SQL {
  const isAccount = STRANGERS_ACCOUNT_EMAILS.includes(template);
  const strangers = [STRANGERS_ACCOUNT_EMAILS, STRANGERS_REQUEST_EMAILS].find((all) =>
    all.includes(template),
  );
  // Strangers cannot use up the last account email: it is a password link, which the owner can use.
  const max = MAX_PER_MAILBOX_AND_DAY - (isAccount && template !== "password_link" ? 1 : 0);
  const reached = [
    ...(strangers ? [isReached(max, sql`earlier.template IN ${strangers}`)] : []),
    ...(isAccount ? [] : [isReached(MAX_PER_ADDRESS_AND_DAY, sql`earlier.template = ${template}`)]),
  ];
  return sql`(SELECT ${sql.join(reached, sql` OR `)} FROM ${messages} AS earlier
    WHERE ${mailboxOf(sql`earlier.recipient`)} = ${mailboxOf(recipient)}
    AND earlier.channel <> 'push' AND earlier.created_at > ${now - DAY_MS})`;
}

/** An Australian mobile number. Texts go to no other numbers. */
const isMobile = sql`${leads.phoneKey} GLOB '+614[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`;

/** Texts are off until an admin switches them on. Until then no number is stored for them. */
const areTextsOn = sql`coalesce((SELECT ${messageChannels.isOn} FROM ${messageChannels}
  WHERE ${messageChannels.channel} = 'sms'), 0) = 1`;

/** The visitor as recipient: by email if they gave an address, because emails say more and cost nothing. */
const VISITOR = {
  email: {
    recipient: sql`lower(trim(${leads.customerEmail}))`,
    isReachable: isNotNull(leads.customerEmail),
  },
  sms: {
    recipient: sql`${leads.phoneKey}`,
    isReachable: and(isMobile, isNull(leads.customerEmail), areTextsOn),
  },
} as const;

/**
 * Returns the statement that enqueues a message to a visitor about their request. Skips leads that a provider added.
 * @param about `when`: a condition on the lead's row, before or after the batch's own change
 */
export function enqueueForVisitor<
  Name extends Exclude<RequestTemplate, "inspection_received" | "request_list">,
>(
  db: Db,
  template: Name,
  {
    channel = "email",
    leadId,
    when,
    ...draft
  }: Pick<Draft<Name>, "subject" | "payload"> & {
    channel?: "email" | "sms";
    leadId: string | SQL;
    when?: SQL | undefined;
  },
  now: number,
) {
  const { recipient, isReachable } = VISITOR[channel];
  const where = and(
    eq(leads.id, leadId),
    isReachable,
    isNull(leads.erasedAt),
    sql`${leads.listingState} <> 'private'`,
    sql`NOT ${hasDailyMaximum(recipient, template, now)}`,
    when,
  );
  const to: Recipients = { channel, from: sql`${leads}`, where, recipient };
  return enqueue(db, template, { ...draft, to, leadId } as Draft<Name>, now);
}

/** Returns the statement that enqueues the confirmation of an inspection booking. */
export function enqueueInspection(db: Db, bookingId: string, now: number) {
  const template = "inspection_received";
  const recipient = sql`lower(trim(${bookings.email}))`;
  const where = and(
    eq(bookings.id, bookingId),
    isNull(bookings.erasedAt),
    sql`NOT ${hasDailyMaximum(recipient, template, now)}`,
  );
  const to: Recipients = { channel: "email", from: sql`${bookings}`, where, recipient };
  return enqueue(db, template, { to, subject: { leadId: bookingId }, payload: {}, leadId: bookingId }, now);
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
