/** The outbox, its recipients' devices and settings, and problems that admins must know about. */
import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

import type { QuietHours } from "../../../contract/notifications.ts";
import type { TeamAlerts } from "../../../contract/team.ts";
import { users } from "./users.ts";

/** How a message is sent. A `spread` is not sent: it is expanded into one message per recipient. */
export type MessageChannel = "spread" | "push" | "email" | "sms";

/**
 * `sent`: accepted by the service. `delivered`: the gateway confirmed delivery. `expired`: too late to send. `dropped`:
 * no longer needed. `failed`: cannot be sent. `bounced`: the recipient's server permanently refused the email.
 */
export type MessageState = "waiting" | "sent" | "delivered" | "expired" | "dropped" | "failed" | "bounced";

/** The subject of a message: only ids and times, never personal text. */
export type MessagePayload = {
  /** The lead; for `new_lead` also the generation in which it was listed. */
  leadId?: string;
  generation?: number;
  /** `lead_digest`: when its first lead was requested, epoch ms. */
  since?: number;
  /** The purchase, for messages about a sale, its customer or its notes. */
  purchaseId?: string;
  /** `did_they_call`: whether the customer is asked once more. */
  isAgain?: boolean;
  /** `did_they_call`: whether the customer's reply to the question was unclear. */
  isUnclear?: boolean;
  /**
   * `customer_update`: what the customer did. `call_answered`: the customer's response, or `last_call`.
   * `guarantee_decision`, `free_claim_decided`: the state of the case.
   */
  kind?: string;
  /** `mentioned`: the author. */
  byUserId?: string;
  /** `hold_lapsing`, `hold_lapsed`: the hold. `endsAt`: when it or the time to call ends, epoch ms. */
  holdId?: string;
  endsAt?: number;
  /** `paid_too_late`: the payment that is refunded. */
  paymentIntentId?: string;
  /** `password_link`, `confirm_email`: the link. Its secret is created when the message is sent. */
  linkId?: string;
  /** The origin of the link, also for `request_list`, such as "https://naturestrip.example". */
  origin?: string;
  /** `card_expiring`: Stripe's ids of the cards, and the month they expire, such as "2026-11". */
  cardIds?: string[];
  month?: string;
  /** `check_news`: the check. Its `kind` says what happened to it. */
  checkId?: string;
  /** `attention`: the kind, subject and time (epoch ms) of each item that it reports. */
  items?: [kind: string, subjectId: string, since: number][];
};

/** The body of one queue message. */
export type Queued = { ids: string[] };

/**
 * SQL: the mailbox of an address: without its plus suffix, and at Gmail without dots. Other recipients stay as they are.
 * Indexes use this exact expression.
 * @param address in lower case
 */
export function mailboxOf(address: SQL): SQL {
  const user = sql`substr(${address}, 1, min(instr(${address} || '+', '+'), instr(${address}, '@')) - 1)`;
  const domain = sql`substr(${address}, instr(${address}, '@'))`;
  return sql`(CASE WHEN ${domain} IN ('@gmail.com', '@googlemail.com') THEN replace(${user}, '.', '') || '@gmail.com' ELSE ${user} || ${domain} END)`;
}

/**
 * The outbox. A message is written in the batch of the change that causes it, and sent afterwards. The Worker retries
 * it until a service accepts it or it expires. The Worker builds text and links when it sends, so no row contains
 * personal text or a one-time secret.
 */
