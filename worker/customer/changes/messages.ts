/** Messages about a new email address of a request. */
import { and, eq, exists, isNotNull, ne, notExists, or, type SQL, sql } from "drizzle-orm";

import { DAY_MS, HOUR_MS } from "../../../contract/durations.ts";
import { createLink, findRequest } from "../../leads/message-queries.ts";
import { describeJob, labelsOf, linkToPage } from "../../leads/message-words.ts";
import { hasDailyMaximum } from "../../outbox/channel-queries.ts";
import { enqueue } from "../../outbox/commands.ts";
import { mailMessage, UNWANTED } from "../../outbox/message.ts";
import { visitorMessage } from "../../outbox/visitor-queries.ts";
import type { Db } from "../../platform/db/client.ts";
import { leads } from "../../platform/db/leads.ts";
import { messages } from "../../platform/db/messages.ts";

/** `revision`: number of the change. */
type OfChange = { leadId: string; revision: number };

const keyOfChange = ({ leadId, revision }: OfChange) => `${leadId}:${revision}`;

export const requestEmailAdded = visitorMessage({
  name: "request_email_added",
  reason: "This address was added to their request, or replaced its old one.",
  lifetimeMs: 6 * HOUR_MS,
  key: keyOfChange,
  load: async (loading) => {
    const lead = await findRequest(loading);
    if (!lead) return UNWANTED;
    const isOpen = lead.status === "available" || lead.status === "sold";
    return {
      request: labelsOf(lead),
      pageLink: isOpen ? await createLink(loading, "request", lead.id) : null,
    };
  },
  email: ({ request, pageLink }, { contactPhone, contactEmail }) => ({
    subject: `We'll email you here about your request for ${describeJob(request)}`,
    parts: [
      "Hello,",
      `From now on, we'll email you here about your request for ${describeJob(request)}.`,
      ...linkToPage(pageLink),
      `Didn't ask for this? Call us on ${contactPhone} or email ${contactEmail}, and we'll remove this address.`,
    ],
  }),
});

/** Has no link: the address may belong to a stranger. */
export const requestEmailRemoved = mailMessage({
  name: "request_email_removed",
  reason:
    "Someone with the link and the last digits of the phone number changed the address of their request.",
  lifetimeMs: DAY_MS,
  key: keyOfChange,
  load: async (loading) => {
    const lead = await findRequest(loading);
    return lead ? { request: labelsOf(lead) } : UNWANTED;
  },
  email: ({ request }, { contactPhone, contactEmail }) => ({
    subject: `We won't email you here about your request for ${describeJob(request)} any more`,
    parts: [
      "Hello,",
      `Your request for ${describeJob(request)} has a new email address. We'll send news about it there.`,
      `If you didn't change it, call us on ${contactPhone} or email ${contactEmail}, and we'll change it back.`,
    ],
  }),
});

/** `to`: the new address in lower case; undefined if it does not change. `revision`: number of the change. */
type EmailChange = {
  lead: Pick<typeof leads.$inferSelect, "id" | "customerEmail">;
  to: string | undefined;
  revision: number;
};

const isAdded = eq(messages.template, requestEmailAdded.name);
const isRemoved = eq(messages.template, requestEmailRemoved.name);

/**
 * Returns the statements that redirect waiting emails to the new address, confirm it, and notify the old one if we have
 * emailed it or the request came from it. They must follow the statement that writes the change. A quarantined request
 * sends no email.
 */
export function announceEmailChange(db: Db, { lead, to, revision }: EmailChange, now: number) {
  const leadId = lead.id;
  const from = lead.customerEmail?.trim().toLowerCase() ?? "";
  if (to === undefined || to === from) return [];
  const isWritten = and(eq(leads.revision, revision), ne(leads.listingState, "quarantined"))!;
  const hasChanged = exists(
    db
      .select({ id: leads.id })
      .from(leads)
      .where(and(eq(leads.id, leadId), isWritten)),
  );
  const subject = { leadId, revision };
  const messagesWith = (condition: SQL | undefined) =>
    db
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.leadId, leadId), condition));
  const isKnown = or(
    notExists(messagesWith(isAdded)),
    exists(messagesWith(and(eq(messages.recipient, from), isNotNull(messages.triedAt)))),
  );
  const recipient = sql`${from}`;
  const canNotify = and(
    sql`${from} <> ''`,
    hasChanged,
    isKnown,
    sql`NOT ${hasDailyMaximum(recipient, requestEmailRemoved.name, now)}`,
  );
  const isWaiting = and(eq(messages.leadId, leadId), eq(messages.state, "waiting"), hasChanged);
  return [
    // First, because it depends on the earlier messages.
    enqueue(db, requestEmailRemoved, subject, now, { recipient, when: canNotify }),
    // Unsent messages of an earlier change are out of date.
    db
      .delete(messages)
      .where(
        and(
          isWaiting,
          or(and(isAdded, eq(messages.recipient, from)), and(isRemoved, eq(messages.recipient, to))),
        ),
      ),
    db
      .update(messages)
      .set({ recipient: to })
      .where(and(isWaiting, eq(messages.recipient, from), ne(messages.template, requestEmailRemoved.name))),
    enqueue(db, requestEmailAdded, subject, now, { when: isWritten }),
  ];
}
