/**
 * What a message is. A feature's `messages.ts` has its messages as values, and `messages/registry.ts` lists all of them.
 * `enqueue` takes the value.
 */
import type { SQL } from "drizzle-orm";

import type { QuietHours } from "../../contract/notifications.ts";
import type { Context } from "../platform/context.ts";
import type { Db } from "../platform/db/client.ts";
import type { MessageChannel, MessagePayload, messages } from "../platform/db/messages.ts";

export type MessageRow = typeof messages.$inferSelect;

/** A paragraph of an email, a button or a list. */
export type EmailPart = string | { link: string; words: string } | { list: readonly string[] };

/**
 * An email before layout. `stop`: the unsubscribe link. Null if there is no link; the email then asks the recipient to
 * contact us.
 */
export type EmailContent = { subject: string; parts: readonly EmailPart[]; stop?: string | null };

/** A notification's content, and its delivery options for the push service. */
export type PushContent = {
  title: string;
  body: string;
  /** The page that a click opens. Declarative Web Push requires an absolute URL. */
  navigate: string;
  /** A later notification with the same tag replaces the earlier one. */
  tag: string;
  /** While the device is offline, a later message with the same topic replaces the earlier one. */
  topic: string;
  urgency: "high" | "normal";
};

/** A row for a message to one of many devices. */
export type DeviceRow = {
  id: string;
  dedupeKey: string;
  template: string;
  recipient: string;
  userId: string;
  payload: MessagePayload;
  due: number;
  expiresAt: number;
  createdAt: number;
};

/**
 * The verdict that a message is not sent now: it is no longer wanted, or must be checked again later. Neither counts as
 * an attempt. `replacement`: the message that replaces it later.
 */
export type Skip = { isSkipped: true; due: number | null; replacement?: DeviceRow };

/** The message is no longer true, or the recipient does not want it. */
export const UNWANTED: Skip = { isSkipped: true, due: null };

/** Returns the verdict to check a message again. @param due epoch ms */
export const checkAgainAt = (due: number): Skip => ({ isSkipped: true, due });

export const isSkip = (found: object): found is Skip => "isSkipped" in found;

/** Our contact details for the recipient. `siteUrl`: start of links to the site; null if it has no host. */
export type Reach = { contactPhone: string; contactEmail: string; siteUrl: string | null };

/** What a message loads its facts with, when it is sent. `now`: epoch ms. */
export type Loading = { env: Context; db: Db; message: MessageRow; now: number };

/** A device that can receive messages, with its user's rights and alert settings. */
export type Recipient = {
  id: string;
  userId: string;
  businessId: string;
  /** The start of links: the origin on which the user turned notifications on. */
  origin: string;
  isTeam: boolean;
  /** An active provider who may buy. */
  mayBuy: boolean;
  watchedRegions: readonly string[];
  services: readonly string[];
  /** Null: no choices. */
  choices: {
    regions: readonly string[] | null;
    services: readonly string[] | null;
    urgencies: readonly string[] | null;
    leastSize: string | null;
  } | null;
  /** Epoch ms; null for no pause. */
  pausedUntil: number | null;
  quietHours: QuietHours;
};

export type PushLoading = Loading & { recipient: Recipient };

/** The rows of a message, as SQL: one for each row of `from`. Each field but `channel` has a default. */
export type Rows = {
  channel: MessageChannel | SQL;
  /** A table, a join or a subquery. The default is one row. */
  from?: SQL;
  where?: SQL | undefined;
  recipient?: SQL;
  userId?: SQL;
  /** Suffix of the dedupe key when `from` has many rows. */
  keySuffix?: SQL;
  /** Prefix of the dedupe key. */
  keyPrefix?: SQL;
  /** Must differ for each row. The default is a new id. */
  id?: string | SQL;
  /** The lead or booking, for erasing its customer. The default is the subject's `leadId`, or null. */
  leadId?: string | SQL | null;
  /** Stored for `load`. The default is the subject. */
  payload?: object | SQL;
  /** Epoch ms. The default is now. */
  due?: number | SQL;
  /** Epoch ms. The default is the message's lifetime from now. */
  expiresAt?: number | SQL;
};

/** What `enqueue` needs of a message. */
export type Enqueued<Subject> = {
  /** Stored with each row, so a released name never changes. */
  name: string;
  /** Why the recipient gets this message. */
  reason: string;
  /** The message expires after this long, in ms. */
  lifetimeMs: number;
  /** Whom it goes to. A message without it gets its rows from the caller. */
  to?: (subject: Subject, now: number) => Rows;
  /** Returns the dedupe key within the name. The default is the message's id, so every message is sent. */
  key?: (subject: Subject) => string;
};

/** An email, or a text to a customer who gave no email address. */
export type MailMessage<Subject, Facts> = Enqueued<Subject> & {
  /** Loads the facts from the current data. Creates the secrets of links. */
  load: (loading: Loading) => Promise<Facts | Skip>;
  /** Returns null to drop an email that is no longer true. */
  email: (facts: Facts, reach: Reach) => EmailContent | null;
  text?: (facts: Facts, reach: Reach & { takesReplies: boolean }) => string;
};

/** A notification. `Shared`: what the messages that are sent together load once. */
export type PushMessage<Subject, Facts, Shared = undefined> = Enqueued<Subject> & {
  key: (subject: Subject) => string;
  /** Drops the message while its user has an open window, which shows the same news. */
  skipsOpenWindow?: true;
  /** Sends the message after its user's quiet hours. A function decides by the facts. */
  waitsForQuietHours?: true | ((facts: Facts) => boolean);
  loadShared?: (context: Context, group: readonly MessageRow[]) => Promise<Shared>;
  /** Returns a verdict without I/O, before anything else; null if the message may be sent. */
  postpone?: (loading: PushLoading & { shared: Shared }) => Skip | null;
  load: (loading: PushLoading & { shared: Shared }) => Promise<Facts | Skip>;
  push: (facts: Facts) => PushContent;
};

/** Infers the types of an email or a text. */
export const mailMessage = <Facts, Subject extends object = MessagePayload>(
  message: MailMessage<Subject, Facts>,
) => message;

/** Infers the types of a notification. */
export const pushMessage = <Facts, Subject extends object = MessagePayload, Shared = undefined>(
  message: PushMessage<Subject, Facts, Shared>,
) => message;
