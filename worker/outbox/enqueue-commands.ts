/** The statements that write messages down. Each goes into the batch of the change that causes it. */
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../contract/durations.ts";
import type { Db } from "../db/client.ts";
import { bookings, leads, messageChannels, messages } from "../db/schema.ts";
import { newId } from "../ids.ts";
import { EMAIL_LIFETIME_MS, MAX_PER_ADDRESS_AND_DAY } from "./registry.ts";
import type {
  EmailTemplate,
  MessageChannel,
  MessagePayload,
  MessageTemplate,
  RequestTemplate,
} from "../db/message-types.ts";

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

/** The columns that an insert into the outbox selects; new messages wait, and nobody has tried them. */
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

/** An email to somebody with an account, or about one. */
export type AccountEmail = {
  template: EmailTemplate;
  /** What makes it the same as another; the id of the message where nothing does. */
  key?: string;
  /** The address, as it was before whatever happened. */
  to: string;
  userId: string;
  payload?: MessagePayload;
  /** From when on it is worth nothing, epoch ms, where that is sooner than its kind's. */
  expiresAt?: number;
};

/**
 * The statement that writes an email down; `condition`: only where this holds.
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

/** Whether they have been written to of a kind as often as anybody is within a day: whoever asks may name any. */
const wasToldOften = (recipient: SQL, template: RequestTemplate, now: number) =>
  sql`(SELECT count(*) FROM ${messages} AS told WHERE told.recipient = ${recipient}
    AND told.template = ${template} AND told.created_at > ${now - DAY_MS}) >= ${MAX_PER_ADDRESS_AND_DAY}`;

type ToVisitor = {
  channel: "email" | "sms";
  template: RequestTemplate;
  key: string;
  recipient: SQL;
  /** What they asked for: a lead's or a booking's id. */
  leadId: string;
  payload?: MessagePayload;
};

/** The columns of a message to somebody who asked for something; it is due at once. */
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
 * The statement that notes that a visitor is to be told something of their request, if they gave an address.
 * What a provider brought along is none of a visitor's requests.
 * @param key what makes two of these the same one, besides the template
 * @param when what must be so of the lead's row, as it is before the batch's own change or after it
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
 * The statement that notes that a visitor is to be told that we have their booking of an inspection, for the batch that
 * stores it. It stands among what is about requests, under the booking's id.
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

/** An Australian mobile: the only numbers that texts go to. */
const isMobile = sql`${leads.phoneKey} GLOB '+614[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`;

/** Texts are off until an admin switches them on: until then no number is written down for them. */
const textsAreOn = sql`coalesce((SELECT ${messageChannels.isOn} FROM ${messageChannels}
  WHERE ${messageChannels.channel} = 'sms'), 0) = 1`;

/**
 * The statement that notes that a visitor is to be told by text message who took their request: only who gave a mobile
 * number and no email, for whoever gave one is told there, at greater length and for nothing.
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