export const messages = sqliteTable(
  "messages",
  {
    id: text().primaryKey(),
    /** A second message with the same key is not written. */
    dedupeKey: text("dedupe_key").notNull(),
    /** Channel and template have no CHECK, so that they can change without rebuilding the table. */
    channel: text().$type<MessageChannel>().notNull(),
    /** A name in messages/registry.ts. */
    template: text().notNull(),
    /** The device, the email address in lower case or the number in E.164. Null for a `spread` message. */
    recipient: text(),
    /** The recipient's account, for erasure. */
    userId: text("user_id"),
    /** Id of the lead or inspection booking, for erasing its customer. */
    leadId: text("lead_id"),
    /** Ids and times only. */
    payload: text({ mode: "json" }).$type<MessagePayload>().notNull(),
    /** When the message is due. While leased, when the lease expires. */
    due: integer().notNull(),
    /** After this time the message is not sent. */
    expiresAt: integer("expires_at").notNull(),
    state: text().$type<MessageState>().notNull().default("waiting"),
    attempts: integer().notNull().default(0),
    /** When a worker last leased the message. The limits per day count it. */
    triedAt: integer("tried_at"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("messages_dedupe").on(table.dedupeKey),
    index("messages_due")
      .on(table.due, table.id)
      .where(sql`state = 'waiting'`),
    // Finds the last message of a template to a device or an address.
    index("messages_recipient").on(table.recipient, table.template, table.createdAt),
    // Counts the day's emails to a mailbox.
    index("messages_mailbox")
      .on(mailboxOf(sql`recipient`), table.createdAt)
      .where(sql`channel <> 'push'`),
    // For erasing the person.
    index("messages_user")
      .on(table.userId)
      .where(sql`user_id IS NOT NULL`),
    index("messages_lead")
      .on(table.leadId)
      .where(sql`lead_id IS NOT NULL`),
    // Recent emails and texts, and their outcome. Omits push messages: they are most rows, and no query reads them here.
    index("messages_tried")
      .on(table.channel, table.triedAt)
      .where(sql`tried_at IS NOT NULL AND channel <> 'push'`),
    // For the sweep: finished messages that may be deleted.
    index("messages_over")
      .on(table.createdAt, table.id)
      .where(sql`state <> 'waiting'`),
    // The admins' list of messages that they may send again.
    index("messages_failed")
      .on(table.createdAt, table.id)
      .where(sql`state IN ('failed', 'bounced')`),
  ],
);

/** A channel's settings. Without a row, a channel is on, except texts. */
export const messageChannels = sqliteTable("message_channels", {
  channel: text().$type<Exclude<MessageChannel, "spread">>().primaryKey(),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  /** Maximum messages a day; null for the default. For emails, counts only those that visitors trigger. */
  mostADay: integer("most_a_day"),
});

/** Recipients who have opted out of text messages, or of emails about requests. */
export const messageStops = sqliteTable("message_stops", {
  /** Hash of the channel and the number or address. */
  recipientHash: text("recipient_hash").primaryKey(),
  since: integer().notNull(),
});

/**
 * Browsers in which a user allowed notifications. A device gets messages only while the session that added it is valid.
 */
export const pushDevices = sqliteTable(
  "push_devices",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    /**
     * No foreign key, because the row may outlive its session. Then it is inactive until the user turns it on again.
     */
    sessionId: text("session_id").notNull(),
    /** The push service's URL for this device. The client sends it, so we call only known services. */
    endpoint: text().notNull(),
    /** The browser's public key and secret for end-to-end encryption (RFC 8291), base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** The site's origin on that device, e.g. "https://naturestrip.example". A click opens it. */
    origin: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("push_devices_endpoint").on(table.endpoint),
    index("push_devices_user").on(table.userId, table.createdAt),
  ],
);

/**
 * A user's alert settings. A missing row or a null means the default: `DEFAULT_QUIET_HOURS`, all leads,
 * `DEFAULT_TEAM_ALERTS`.
 */
export const alertSettings = sqliteTable("alert_settings", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id),
  quietHours: text("quiet_hours", { mode: "json" }).$type<QuietHours>(),
  /** Regions, services and urgencies with alerts; null for all. */
  regions: text({ mode: "json" }).$type<string[]>(),
  services: text({ mode: "json" }).$type<string[]>(),
  urgencies: text({ mode: "json" }).$type<string[]>(),
  /** The smallest lawn with alerts; null for any. */
  leastSize: text("least_size"),
  /** End of the user's pause from new-lead alerts; null when not paused. */
  pausedUntil: integer("paused_until"),
  /** The owner's settings for a team member. */
  team: text({ mode: "json" }).$type<TeamAlerts>(),
});

/** Problems with claims that the system could not fix by itself. Shown to super admins. */
export const attention = sqliteTable(
  "attention",
  {
    kind: text().notNull(),
    subjectId: text("subject_id").notNull(),
    detail: text().notNull(),
    since: integer().notNull(),
    resolvedAt: integer("resolved_at"),
    /** When the super admins got an email about it; null when they did not. */
    toldAt: integer("told_at"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subjectId] }),
    index("attention_open").on(table.resolvedAt, table.since),
  ],
);
