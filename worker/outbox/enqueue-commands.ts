/** Statements that enqueue messages. Each belongs in the batch of the change that causes it. */
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../platform/db/client.ts";
import { bookings, leads, messageChannels, messages } from "../platform/db/schema.ts";
import { newId } from "../platform/ids.ts";
import { EMAIL_LIFETIME_MS, MAX_PER_ADDRESS_AND_DAY } from "./registry.ts";
import type {
  EmailTemplate,
  MessageChannel,
  MessagePayload,
  MessageTemplate,
  RequestTemplate,
} from "../platform/db/message-types.ts";

/** A message's columns as SQL, in the table's order, for an insert that selects. */
export type RowSql = {
  id: SQL;
  dedupeKey: SQL;
  channel: MessageChannel;
  template: SQL | MessageTemplate;
  recipient?: SQL;
  userId?: SQL;
  leadId?: SQL;
  payload: SQL;
  due: SQL;
  expiresAt: SQL;
  createdAt: SQL;
};

/** Returns the columns that an insert into the outbox selects. A new message is waiting, with no attempts. */
export function rowColumns(row: RowSql) {
  const nothing = sql`NULL`;
  return {
    id: row.id.as("id"),
    dedupeKey: row.dedupeKey.as("dedupe_key"),
    channel: sql`${row.channel}`.as("channel"),
    template: sql`${row.template}`.as("template"),
    recipient: (row.recipient ?? nothing).as("recipient"),
    userId: (row.userId ?? nothing).as("user_id"),
    leadId: (row.leadId ?? nothing).as("lead_id"),
    payload: row.payload.as("payload"),
    due: row.due.as("due"),
    expiresAt: row.expiresAt.as("expires_at"),
    state: sql`'waiting'`.as("state"),
    attempts: sql`0`.as("attempts"),
    triedAt: nothing.as("tried_at"),
    createdAt: row.createdAt.as("created_at"),
  };
}

/** An email to an account's owner, or about an account. */
export type AccountEmail = {
  template: EmailTemplate;
  /** The dedupe key within the template. Defaults to the message's id, which matches no other message. */
  key?: string;
  /** The address, as it was before the change. */
  to: string;
  userId: string;
  payload?: MessagePayload;
  /** When the email expires, epoch ms, if that is sooner than its template's lifetime. */
  expiresAt?: number;
};

/**
 * Returns the statement that enqueues an email. `condition`: enqueue only where this holds.
 * @param id of the message, for sending it now
 */
export function writeEmail(
  db: Db,
  id: string,
  { template, key = id, to, userId, payload = {}, expiresAt = Infinity }: AccountEmail,
  now: number,
  condition: SQL = sql`true`,
) {
  return db
    .insert(messages)
    .select(
      db
        .select(
          rowColumns({
            id: sql`${id}`,
            dedupeKey: sql`${`${template}:${key}`}`,
            channel: "email",
            template,
            recipient: sql`${to.trim().toLowerCase()}`,
            userId: sql`${userId}`,
            payload: sql`${JSON.stringify(payload)}`,
            due: sql`${now}`,
            expiresAt: sql`${Math.min(expiresAt, now + EMAIL_LIFETIME_MS[template])}`,
            createdAt: sql`${now}`,
          }),
        )
        .from(sql`(SELECT 1)`)
        .where(condition),
    )
    .onConflictDoNothing();
}

const address = sql`lower(trim(${leads.customerEmail}))`;

/** SQL: whether the recipient already got the daily maximum of this template. A visitor may enter any address. */
const wasToldOften = (recipient: SQL, template: RequestTemplate, now: number) =>
  sql`(SELECT count(*) FROM ${messages} AS told WHERE told.recipient = ${recipient}
    AND told.template = ${template} AND told.created_at > ${now - DAY_MS}) >= ${MAX_PER_ADDRESS_AND_DAY}`;

type ToVisitor = {
  channel: "email" | "sms";
  template: RequestTemplate;
  key: string;
  recipient: SQL;
  /** The id of the visitor's lead or booking. */
  leadId: string;
  payload?: MessagePayload;
};

