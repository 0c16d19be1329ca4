import { and, eq, isNotNull, isNull, or, sql } from "drizzle-orm";

import { leads } from "../platform/db/leads.ts";
import { messageChannels } from "../platform/db/messages.ts";
import { hasDailyMaximum } from "./channel-queries.ts";
import type { MailMessage, Rows } from "./message.ts";

/** An Australian mobile number. Texts go to no other numbers. */
const isMobile = sql`${leads.phoneKey} GLOB '+614[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'`;

/** Texts are off until an admin switches them on. Until then no number is stored for them. */
const areTextsOn = sql`coalesce((SELECT ${messageChannels.isOn} FROM ${messageChannels}
  WHERE ${messageChannels.channel} = 'sms'), 0) = 1`;

const hasEmail = isNotNull(leads.customerEmail);

const email = sql`lower(trim(${leads.customerEmail}))`;

const isReachableByEmail = and(hasEmail, isNull(leads.emailBouncedAt))!;

/** How a message reaches a visitor. */
const BY_EMAIL = {
  channel: sql`'email'`,
  recipient: email,
  where: hasEmail,
};

/** By email if they gave an address that works, because emails say more and cost nothing; else by text. */
const BY_EMAIL_OR_TEXT = {
  channel: sql`iif(${isReachableByEmail}, 'email', 'sms')`,
  recipient: sql`iif(${isReachableByEmail}, ${email}, ${leads.phoneKey})`,
  where: or(isReachableByEmail, and(isMobile, areTextsOn)),
};

/**
 * Returns the `to` of a message to a visitor. Leads that a provider added have no visitor.
 * @param hasText whether the message has a text, for visitors without a working email address
 */
export const toVisitor =
  (name: string, hasText: boolean) =>
  ({ leadId, ...payload }: { leadId: string }, now: number): Rows => {
    const { channel, recipient, where } = hasText ? BY_EMAIL_OR_TEXT : BY_EMAIL;
    return {
      channel,
      from: sql`${leads}`,
      where: and(
        eq(leads.id, leadId),
        where,
        isNull(leads.erasedAt),
        sql`${leads.listingState} <> 'private'`,
        sql`NOT ${hasDailyMaximum(recipient, name, now)}`,
      ),
      recipient,
      payload,
    };
  };

/**
 * Returns a message to a visitor about their request. It goes by email. If it has a text and the visitor gave no email
 * address that works, it goes by text.
 */
export const visitorMessage = <Facts, Subject extends { leadId: string }>(
  message: MailMessage<Subject, Facts>,
): MailMessage<Subject, Facts> => ({ ...message, to: toVisitor(message.name, message.text !== undefined) });