/** Returns the columns of a message to a visitor. It is due at once. */
function visitorColumns({ channel, template, key, recipient, leadId, payload = {} }: ToVisitor, now: number) {
  return rowColumns({
    id: sql`${newId("msg")}`,
    dedupeKey: sql`${`${template}:${key}`}`,
    channel,
    template,
    recipient,
    leadId: sql`${leadId}`,
    payload: sql`${JSON.stringify(payload)}`,
    due: sql`${now}`,
    expiresAt: sql`${now + EMAIL_LIFETIME_MS[template]}`,
    createdAt: sql`${now}`,
  });
}

type AboutRequest = { leadId: string; key: string; purchaseId?: string; when?: SQL | undefined };

/**
 * Returns the statement that enqueues an email to a visitor about their request, if they gave an address. A lead that a
 * provider added is not a visitor's request, so it gets no email.
 * @param about `key`: the dedupe key within the template. `when`: a condition on the lead's row, as it is before or
 *   after the batch's own change
 */
export function noteForVisitor(db: Db, template: RequestTemplate, about: AboutRequest, now: number) {
  const { leadId, key, purchaseId, when } = about;
  const payload = purchaseId ? { purchaseId } : {};
  return db
    .insert(messages)
    .select(
      db
        .select(visitorColumns({ channel: "email", template, key, recipient: address, leadId, payload }, now))
        .from(leads)
        .where(
          and(
            eq(leads.id, leadId),
            isNotNull(leads.customerEmail),
            isNull(leads.erasedAt),
            sql`${leads.listingState} <> 'private'`,
            sql`NOT ${wasToldOften(address, template, now)}`,
            when,
          ),
        ),
    )
    .onConflictDoNothing();
}

/**
 * Returns the statement that enqueues the confirmation of an inspection booking. It belongs in the batch that stores
 * the booking. The message's `lead_id` holds the booking's id.
 */
export function noteInspection(db: Db, bookingId: string, now: number) {
  const template = "inspection_received";
  const recipient = sql`lower(trim(${bookings.email}))`;
  return db
    .insert(messages)
    .select(
      db
        .select(
          visitorColumns({ channel: "email", template, key: bookingId, recipient, leadId: bookingId }, now),
        )
        .from(bookings)
        .where(
          and(
            eq(bookings.id, bookingId),
            isNull(bookings.erasedAt),
            sql`NOT ${wasToldOften(recipient, template, now)}`,
          ),
        ),
    )
    .onConflictDoNothing();
}

/** An Australian mobile number. Texts go to no other numbers. */
const isMobile = sql`${leads.phoneKey} GLOB '+614[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`;

/** Texts are off until an admin switches them on. Until then no number is stored for them. */
const textsAreOn = sql`coalesce((SELECT ${messageChannels.isOn} FROM ${messageChannels}
  WHERE ${messageChannels.channel} = 'sms'), 0) = 1`;

/**
 * Returns the statement that enqueues a text message to a visitor: which provider took their request. Only for visitors
 * with a mobile number and no email. An email says more and costs nothing.
 */
export function textForVisitor(db: Db, about: AboutRequest, now: number) {
  const template = "request_taken";
  const { leadId, key, purchaseId, when } = about;
  const payload = purchaseId ? { purchaseId } : {};
  return db
    .insert(messages)
    .select(
      db
        .select(
          visitorColumns(
            {
              channel: "sms",
              template,
              key: `sms:${key}`,
              recipient: sql`${leads.phoneKey}`,
              leadId,
              payload,
            },
            now,
          ),
        )
        .from(leads)
        .where(
          and(
            eq(leads.id, leadId),
            isMobile,
            isNull(leads.customerEmail),
            isNull(leads.erasedAt),
            sql`${leads.listingState} <> 'private'`,
            textsAreOn,
            sql`NOT ${wasToldOften(sql`${leads.phoneKey}`, template, now)}`,
            when,
          ),
        ),
    )
    .onConflictDoNothing();
}
